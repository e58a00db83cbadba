package column

import (
	"errors"
	"testing"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift"
)

// A page of a repeated column whose rows were counted, and whose levels then change: the file
// was overwritten. Its rows are not what was counted, which is an error.
func TestLevelsChangeAfterRowsWereCounted(t *testing.T) {
	const rows = 100
	var d gen.Data
	var values []int64
	for range 2 * rows {
		d.Rep, d.Def = append(d.Rep, 0, 1), append(d.Def, 1, 1)
		values = append(values, 1, 2)
	}
	d.Values = values
	written := gen.File{
		Schema: []*gen.Node{gen.Repeated("a", gen.Int64)},
		RowGroups: []gen.RowGroup{{Columns: []gen.Column{{
			Shape: gen.Shape{Runs: gen.OnlyPacked}, Codec: gen.Uncompressed, Index: gen.NoIndex, Data: &d, PageRows: []int{rows},
		}}}},
	}
	f := must[*file](t)(openFile(must[[]byte](t)(written.Write())))
	src, raw, err := f.source(0, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	if src.Unpacker, err = f.pages.Unpacker(thrift.CodecUncompressed); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []byte{0, 0xff, 0x54, 0xab} { // all rows, none, a row more, another first
		raw := append([]byte(nil), raw...)
		var chunk Chunk
		if err := chunk.Reset(src); err != nil {
			t.Fatal(err)
		}
		var c Cursor
		c.Open(&chunk, &memory{chunk: raw}, Options{})
		test, sel := pred.InInts([]int64{1}), new(Selection)
		c.Window(rows)
		sel.Fill(rows)
		if err := c.Filter(sel, test); err != nil || sel.Count() != rows || len(c.pages) != 2 {
			t.Fatalf("%v, %d rows, %d pages seen", err, sel.Count(), len(c.pages))
		}
		for i := range c.pages[1].body.parts.Repetition {
			if levels := c.pages[1].body.parts.Repetition; levels[i] == 0xaa {
				levels[i] = pattern
			}
		}
		c.Advance(rows)
		c.Window(2 * rows)
		sel.Fill(rows)
		err := c.Filter(sel, test)
		if err == nil {
			err = c.ReadLevels(nil, new(Levels))
		}
		if !errors.Is(err, corrupt.Bad) {
			t.Errorf("levels %x: %v", pattern, err)
		}
	}
}
