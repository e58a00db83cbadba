package cli

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// shapes returns the files of testdata/shapes with their rows as the generator
// wrote them down, when it made the files.
func shapes(t *testing.T) map[string][]string {
	t.Helper()
	names, err := filepath.Glob("../../testdata/shapes/*.jsonl")
	if err != nil || len(names) < 100 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	all := map[string][]string{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(name, ".jsonl")+".parquet"] = slices.Collect(strings.Lines(string(b)))
	}
	return all
}

// firstDifference tells two lists of lines apart.
func firstDifference(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("%s: row %d is %.300s, not %.300s", what, i, got[i], want[i])
			return
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d rows, not %d", what, len(got), len(want))
	}
}

func TestRowsOfShapes(t *testing.T) {
	for name, want := range shapes(t) {
		stdout, stderr, code := runScan(t, t.Context(), "cat", "--raw", name)
		if code != 0 || stderr != "" {
			t.Errorf("%s: exit code %d, %s", name, code, stderr)
		}
		firstDifference(t, name, slices.Collect(strings.Lines(stdout)), want)
	}
}

func TestOffsetsAndLimitsCutOutRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	rounds := dtest.Rounds(t, 2)
	for name, rows := range shapes(t) {
		for range rounds {
			// The file twice, so that some offsets are after the first.
			want := append(slices.Clone(rows), rows...)
			offset := rng.IntN(len(want) + 2)
			limit := rng.IntN(len(want) + 2)
			stdout, stderr, code := runScan(t, t.Context(), "cat", "--raw", "--offset", strconv.Itoa(offset), "-n", strconv.Itoa(limit), name, name)
			if code != 0 || stderr != "" {
				t.Errorf("%s: exit code %d, %s", name, code, stderr)
			}
			want = want[min(offset, len(want)):]
			want = want[:min(limit, len(want))]
			firstDifference(t, name+" from "+strconv.Itoa(offset), slices.Collect(strings.Lines(stdout)), want)
		}
	}
}

func TestSampleIsOfTheRows(t *testing.T) {
	for name, rows := range shapes(t) {
		n := len(rows)
		stdout, stderr, code := runScan(t, t.Context(), "sample", "--raw", strconv.Itoa(n), name, name)
		if code != 0 || stderr != "" {
			t.Errorf("%s: exit code %d, %s", name, code, stderr)
		}
		got := slices.Collect(strings.Lines(stdout))
		if len(got) != n {
			t.Errorf("%s: %d rows, not %d", name, len(got), n)
		}
		// In the order of the files.
		all := append(slices.Clone(rows), rows...)
		for _, row := range got {
			at := slices.Index(all, row)
			if at < 0 {
				t.Errorf("%s: no such row behind those before: %.300s", name, row)
				break
			}
			all = all[at+1:]
		}
	}
}

// Of every file that must be refused, the rows in front of the fault may come,
// then a line that says where it is.
func TestBadFilesAreOneLine(t *testing.T) {
	names, err := filepath.Glob("../../testdata/bad/*.parquet")
	if err != nil || len(names) < 100 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		_, stderr, code := runScan(t, t.Context(), "cat", "--raw", name)
		if code != exitBadFile || strings.Count(stderr, "\n") != 1 || utf8.RuneCountInString(stderr) > 600 || !strings.HasPrefix(stderr, name+": ") {
			t.Errorf("%s: exit code %d, %q", name, code, stderr)
		}
	}
}

// A file without rows is looked at all the same.
func TestEmptyRowGroupWithoutChunks(t *testing.T) {
	f := gen.File{
		Schema:    []*gen.Node{gen.Required("a", gen.Int32)},
		RowGroups: []gen.RowGroup{{Rows: []any{}}},
		Footer:    func(m *wire.FileMetaData) { m.RowGroups[0].Columns = m.RowGroups[0].Columns[:0] },
	}
	b, err := f.Write()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "f.parquet")
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := runScan(t, t.Context(), "cat", name); code != exitBadFile || !strings.Contains(stderr, "f.parquet: row group 0: footer: 0 column chunks") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

// bytesRead returns how much of a file a command reads when it is open.
func bytesRead(t *testing.T, name string, args ...string) (read, size int64) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	src := record.Of(fetch.FromBytes(b))
	f, err := scanner.OpenSource(t.Context(), name, src)
	if err != nil {
		t.Fatal(err)
	}
	src.Take()
	cmd := scan().commands().Find(args[0])
	o, files, err := command.Parse(cmd, append(args[1:], name))
	if err != nil {
		t.Fatal(err)
	}
	r := output.NewReport(io.Discard, output.FormatNamed(output.Formats(), "jsonl"), table.Screen{})
	task, err := cmd.Run(t.Context(), o, input.Find(t.Context(), input.Opener{}, files, cmd.Takes&command.TakesWhere != 0), r)
	if err != nil {
		t.Fatal(err)
	}
	if err := task.File(t.Context(), &input.File{File: f}); err != nil {
		t.Fatal(err)
	}
	for _, call := range src.Take() {
		for _, r := range call {
			read += r.Len
		}
	}
	return read, int64(len(b))
}

func TestWhatIsNotPrintedIsNotRead(t *testing.T) {
	const name = "../../testdata/lineitems.parquet"
	for _, tc := range []struct {
		args string
		part int64 // of the file, that must suffice
	}{
		{"count", 1 << 40},
		{"cat -n 0", 1 << 40},
		{"cat --offset 20000", 1 << 40},
		{"cat --offset 10500 -n 1", 5},
		{"cat -c order_key", 5},
		{"head", 5},
		{"sample 1 --seed 3", 5},
		{"sample 2 --seed 3 -c order_key", 10},
	} {
		read, size := bytesRead(t, name, strings.Fields(tc.args)...)
		if read > size/tc.part {
			t.Errorf("%s: %d of %d bytes read", tc.args, read, size)
		}
	}
}
