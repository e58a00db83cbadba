package cli

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/gen"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// verifiable is a file with all that verify holds against values: of integers, strings, floats and lists.
func verifiable() *gen.File {
	f := &gen.File{
		All: gen.Column{Stats: gen.MinMax | gen.NullCount | gen.NaNCount | gen.Exactness, PageRows: []int{10}, Bloom: 256, SizeStats: true},
		Schema: []*gen.Node{
			gen.Required("k", gen.Int64),
			gen.Optional("s", gen.ByteArray).As(gen.StringType()),
			gen.Optional("f", gen.Double),
			gen.List("tags", gen.Optional("element", gen.ByteArray).As(gen.StringType())),
		},
	}
	for g := range 2 {
		var rows []any
		for i := range 40 {
			row := gen.Record{"k": int64(100*g + i), "f": float64(i) / 4, "tags": []any{"a", nil, "b"}[:i%4]}
			if i%3 > 0 {
				row["s"] = "text " + strings.Repeat("x", i%7)
			}
			if i%11 == 5 {
				row["f"] = math.NaN()
			}
			rows = append(rows, row)
		}
		f.RowGroups = append(f.RowGroups, gen.RowGroup{Rows: rows, Columns: make([]gen.Column, 4)})
	}
	return f
}

// What a file says wrong of itself is found, and nothing else.
func TestVerify(t *testing.T) {
	int64At := func(n int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n)) }
	const k, s, f, tags = 0, 1, 2, 3
	statistics := func(leaf int, change func(*wire.Statistics)) func(*gen.File) {
		return func(f *gen.File) {
			f.RowGroups[1].Columns[leaf].Meta = func(c *wire.ColumnChunk) { change(c.MetaData.Statistics) }
		}
	}
	index := func(leaf int, change func(*wire.ColumnIndex)) func(*gen.File) {
		return func(f *gen.File) { f.RowGroups[1].Columns[leaf].ColumnIndex = change }
	}
	offsets := func(leaf int, change func(*wire.OffsetIndex)) func(*gen.File) {
		return func(f *gen.File) { f.RowGroups[1].Columns[leaf].OffsetIndex = change }
	}
	for _, c := range []struct {
		name   string
		change func(*gen.File)
		path   string // of the finding; none if it is ""
		text   string
	}{
		{"right", func(*gen.File) {}, "", ""},
		{"min", statistics(k, func(s *wire.Statistics) { s.MinValue = int64At(101) }), "k", "statistics: min 101, there is 100"},
		{"max", statistics(k, func(s *wire.Statistics) { s.MaxValue = int64At(138) }), "k", "statistics: max 138, there is 139"},
		{"not exact", statistics(k, func(s *wire.Statistics) { s.MinValue = int64At(99) }), "k", "statistics: min 99, which is exact, it says; the least value is 100"},
		{"inverted", statistics(k, func(s *wire.Statistics) { s.MinValue = int64At(1000) }), "k", "statistics: min is above max"},
		{"nulls", statistics(s, func(s *wire.Statistics) { *s.NullCount = 13 }), "s", "statistics: 13 nulls, there are 14"},
		{"many nulls", statistics(s, func(s *wire.Statistics) { *s.NullCount = 41 }), "s", "statistics: 41 nulls, there are 14"},
		{"nulls of lists", statistics(tags, func(s *wire.Statistics) { *s.NullCount = 20 }), "tags.list.element", "statistics: 20 nulls, there are 30"},
		{"NaNs", statistics(f, func(s *wire.Statistics) { *s.NanCount = 3 }), "f", "statistics: 3 NaNs, there are 4"},
		{"page max", index(k, func(x *wire.ColumnIndex) { x.MaxValues[1] = int64At(118) }), "k", "column index: max 118, there is 119"},
		{"page min", index(tags, func(x *wire.ColumnIndex) { x.MinValues[3] = []byte("aa") }), "tags.list.element", "column index: min aa, there is a"},
		{"page nulls", index(s, func(x *wire.ColumnIndex) { x.NullCounts[1]-- }), "s", "column index: 2 nulls, there are 3"},
		{"order", index(k, func(x *wire.ColumnIndex) { x.BoundaryOrder = wire.BoundaryOrder_DESCENDING }), "k", "column index: bounds are DESCENDING, it says, but not those of this page and the one before"},
		{"page place", offsets(k, func(x *wire.OffsetIndex) { x.PageLocations[3].Offset++; x.PageLocations[3].CompressedPageSize-- }), "k", "offset index: the page is at"},
		{"page size", offsets(k, func(x *wire.OffsetIndex) { x.PageLocations[1].CompressedPageSize-- }), "k", "offset index: a page of"},
		{"first row", offsets(tags, func(x *wire.OffsetIndex) { x.PageLocations[1].FirstRowIndex = 0 }), "tags.list.element", "offset index: page 1 starts with row 0"},
		{"rows", func(f *gen.File) { f.Footer = func(m *wire.FileMetaData) { m.NumRows = 81 } }, "", "footer: 81 rows, those of the row groups are 80"},
		{"size", func(f *gen.File) {
			f.RowGroups[1].Columns[k].Meta = func(c *wire.ColumnChunk) { c.MetaData.TotalUncompressedSize++ }
			f.RowGroups[1].Meta = func(g *wire.RowGroup) { g.TotalByteSize++ }
		}, "k", "bytes decompressed, the footer says"},
		{"encodings", func(f *gen.File) {
			f.RowGroups[1].Columns[k].Meta = func(c *wire.ColumnChunk) { c.MetaData.Encodings = []wire.Encoding{wire.Encoding_RLE} }
		}, "k", "page in encoding PLAIN, which is not among the footer's"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := verifiable()
			c.change(file)
			b, err := file.Write()
			if err != nil {
				t.Fatal(err)
			}
			verifies(t, b, c.path, c.text, c.text != "")
		})
	}
	t.Run("Bloom filter", func(t *testing.T) {
		w, err := verifiable().Build()
		if err != nil {
			t.Fatal(err)
		}
		at := *w.Footer.RowGroups[1].Columns[k].MetaData.BloomFilterOffset
		clear(w.Bytes[at+64 : at+200])
		verifies(t, w.Bytes, "k", "Bloom filter: without the value 1", true)
	})
}

// verifies expects findings of one kind of a file, or none, and that the exit code tells.
func verifies(t *testing.T, file []byte, path, text string, any bool) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "f.parquet")
	if err := os.WriteFile(name, file, 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := runScan(t, t.Context(), "verify", name)
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	var sum verifiedRecord
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &sum); err != nil || sum.Kind != "file" || sum.Rows != 80 || sum.Values < 300 || sum.Pages < 32 {
		t.Fatalf("%v: %s", err, stdout)
	}
	if found := len(lines) - 1; int64(found) != sum.Faults+sum.Flaws || any != (found > 0) {
		t.Errorf("%d findings, %+v", found, sum)
	}
	for _, line := range lines[:len(lines)-1] {
		var found defectRecord
		if err := json.Unmarshal([]byte(line), &found); err != nil || found.Path != path || !strings.Contains(found.Text, text) {
			t.Errorf("%s (%v), want %s: %s", line, err, path, text)
		}
	}
	if bad := sum.Faults > 0; bad != (code == exitBadFile) || bad != strings.HasSuffix(stderr, ": "+"1 fault\n") && bad != strings.HasSuffix(stderr, " faults\n") {
		t.Errorf("exit code %d with %d faults: %s", code, sum.Faults, stderr)
	}
}

// The sample files say nothing wrong of themselves, but for those that are made so.
func TestSamplesVerify(t *testing.T) {
	faulty := []string{
		"index_garbage", "index_inverted", "index_negative", "index_outside", "index_place", "index_rows_descend",
		"index_short_lists", "index_short_offsets", "index_sizes", "pages_v2_nulls", "rows_footer_zero",
	}
	seen := 0
	for _, name := range sampleFiles(t, "../../testdata") {
		if strings.Contains(filepath.ToSlash(name), "/bad/") {
			continue
		}
		stdout, stderr, code := runScan(t, t.Context(), "verify", name)
		wrong := false
		for _, f := range faulty {
			wrong = wrong || filepath.Base(name) == f+".parquet"
		}
		if wrong != (code != 0) {
			t.Errorf("%s: %s%s", name, stdout, stderr)
		}
		seen++
	}
	if seen < 100 {
		t.Error("too few files")
	}
}
