package restriction

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/dtest"
	"github.com/winnow-scan/winnow/internal/gen"
	"github.com/winnow-scan/winnow/internal/rawmeta"
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

// Pages are those of the largest column that is read, found in one request; of groups outside the
// restriction, and of indexes that are broken, there are none.
func TestFindPages(t *testing.T) {
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
	r := Restriction{From: groups[0].At(39), To: groups[2].At(0)}
	if err := FindPages(t.Context(), f, groups, r, all); err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]int64{{0, 7, 14, 21, 28, 35}, {0, 7, 14, 21, 28, 35}, nil} {
		if !slices.Equal(groups[i].Pages, want) {
			t.Errorf("group %d has pages at %v", i, groups[i].Pages)
		}
	}
	onlyB := func(n *schema.Node) bool { return n.Name == "b" }
	if groups, err = Groups(f, onlyB); err != nil {
		t.Fatal(err)
	}
	source := fetch.Record(f.Source())
	again, err := scanner.OpenSource(t.Context(), "f", source)
	if err != nil {
		t.Fatal(err)
	}
	source.Take()
	if err := FindPages(t.Context(), again, groups, Restriction{To: Position{Byte: math.MaxInt64}}, onlyB); err != nil {
		t.Fatal(err)
	}
	if calls := source.Take(); len(calls) != 1 || len(calls[0]) != 3 {
		t.Errorf("it asked for %v", calls)
	}
	c, err := f.Chunk(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	index, err := rawmeta.OffsetIndex(t.Context(), f, c)
	if err != nil || len(index.Pages) != len(groups[2].Pages) || index.Pages[1].FirstRow != groups[2].Pages[1] {
		t.Errorf("%v: the offset index has %v, %v", groups[2].Pages, index, err)
	}

	for name, change := range map[string]func(*gen.File){
		"none": func(g *gen.File) { g.All.Index = gen.NoIndex },
		"descending": func(g *gen.File) {
			g.All.OffsetIndex = func(x *wire.OffsetIndex) { x.PageLocations[1].FirstRowIndex = 39 }
		},
		"negative": func(g *gen.File) {
			g.All.OffsetIndex = func(x *wire.OffsetIndex) { x.PageLocations[0].FirstRowIndex = -1 }
		},
		"elsewhere": func(g *gen.File) {
			g.Footer = func(m *wire.FileMetaData) {
				for _, rg := range m.RowGroups {
					for _, c := range rg.Columns {
						*c.OffsetIndexOffset = math.MaxInt64 - 5
					}
				}
			}
		},
	} {
		f := file(t, change)
		groups, err := Groups(f, all)
		if err != nil {
			t.Fatal(err)
		}
		if err := FindPages(t.Context(), f, groups, Restriction{To: Position{Byte: math.MaxInt64}}, all); err != nil || groups[1].Pages != nil {
			t.Errorf("%s: %v, pages %v", name, err, groups[1].Pages)
		}
	}

	ended, end := context.WithCancel(t.Context())
	end()
	if err := FindPages(ended, f, groups, Restriction{To: Position{Byte: math.MaxInt64}}, all); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
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
