package column

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// TestClaimedSlots has a row of very many items in a few bytes: two runs of
// levels. Of so many that a row of NULL lists may have it is read, else refused.
func TestClaimedSlots(t *testing.T) {
	for _, n := range []int{1 << 20, 1 << 25} {
		run := func(n int, level byte) []byte { return append(binary.AppendUvarint(nil, uint64(n)<<1), level) }
		p := gen.Page{
			Shape:      gen.Shape{Version: 2},
			Data:       gen.Data{Rep: []uint32{0}, Def: []uint32{0}, Values: []int64{}},
			RepBytes:   append(run(1, 0), run(n-1, 1)...),
			DefBytes:   run(n, 1),
			ValueBytes: []byte{},
			Header: func(h *wire.PageHeader) {
				h.DataPageHeaderV2.NumValues, h.DataPageHeaderV2.NumNulls = int32(n), int32(n)
			},
		}
		f := gen.File{
			Schema: []*gen.Node{gen.Repeated("a", gen.Group, gen.Optional("b", gen.Int64))},
			RowGroups: []gen.RowGroup{{Columns: []gen.Column{{Index: gen.NoIndex, Pages: []gen.Page{p}, Meta: func(c *wire.ColumnChunk) {
				c.MetaData.NumValues = int64(n)
			}}}}},
		}
		src, raw, err := must[*file](t)(openFile(must[[]byte](t)(f.Write()))).source(0, 0, false)
		if err != nil {
			t.Fatal(err)
		}
		var chunk Chunk
		var cur Cursor
		var l Levels
		if err := chunk.Reset(src); err != nil {
			t.Fatal(err)
		}
		cur.Open(&chunk, &memory{chunk: raw}, Options{})
		cur.Window(1)
		l.Reset(src.Leaf.Type)
		switch err := cur.ReadLevels(nil, &l); {
		case n <= maxSlots && (err != nil || l.Slots != n):
			t.Errorf("%d items: %d slots, %v", n, l.Slots, err)
		case n > maxSlots && !errors.Is(err, corrupt.Unsupported):
			t.Errorf("%d items: %v", n, err)
		}
	}
}
