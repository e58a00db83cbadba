package restriction

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift/wire"
)

func all(*schema.Node) bool { return true }

// The middles of row groups are those by which scanner.Options.Split assigns them: any range of
// bytes holds the same row groups.
func TestMiddles(t *testing.T) {
	paths, err := filepath.Glob("../../../../testdata/*.parquet")
	if err != nil || len(paths) < 3 {
		t.Fatal(paths, err)
	}
	more, err := filepath.Glob("../../../../testdata/shapes/*.parquet")
	if err != nil || len(more) < 3 {
		t.Fatal(more, err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	several := 0
	for _, path := range append(paths, more...) {
		f, err := scanner.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		groups, err := Groups(f, all)
		if err != nil {
			t.Fatal(err)
		}
		if len(groups) > 1 {
			several++
		}
		size := f.Source().Size()
		for range dtest.Rounds(t, 10) {
			a, b := rng.Int64N(size), rng.Int64N(size+1)
			split := fetch.Range{Off: min(a, b), Len: max(a, b) - min(a, b)}
			if split.Len == 0 {
				continue
			}
			want, err := f.Count(t.Context(), scanner.Options{Split: split})
			if err != nil {
				t.Fatal(err)
			}
			got := Restriction{From: Position{Byte: split.Off}, To: Position{Byte: split.End()}}.Rows(groups).Len()
			if got != want {
				t.Fatalf("%s: %v has %d rows, the scan finds %d", path, split, got, want)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if several == 0 {
		t.Error("no file has several row groups")
	}
}

// file writes a file of three row groups of 40 rows.
func file(t *testing.T, change func(*gen.File)) *scanner.File {
	t.Helper()
	g := &gen.File{Schema: []*gen.Node{gen.Required("a", gen.Int64), gen.Required("b", gen.Int32)}}
	for range 3 {
		var rows []any
		for i := range 40 {
			rows = append(rows, gen.Record{"a": int64(i), "b": int32(i)})
		}
		g.RowGroups = append(g.RowGroups, gen.RowGroup{Rows: rows, Columns: []gen.Column{{PageRows: []int{7}}, {PageRows: []int{15}}}})
	}
	change(g)
	data, err := g.Write()
	if err != nil {
		t.Fatal(err)
	}
	f, err := scanner.OpenSource(t.Context(), "f", fetch.FromBytes(data))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// PageRows are those of the largest column that is read, has an offset index and a number of pages.
func TestPageRows(t *testing.T) {
	f := file(t, func(*gen.File) {})
	groups, err := Groups(f, all)
	if err != nil {
		t.Fatal(err)
	}
	bytes := int64(0)
	for leaf := range f.Schema().Leaves() {
		c, err := f.Chunk(0, leaf)
		if err != nil {
			t.Fatal(err)
		}
		bytes += c.Meta.CompressedSize
	}
	if groups[0].Bytes != bytes {
		t.Errorf("%d bytes, the footer says %d", groups[0].Bytes, bytes)
	}

	onlyB := func(n *schema.Node) bool { return n.Name == "b" }
	eachChunk := func(change func(*wire.ColumnChunk)) func(*gen.File) {
		return func(g *gen.File) {
			g.Footer = func(m *wire.FileMetaData) {
				for _, rg := range m.RowGroups {
					change(rg.Columns[0])
				}
			}
		}
	}
	for name, c := range map[string]struct {
		read   func(*schema.Node) bool
		change func(*gen.File)
		want   int64
	}{
		"six pages of 7 rows":      {all, func(*gen.File) {}, 7},
		"three pages of 15 rows":   {onlyB, func(*gen.File) {}, 14},
		"no column":                {func(*schema.Node) bool { return false }, func(*gen.File) {}, 0},
		"no offset index":          {all, func(g *gen.File) { g.All.Index = gen.NoIndex }, 0},
		"none of the largest":      {all, eachChunk(func(c *wire.ColumnChunk) { c.OffsetIndexOffset, c.OffsetIndexLength = nil, nil }), 14},
		"no number of pages":       {all, eachChunk(func(c *wire.ColumnChunk) { c.MetaData.EncodingStats = nil }), 14},
		"a negative number":        {all, eachChunk(func(c *wire.ColumnChunk) { c.MetaData.EncodingStats[0].Count = -1 }), 14},
		"more pages than rows":     {all, eachChunk(func(c *wire.ColumnChunk) { c.MetaData.EncodingStats[0].Count = math.MaxInt32 }), 1},
		"only pages of dictionary": {all, eachChunk(func(c *wire.ColumnChunk) { c.MetaData.EncodingStats[0].PageType = wire.PageType_DICTIONARY_PAGE }), 14},
	} {
		groups, err := Groups(file(t, c.change), c.read)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			if g.PageRows != c.want {
				t.Errorf("%s: row group %d has %d rows a page, want %d", name, g.RowGroup, g.PageRows, c.want)
			}
		}
	}
}

// Numbers of rows that cannot be are an error, and no place in the file is wrong for it.
func TestRowCounts(t *testing.T) {
	for name, rows := range map[string]int64{"negative": -1, "endless": math.MaxInt64} {
		f := file(t, func(g *gen.File) {
			g.Footer = func(m *wire.FileMetaData) { m.RowGroups[1].NumRows = rows }
		})
		var at *scanner.Error
		if _, err := Groups(f, all); !errors.Is(err, scanner.ErrCorrupt) || !errors.As(err, &at) || at.File != "f" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Row groups that the footer lists twice have positions one after the other.
func TestSameMiddle(t *testing.T) {
	f := file(t, func(g *gen.File) {
		g.Footer = func(m *wire.FileMetaData) { m.RowGroups = append(m.RowGroups, m.RowGroups[0], m.RowGroups[0]) }
	})
	groups, err := Groups(f, all)
	if err != nil {
		t.Fatal(err)
	}
	var numbers, before []int64
	for _, g := range groups {
		numbers, before = append(numbers, int64(g.RowGroup)), append(before, g.Before)
	}
	if !slices.Equal(numbers, []int64{0, 3, 4, 1, 2}) || !slices.Equal(before, []int64{0, 40, 80, 0, 0}) {
		t.Errorf("row groups %v, after %v rows", numbers, before)
	}
	parts := Whole(fetch.Identity{Size: f.Source().Size()}).Split(groups, 1)
	rows := int64(0)
	for i, p := range parts {
		if i > 0 && parts[i-1].To != p.From {
			t.Errorf("part %d starts at %v", i, p.From)
		}
		rows += p.Rows(groups).Len()
	}
	if len(parts) != 5 || rows != 200 {
		t.Errorf("%d parts with %d rows", len(parts), rows)
	}
}
