package cli

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// The columns of verifiable.
const (
	inK = iota
	inS
	inF
	inTags
	inD
	inSku
	inCount
	inFixed
	inJSON
	inKind
	inPlace
	inNone
	inMoney
	inClock
	inSmall
)

// verifiable is a file with all that verify holds against values.
func verifiable() *gen.File {
	text := gen.StringType()
	f := &gen.File{
		All:       gen.Column{Stats: gen.MinMax | gen.NullCount | gen.NaNCount | gen.Exactness | gen.Distinct, PageRows: []int{10}, Bloom: 256, SizeStats: true},
		KeyValues: map[string]string{"one": "1", "two": "2"},
		Schema: []*gen.Node{
			gen.Required("k", gen.Int64).ID(1),
			gen.Optional("s", gen.ByteArray).As(text).ID(2),
			gen.Optional("f", gen.Double),
			gen.List("tags", gen.Optional("element", gen.ByteArray).As(text)),
			gen.Optional("d", gen.ByteArray).As(text),
			gen.List("items", gen.Optional("element", gen.Group, gen.Optional("sku", gen.ByteArray).As(text), gen.Required("count", gen.Int32))),
			gen.Required("fixed", gen.FixedLenByteArray).Len(4),
			gen.Optional("json", gen.ByteArray).As(gen.JSONType()),
			gen.Required("kind", gen.ByteArray).As(gen.EnumType()),
			gen.Optional("place", gen.ByteArray).As(gen.Logical{Kind: gen.KindGeometry}),
			gen.Optional("none", gen.Int32).As(gen.UnknownType()),
			gen.Optional("money", gen.FixedLenByteArray).Len(3).As(gen.DecimalType(4, 2)),
			gen.Optional("clock", gen.Int32).As(gen.TimeType(gen.Millis, true)),
			gen.Optional("small", gen.Int32).As(gen.IntType(8, false)),
		},
	}
	for g := range 2 {
		var rows []any
		for i := range 40 {
			row := gen.Record{
				"k": int64(100*g + i), "f": float64(i) / 4, "tags": []any{"a", nil, "b"}[:i%4], "fixed": fmt.Sprintf("%04d", i*i),
				"money": "\xff\xff" + string(rune(i)), "clock": i, "small": i, "kind": []string{"big", "small"}[i/20], "json": `{"a":1}`, "place": point(float64(i), float64(2*i)),
			}
			if i%3 > 0 {
				row["s"] = "text " + strings.Repeat("x", i%7)
				row["d"] = []string{"blue", "green", "red"}[i/2%3]
				row["items"] = []any{gen.Record{"sku": "a", "count": i}, nil, gen.Record{"count": 7}}[:i%4]
			}
			if i >= 10 && i < 20 {
				delete(row, "json")
			}
			if i%11 == 5 {
				row["f"] = math.NaN()
			}
			rows = append(rows, row)
		}
		columns := make([]gen.Column, inSmall+1)
		columns[inD].Shape = gen.Shape{Encoding: gen.Dictionary, Version: 2}
		columns[inNone].SizeStats = false
		columns[inPlace].Meta = func(c *wire.ColumnChunk) {
			c.MetaData.GeospatialStatistics = &wire.GeospatialStatistics{Bbox: &wire.BoundingBox{Xmax: 39, Ymax: 78}, GeospatialTypes: []int32{1}}
		}
		f.RowGroups = append(f.RowGroups, gen.RowGroup{Rows: rows, Columns: columns, Meta: func(g *wire.RowGroup) {
			g.SortingColumns = []*wire.SortingColumn{{ColumnIdx: inKind}, {ColumnIdx: inK}}
		}})
	}
	return f
}

// point is a point as WKB.
func point(x, y float64) string {
	b := []byte{1, 1, 0, 0, 0}
	return string(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, math.Float64bits(x)), math.Float64bits(y)))
}

// What a file says wrong of itself is found, and nothing else.
func TestVerify(t *testing.T) {
	lies := slices.Concat(liesOfFooters(), liesOfStatistics(), liesOfIndexes(), liesOfPages())
	if len(lies) < 60 {
		t.Errorf("%d lies", len(lies))
	}
	for _, c := range append(lies, lie{name: "right", change: func(*gen.File) {}}) {
		t.Run(c.name, func(t *testing.T) {
			file := verifiable()
			c.change(file)
			w, err := file.Build()
			if err != nil {
				t.Fatal(err)
			}
			if c.bytes != nil {
				c.bytes(w)
			}
			c.isFound(t, w.Bytes)
		})
	}
}

// lie is something that verify must find.
type lie struct {
	name   string
	change func(*gen.File)
	bytes  func(gen.Written) // changes what was written; may be nil
	path   string            // of all findings
	text   string            // in the first finding; none if it is ""
	also   string            // in all further findings
}

// isFound expects the findings of a lie, and that the exit code tells.
func (c lie) isFound(t *testing.T, file []byte) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "f.parquet")
	if err := os.WriteFile(name, file, 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := runScan(t, t.Context(), "verify", name)
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	var sum struct {
		Kind                               string
		Pages, Rows, Values, Faults, Flaws int64
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &sum); err != nil || sum.Kind != "file" || sum.Rows != 80 || sum.Values < 700 || sum.Pages < 80 {
		t.Fatalf("%v: %s", err, stdout)
	}
	if found := len(lines) - 1; int64(found) != sum.Faults+sum.Flaws || (c.text != "") != (found > 0) {
		t.Errorf("%d findings, %+v", found, sum)
	}
	for i, line := range lines[:len(lines)-1] {
		text := c.text
		if i > 0 && c.also != "" {
			text = c.also
		}
		var found struct{ Path, Text string }
		if err := json.Unmarshal([]byte(line), &found); err != nil || found.Path != c.path && i == 0 || !strings.Contains(found.Text, text) {
			t.Errorf("%s (%v), want %s: %s", line, err, c.path, text)
		}
	}
	if bad := sum.Faults > 0; bad != (code == exitBadFile) || bad != strings.HasSuffix(stderr, ": "+"1 fault\n") && bad != strings.HasSuffix(stderr, " faults\n") {
		t.Errorf("exit code %d with %d faults: %s", code, sum.Faults, stderr)
	}
}

// Sample files of our own, by other writers, and of the shared corpus say nothing wrong of
// themselves, but for those that are made so.
func TestSamplesVerify(t *testing.T) {
	faulty := map[string][]string{
		"../../testdata": {
			"index_garbage", "index_inverted", "index_negative", "index_outside", "index_place", "index_rows_descend",
			"index_short_lists", "index_short_offsets", "index_sizes", "pages_v2_nulls", "rows_footer_zero",
		},
		"../../../shared/corpus/parquet-testing/data": {
			"datapage_v1-corrupt-checksum", "datapage_v1-snappy-compressed-checksum", "datapage_v1-uncompressed-checksum", // null_pages of pages with values
			"repeated_no_annotation", "rle-dict-uncompressed-corrupt-checksum",
		},
	}
	for dir, faulty := range faulty {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			seen := 0
			for _, name := range dtest.SampleFiles(t, dir) {
				if strings.Contains(filepath.ToSlash(name), "/bad/") || strings.Contains(name, "large_string_map") { // two keys of 1 GiB
					continue
				}
				stdout, stderr, code := runScan(t, t.Context(), "verify", name)
				base, _, _ := strings.Cut(filepath.Base(name), ".parquet")
				if slices.Contains(faulty, base) != (code != 0) {
					t.Errorf("%s: %s%s", name, stdout, stderr)
				}
				seen++
			}
			if seen < 60 {
				t.Error("too few files")
			}
		})
	}
}
