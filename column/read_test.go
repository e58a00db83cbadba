package column

import (
	"fmt"
	"testing"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// Few strings of a page are copied, unless the page is kept for others.
func TestWhatIsCopied(t *testing.T) {
	const rows, half = 1000, 500
	values := make([]string, rows)
	for i := range values {
		values[i] = fmt.Sprintf("a string that does not fit into a view, number %d", i)
	}
	col := gen.Column{Data: &gen.Data{Values: values}, Codec: gen.Snappy}
	f := gen.File{Schema: []*gen.Node{gen.Required("a", gen.ByteArray)}, RowGroups: []gen.RowGroup{{Columns: []gen.Column{col}}}}
	src, raw, err := must[*file](t)(openFile(must[[]byte](t)(f.Write()))).source(0, 0, true)
	if err != nil {
		t.Fatal(err)
	}
	var chunk Chunk
	if err := chunk.Reset(src); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		first, second int // one in so many rows of each half of the page
		force         Choice
		copied        [2]bool
	}{
		{1, 5, ByCost, [2]bool{false, false}},
		{3, 5, ByCost, [2]bool{false, false}},
		{5, 5, ByCost, [2]bool{true, true}},
		{5, 1, ByCost, [2]bool{true, false}},
		{1, 5, Always, [2]bool{false, true}}, // all of a window's rows are never copied
		{5, 5, Never, [2]bool{false, false}},
	} {
		var cur Cursor
		cur.Open(&chunk, &memory{chunk: raw}, Options{Force: Force{Copy: tc.force}})
		var bodies [2]int // bytes of what the vectors point into
		var vectors [2]vector.Vector
		for i, share := range []int{tc.first, tc.second} {
			var sel Selection
			sel.Clear(half)
			for row := 0; row < half; row += share {
				sel.SetRange(row, row+1)
			}
			v := &vectors[i]
			build.Reset(v, src.Leaf.Type)
			cur.Window(cur.At() + half)
			if err := cur.Read(&sel, v); err != nil {
				t.Fatal(err)
			}
			cur.Advance(cur.At() + half)
			for _, b := range v.Buffers {
				bodies[i] += len(b)
			}
		}
		for i, v := range vectors {
			if copied := bodies[i] < rows*len(values[0])/2; copied != tc.copied[i] {
				t.Errorf("one in %d, then %d, forced %d: half %d has %d bytes", tc.first, tc.second, tc.force, i, bodies[i])
			}
			for slot := range v.Len {
				row := i*half + slot*[]int{tc.first, tc.second}[i]
				if got := string(v.Bytes(slot)); got != values[row] {
					t.Fatalf("row %d: %q, want %q", row, got, values[row])
				}
			}
		}
	}
}

// A filter tests strings that are not compressed where the feed has them. What is handed out
// afterwards lies elsewhere, few strings or many.
func TestWhatAFilterCopies(t *testing.T) {
	const rows = 1000
	values := make([]string, rows)
	for i := range values {
		values[i] = fmt.Sprintf("%03d: a string that does not fit into a view", i)
	}
	for _, encoding := range []gen.Encoding{gen.Plain, gen.DeltaLengthByteArray} {
		for _, least := range []string{"0", "9"} { // all pass, or a tenth
			col := gen.Column{Data: &gen.Data{Values: values}, Shape: gen.Shape{Encoding: encoding}}
			f := gen.File{Schema: []*gen.Node{gen.Required("a", gen.ByteArray)}, RowGroups: []gen.RowGroup{{Columns: []gen.Column{col}}}}
			src, raw, err := must[*file](t)(openFile(must[[]byte](t)(f.Write()))).source(0, 0, true)
			if err != nil {
				t.Fatal(err)
			}
			var chunk Chunk
			if err := chunk.Reset(src); err != nil {
				t.Fatal(err)
			}
			var cur Cursor
			cur.Open(&chunk, &memory{chunk: raw}, Options{Returned: true})
			cur.Window(rows)
			var sel Selection
			sel.Clear(rows)
			sel.SetRange(0, rows)
			if err := cur.Filter(&sel, pred.Strings([]byte(least), nil)); err != nil {
				t.Fatal(err)
			}
			if p := cur.pages[0]; p.body.memory != ofFeed {
				t.Errorf("%v, from %s on: the filter has copied the page", encoding, least)
			}
			var v vector.Vector
			build.Reset(&v, src.Leaf.Type)
			if err := cur.Read(&sel, &v); err != nil {
				t.Fatal(err)
			}
			clear(raw)
			want := values[rows-sel.Count():]
			for i, w := range want {
				if got := string(v.Bytes(i)); got != w || v.Len != len(want) {
					t.Fatalf("%v, from %s on: string %d of %d is %q, want %q", encoding, least, i, v.Len, got, w)
				}
			}
		}
	}
}
