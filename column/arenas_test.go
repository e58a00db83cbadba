package column

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
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

// TestSharedPrefixesDoNotAddUp reads and tests strings of a page whose body has few bytes
// of them: what is alive must be a window's, or a block's, not all of the page.
func TestSharedPrefixesDoNotAddUp(t *testing.T) {
	const rows, window, length = 8192, 512, 4 << 10
	texts := make([]string, rows)
	for i := range texts {
		texts[i] = strings.Repeat("x", length) + strconv.Itoa(i)
	}
	col := gen.Column{Data: &gen.Data{Values: texts}, Shape: gen.Shape{Encoding: gen.DeltaByteArray}, PageRows: []int{rows}}
	f := gen.File{Schema: []*gen.Node{gen.Required("a", gen.ByteArray)}, RowGroups: []gen.RowGroup{{Columns: []gen.Column{col}}}}
	src, raw, err := must[*file](t)(openFile(must[[]byte](t)(f.Write()))).source(0, 0, true)
	if err != nil {
		t.Fatal(err)
	}
	var most uint64
	measure := func() {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
	}
	calls := 0
	odd := pred.By(func(v *vector.Vector, sel []uint64) {
		if calls++; calls%4 == 0 {
			measure()
		}
		for i := range v.Len {
			if b := v.Bytes(i); b[len(b)-1]%2 == 0 {
				bits.Clear(sel, i)
			}
		}
	})
	for name, size := range map[string]int{"read": window, "filter": rows, "filter what is left": rows} {
		var chunk Chunk
		var cur Cursor
		var dst vector.Vector
		if err := chunk.Reset(src); err != nil {
			t.Fatal(err)
		}
		cur.Open(&chunk, &memory{chunk: raw}, Options{})
		most = 0
		measure()
		before := most
		for cur.At() < src.Rows {
			n := min(size, int(src.Rows-cur.At()))
			cur.Window(cur.At() + int64(n))
			build.Reset(&dst, src.Leaf.Type)
			var sel Selection
			sel.Fill(n)
			want := n
			switch name {
			case "filter":
				err, want = cur.Filter(&sel, odd), n/2
			case "filter what is left":
				for i := range n {
					if i%20 != 0 {
						bits.Clear(sel.Bits, i)
					}
				}
				sel.Changed()
				err, want = cur.Filter(&sel, odd), 0
			default:
				err = cur.Read(&sel, &dst)
			}
			if err != nil || sel.Count() != want {
				t.Fatalf("%s: %d of %d rows, %v", name, sel.Count(), n, err)
			}
			for i, row := 0, 0; i < dst.Len; i, row = i+1, row+1 {
				row = bits.Next(sel.Bits, row, n)
				if string(dst.Bytes(i)) != texts[int(cur.At())+row] {
					t.Fatalf("%s: row %d differs", name, row)
				}
			}
			cur.Advance(cur.At() + int64(n))
			measure()
		}
		if most-before > rows*length/2 {
			t.Errorf("%s: %d bytes alive", name, most-before)
		}
	}
}
