package column

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// TestStringsAreReleased reads strings again and again, and releases them: no
// memory for them may be made after the first time.
func TestStringsAreReleased(t *testing.T) {
	rows := make([]any, 20_000)
	for i := range rows {
		rows[i] = gen.Record{"a": fmt.Sprintf("a string that does not fit into a view, number %d", i)}
		if i%100 == 7 {
			rows[i] = gen.Record{}
		}
	}
	for _, encoding := range []gen.Encoding{gen.Plain, gen.DeltaLengthByteArray, gen.DeltaByteArray} {
		for _, share := range []int{1, 2, 20} {
			col := gen.Column{Shape: gen.Shape{Encoding: encoding}, Codec: gen.Snappy, PageRows: []int{4000}}
			f := gen.File{Schema: []*gen.Node{gen.Optional("a", gen.ByteArray)}, RowGroups: []gen.RowGroup{{Rows: rows, Columns: []gen.Column{col}}}}
			src, raw, err := must[*file](t)(openFile(must[[]byte](t)(f.Write()))).source(0, 0, true)
			if err != nil {
				t.Fatal(err)
			}
			var chunk Chunk
			var cur Cursor
			if err := chunk.Reset(src); err != nil {
				t.Fatal(err)
			}
			var sel Selection
			sel.Clear(5000)
			for i := 0; i < 5000; i += share {
				sel.SetRange(i, i+1)
			}
			var batches [3]vector.Vector // as many are out at a time
			scan := func() {
				cur.Open(&chunk, &memory{chunk: raw}, Options{})
				for i := 0; cur.At() < src.Rows; i++ {
					dst := &batches[i%len(batches)]
					cur.Release(dst)
					build.Reset(dst, src.Leaf.Type)
					cur.Window(cur.At() + 5000)
					if err := cur.Read(&sel, dst); err != nil {
						t.Fatal(err)
					}
					cur.Advance(cur.At() + 5000)
				}
			}
			scan()
			scan()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range 10 {
				scan()
			}
			runtime.ReadMemStats(&after)
			bytes := (after.TotalAlloc - before.TotalAlloc) / 10
			if page := uint64(4000 * 50); bytes > page/4 {
				t.Errorf("encoding %d, one in %d: %d bytes for a scan", encoding, share, bytes)
			}
		}
	}
}
