package oracle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apache "github.com/apache/thrift/lib/go/thrift"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift/wire"
)

const formatDocument = "../../../docs/format.md"

// metadataOf returns the footer of a file as JSON, by the generated code, which has the format's own names.
func metadataOf(t *testing.T, f *scanner.File) string {
	b, err := fetch.ReadRange(t.Context(), f.Source(), f.FooterRange(), nil)
	if err != nil {
		t.Fatal(err)
	}
	m := wire.NewFileMetaData()
	if err := m.Read(t.Context(), apache.NewTCompactProtocolConf(&apache.TMemoryBuffer{Buffer: bytes.NewBuffer(b)}, nil)); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// jsonRows returns the rows of a scan as lines.
func jsonRows(t *testing.T, f *scanner.File, e *filter.Expr, k knobs.Knobs, stats *scanner.Stats) (lines []string, columns [][]vector.Scalar, err error) {
	for b, err := range f.Scan(knobs.With(t.Context(), k), scanner.Options{Filter: e, Stats: stats}) {
		if err != nil {
			return lines, columns, err
		}
		rows := vector.JSONRows(vector.AsStored(b.Fields))
		rows.Use(b)
		columns = slices.Grow(columns, len(b.Columns))[:len(b.Columns)]
		for i := range b.Len {
			line, err := rows.Append(nil, i)
			if err != nil {
				return lines, columns, err
			}
			lines = append(lines, string(line))
			for c, v := range b.Columns {
				if b.Fields[c].Layout == vector.Leaf {
					columns[c] = append(columns[c], v.Scalar(i))
				}
			}
		}
		b.Release()
	}
	return lines, columns, nil
}

// A columnTest is a condition on a column, and whether it holds for a value as JSON has it.
type columnTest struct {
	expr  *filter.Expr
	holds func(cell string) bool
}

// columnTests asks for NULLs and values, for a value that no row has, and for what is below or above all.
func columnTests(name string, values []vector.Scalar) (all []columnTest) {
	col := filter.Col(schema.FormatPath([]string{name}))
	all = []columnTest{{col.IsNull(), func(cell string) bool { return cell == "null" }}, {col.IsNotNull(), func(cell string) bool { return cell != "null" }}}
	values = slices.DeleteFunc(values, func(s vector.Scalar) bool { return s.IsNull() || s.String() == "NaN" })
	if len(values) == 0 {
		return all
	}
	never := func(string) bool { return false }
	absent := append(values[0].Plain(), 0)[:max(1, len(values[0].Plain()))]
	absent[0] ^= 0x15
	if s, err := vector.PlainOf(values[0].Type(), absent); err == nil && s.Type().Physical != vector.Boolean && !slices.ContainsFunc(values, s.Equal) {
		all = append(all, columnTest{col.Eq(s), never})
	}
	if _, ordered := values[0].Compare(values[0]); ordered {
		order := func(a, b vector.Scalar) int { o, _ := a.Compare(b); return o }
		all = append(all, columnTest{col.Lt(slices.MinFunc(values, order)), never}, columnTest{col.Gt(slices.MaxFunc(values, order)), never})
	}
	return all
}

// proveFile holds a file's rows to those that its generator wrote down, all and those that pass conditions, each with one
// kind of metadata as proof. It notes the words that its metadata have, and what left pages unread. Encrypted files have
// one key.
func proveFile(t *testing.T, path string, words []string, read, filtered, pruned map[string]bool) {
	keys := scanner.OpenOptions{}
	if strings.Contains(path, "encrypted") {
		keys.Keys = func(context.Context, []byte) ([]byte, error) { return []byte(formatKey), nil }
	}
	f, err := keys.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, columns, err := jsonRows(t, f, nil, knobs.Knobs{}, nil)
	if err != nil {
		read["refused: "+errors.Unwrap(err).Error()] = true
		return
	}
	for _, w := range words {
		if !strings.Contains(metadataOf(t, f), `"`+w+`"`) {
			t.Errorf("%s: its metadata have no %s", path, w)
		}
	}
	text, err := os.ReadFile(strings.TrimSuffix(path, ".parquet") + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if !slices.Equal(got, want) {
		t.Fatalf("%s: rows differ from those of its .jsonl", path)
	}
	read["yes"] = true
	cells := make([]map[string]json.RawMessage, len(want))
	for i, line := range want {
		if err := json.Unmarshal([]byte(line), &cells[i]); err != nil {
			t.Fatal(err)
		}
	}
	for c, n := range f.Schema().Root().Children {
		for _, test := range columnTests(n.Name, columns[c]) {
			var passing []string
			for i, line := range want {
				if test.holds(string(cells[i][n.Name])) {
					passing = append(passing, line)
				}
			}
			for only := range 4 {
				var stats scanner.Stats
				k := knobs.Knobs{NoStatistics: only != 0, NoPageIndex: only != 1, NoBloom: only != 2, NoDictionaries: only != 3}
				got, _, err := jsonRows(t, f, test.expr, k, &stats)
				if err != nil || !slices.Equal(got, passing) {
					t.Fatalf("%s: %s: %d rows, want %d; %v", path, test.expr, len(got), len(passing), err)
				}
				filtered["yes"] = true
				notePruned(pruned, &stats, only)
			}
		}
	}
}

// notePruned adds what left pages unread, of proofs of which only one was on.
func notePruned(pruned map[string]bool, stats *scanner.Stats, only int) {
	for _, c := range stats.Columns {
		for reason := scanner.ByStatistics; reason <= scanner.ByDictionary; reason++ {
			if c.Untouched[reason].Pages > 0 {
				pruned[reason.String()] = true
			}
		}
		if c.Pages[scanner.RejectedByHeader] > 0 {
			pruned["page headers"] = true
		}
		if only == 3 && c.DictionaryPages > 0 && c.Untouched[scanner.Dropped].Pages > 0 {
			pruned[scanner.ByDictionary.String()] = true
		}
	}
}

const formatKey = "0123456789abcdef"

// madeFiles writes the files that the test makes into a folder, each with its rows, by the names that rows of the table
// have for them: whoever reads the samples has no key, and no library knows FILE yet.
func madeFiles(t *testing.T, folder string) {
	numbers := gen.File{Schema: []*gen.Node{gen.Optional("a", gen.Int64)}, All: gen.Column{PageRows: []int{10}}, RowGroups: []gen.RowGroup{{}, {}}}
	for i := range 80 {
		g := &numbers.RowGroups[i/40]
		g.Rows = append(g.Rows, gen.Record{"a": int64(i)})
	}
	files := map[string]gen.File{}
	for i, name := range []string{"gcm", "gcm_signed", "ctr", "ctr_signed"} {
		f := numbers
		f.Encryption = &gen.Encryption{Footer: gen.Key{Bytes: formatKey}, PlainFooter: i%2 == 1, CTR: i >= 2}
		files["encrypted_"+name] = f
	}
	text := gen.StringType()
	file := gen.Optional("f", gen.Group, gen.Required("path", gen.ByteArray).As(text), gen.Optional("offset", gen.Int64), gen.Optional("size", gen.Int64)).As(gen.Logical{Kind: gen.KindFile})
	files["file"] = gen.File{Schema: []*gen.Node{file}, RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"f": gen.Record{"path": "a/b.png", "size": int64(7)}}, gen.Record{}}}}}
	for name, f := range files {
		b, err := f.Write()
		if err != nil {
			t.Fatal(err)
		}
		lines, err := f.JSONLines()
		if err = errors.Join(err, os.WriteFile(filepath.Join(folder, name+".parquet"), b, 0o666), os.WriteFile(filepath.Join(folder, name+".jsonl"), lines, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
}

func listOf(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), ", ") }

// TestFormat: docs/format.md has what scans of this test read, filtered and pruned of the files that its rows name, which
// have the row's words in their footers.
func TestFormat(t *testing.T) {
	const head = "| beside types | since | read | filtered | pruned by | files in `testdata/shapes` | in footers |\n|---|---|---|---|---|---|---|\n"
	text, err := os.ReadFile(formatDocument)
	if err != nil {
		t.Fatal(err)
	}
	_, rows, _ := strings.Cut(string(text), head)
	table, made := head, t.TempDir()
	madeFiles(t, made)
	for row := range strings.Lines(rows) {
		cells := strings.Split(strings.Trim(row, "|\n"), "|")
		if !strings.HasPrefix(row, "|") {
			break
		}
		if len(cells) != 7 {
			t.Fatal(row, "has not 7 cells")
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		read, filtered, pruned := map[string]bool{}, map[string]bool{}, map[string]bool{}
		pattern, words := strings.Trim(cells[5], "`"), strings.Fields(cells[6])
		folder := "../../../testdata/shapes"
		if name, own := strings.CutPrefix(pattern, "made: "); own {
			folder, pattern = made, name
		}
		paths, err := filepath.Glob(filepath.Join(folder, pattern+".parquet"))
		if err != nil || len(paths) == 0 {
			t.Fatal(row, err)
		}
		for _, path := range paths {
			proveFile(t, path, words, read, filtered, pruned)
		}
		cells[2], cells[3], cells[4] = listOf(read), listOf(filtered), listOf(pruned)
		table += "| " + strings.Join(cells, " | ") + " |\n"
	}
	if strings.Count(table, "\n") < 40 {
		t.Fatal(formatDocument, "lacks rows")
	}
	dtest.Table(t, formatDocument, table)
}
