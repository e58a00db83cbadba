package column

import (
	"fmt"
	"testing"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// closed looks at the counters of a chunk that has been closed: each of its bytes is by one
// Fate, and each page, if it is known how many there are.
func closed(cur *Cursor, src *Source) error {
	n := cur.Counters()
	bytes, pages := n.bytes(), int64(0)
	for _, some := range n.Pages {
		pages += some
	}
	if bytes != src.Pages.Length {
		return fmt.Errorf("%d bytes are accounted for, the chunk has %d", bytes, src.Pages.Length)
	}
	if src.Index != nil && pages != int64(len(src.Index)) {
		return fmt.Errorf("%d pages are accounted for, the chunk has %d", pages, len(src.Index))
	}
	return nil
}

// Pages of other cursors' rows that the dictionary rules out are not decompressed,
// so they do not count as decompressed again.
func TestRuledOutPagesAreNotRedecompressed(t *testing.T) {
	src, raw, err := judgedFile(t, false, 2, gen.Dictionary).source(0, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	var chunk Chunk
	var cur Cursor
	if err := chunk.Reset(src); err != nil {
		t.Fatal(err)
	}
	cur.Open(&chunk, &memory{chunk: raw}, Options{Own: vector.Range{To: 10}, Force: Force{Mask: Always}})
	cur.Window(100)
	var sel Selection
	sel.Fill(100)
	if err := cur.Filter(&sel, pred.Ints(1000, 2000)); err != nil || sel.Count() != 0 {
		t.Fatal(err, sel.Count())
	}
	cur.Close()
	if n := cur.Counters(); n.Redecompressed != 0 || n.Pages != [Fates]int64{RejectedByDictionary: 1} {
		t.Errorf("%+v", n)
	}
}
