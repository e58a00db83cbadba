package pageindex

import (
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// Where a part of a leaf's metadata is wrong, nothing is made of it, that is
// told, and the other leaf's is used.
func TestInvalidParts(t *testing.T) {
	for _, test := range []struct {
		column  func(c *gen.Column)
		part    MetadataPart
		want    string
		left    int64 // of "up < 10 AND down > 70", of which down alone leaves 35 rows
		offsets bool
	}{
		{func(c *gen.Column) {}, 0, "", 10, true},
		{func(c *gen.Column) {
			c.OffsetIndex = func(x *wire.OffsetIndex) { x.PageLocations[3].FirstRowIndex = 1 }
		},
			OffsetIndex, "offset index: page 3 starts with row 1, the page before with 20", 35, false},
		{func(c *gen.Column) { c.OffsetIndex = func(x *wire.OffsetIndex) { x.PageLocations[0].Offset = 0 } },
			OffsetIndex, "offset index: page 0 at offset 0 lies before 4", 35, false},
		{func(c *gen.Column) { c.Meta = func(m *wire.ColumnChunk) { m.MetaData.DataPageOffset++ } },
			OffsetIndex, "offset index: pages from offset 4 to", 35, false},
		{func(c *gen.Column) { c.Meta = func(m *wire.ColumnChunk) { m.MetaData.TotalCompressedSize-- } },
			OffsetIndex, "offset index: pages from offset 4 to", 35, false},
		{func(c *gen.Column) { c.ColumnIndex = func(x *wire.ColumnIndex) { x.MinValues = x.MinValues[1:] } },
			ColumnIndex, "column index: min_values has 9 entries for 10 pages", 35, true},
		{func(c *gen.Column) { c.Meta = func(m *wire.ColumnChunk) { *m.OffsetIndexLength = -4 } },
			OffsetIndex, "offset index of -4 bytes at offset", 35, false},
		{func(c *gen.Column) { c.Meta = func(m *wire.ColumnChunk) { *m.ColumnIndexOffset = 1 << 60 } },
			ColumnIndex, "column index of", 35, true},
		{func(c *gen.Column) { c.Meta = func(m *wire.ColumnChunk) { *m.ColumnIndexLength -= 9 } },
			ColumnIndex, "column index, byte", 35, true},
		{func(c *gen.Column) { c.Meta = func(m *wire.ColumnChunk) { *m.OffsetIndexLength = 20 } },
			OffsetIndex, "offset index, byte 1: the bytes end inside a value", 35, false},
		{func(c *gen.Column) { c.Meta = func(m *wire.ColumnChunk) { m.MetaData.NumValues = 99 } },
			ChunkStatistics, "column chunk of 99 values in a row group of 100 rows", 35, false},
		{func(c *gen.Column) { c.Index = gen.OffsetIndex }, 0, "", 35, false},
		{func(c *gen.Column) { c.Index = gen.ColumnIndex }, 0, "", 35, false},
	} {
		s := sampleOf(t, ascending(func(f *gen.File) { test.column(&f.RowGroups[0].Columns[0]) }))
		j := s.judge(t, s.bind(t, "up < 10 AND down > 70"), s.group(0), Options{})
		var got string
		var part MetadataPart
		for _, x := range j.Pruned().Invalid {
			got, part = got+x.Err.Error(), x.Part
			if x.Leaf.Name != "up" {
				t.Errorf("%s is said to be wrong", x.Leaf)
			}
		}
		if part != test.part || got == "" != (test.want == "") || !strings.HasPrefix(got, test.want) || j.Rows().Len() != test.left {
			t.Errorf("%d rows are left, wrong is the %v: %s\nwant %d, the %v: %s", j.Rows().Len(), part, got, test.left, test.part, test.want)
		}
		if got := j.Offsets(s.schema.Leaves()[0]) != nil; got != test.offsets {
			t.Errorf("%s: offsets are there: %v", test.want, got)
		}
	}
}
