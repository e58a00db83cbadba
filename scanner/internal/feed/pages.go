package feed

import (
	"maps"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// ChunkPages are the pages of a column chunk, as far as metadata tell.
type ChunkPages struct {
	RowGroup int
	Leaf     *schema.Node
	Range    fetch.Range // of the pages, in the file
	Slack    int64       // bytes after Range that may be theirs
	Rows     int64
	Offsets  []thrift.PageLocation // nil: there is no offset index
}

// Requests returns the ranges of the pages with given rows.
func (c *ChunkPages) Requests(rows vector.Ranges) (requests []Request) {
	if len(rows) == 0 {
		return nil
	}
	r := c.Range
	if c.Offsets == nil {
		if 2*rows.Len() < c.Rows {
			return nil // the scan goes from header to header and skips most bodies
		}
		r.Len += c.Slack
		return []Request{{Range: r, RowGroup: c.RowGroup, Leaf: c.Leaf}}
	}
	for i, w := range PageRanges(c.Offsets, r.Off, c.Rows, rows) {
		w.Off += r.Off
		if i == 0 && w.Len > 0 {
			w.Len = c.dictionaryRead(w.Len)
		}
		if w.Len > 0 && r.Off <= w.Off && w.End() <= r.End() {
			requests = append(requests, Request{Range: w, RowGroup: c.RowGroup, Leaf: c.Leaf, Keep: i == 0})
		}
	}
	return requests
}

// dictionaryRead returns how many bytes a scan reads for a dictionary page of n bytes: its
// header may be read with bytes of the page after it.
func (c *ChunkPages) dictionaryRead(n int64) int64 {
	return min(max(n, page.HeaderGuess), c.Range.Len)
}

// Wanted are the rows of a chunk that a scan reads.
type Wanted struct {
	ChunkPages
	Certain vector.Ranges // it reads them in any case
	Likely  vector.Ranges // it may: unless a filter drops them
}

// Calls returns the requests for the pages of a row group, divided into calls, each of which
// has about the same rows of all columns. Pages that are likely wanted are among them if
// nearly all such pages were, or if they cost less than to wait for the filter. expected tells
// whether bounds of values make it likely that nearly all such pages of the row group are wanted.
func (a *Prefetcher) Calls(columns []Wanted, expected func() bool) [][]Request {
	requests := func(likely bool) (byLeaf [][]Request, total int64) {
		for _, c := range columns {
			rows := c.Certain
			if likely {
				rows = rows.Or(c.Likely)
			}
			of := c.Requests(rows)
			byLeaf = append(byLeaf, of)
			total += bytesOf(of)
		}
		return byLeaf, total
	}
	certain, total := requests(false)
	all, most := requests(true)
	if len(columns) == 0 {
		return nil
	}
	now, isFirst := a.guess(columns[0].RowGroup, columns, most-total, expected)
	if now {
		certain = all
	}
	firstBytes := int64(0)
	if isFirst && most > total {
		firstBytes = max(a.CallBytes()/32, 4*callStep)
	}
	if a.limited {
		return cutIntoCalls(certain, firstBytes, firstLittle)
	}
	return a.cutIntoCalls(certain, firstBytes)
}

func bytesOf(requests []Request) (n int64) {
	for _, r := range requests {
		n += r.Len
	}
	return n
}

// Tested is a window of rows that a filter has tested.
type Tested struct {
	From, To  int64
	Survivors []uint64 // a bit for each row of the window
}

// PrefetchSurvivors requests the pages with survivors of a window. If nearly all pages had
// survivors so far, it requests the pages of other rows after them.
//
//	rows       [ 1 . 1 . ][ . 1 . . ][         ][         ]
//	returned   [ needed             ][ guess              ]
func (a *Prefetcher) PrefetchSurvivors(columns []ChunkPages, w Tested) {
	if len(columns) == 0 {
		return
	}
	var needed [][]Request
	for i := range columns {
		needed = append(needed, columns[i].withSurvivors(a, &w))
	}
	a.Enqueue(columns[0].RowGroup, a.cutIntoCalls(needed, 0), true)
	if a.limited { // the scan may end soon: nothing is worth a guess
		return
	}
	likely := a.takeLikely()
	for _, group := range slices.Sorted(maps.Keys(likely)) {
		var byLeaf [][]Request
		for _, c := range likely[group] {
			byLeaf = append(byLeaf, c.Requests(c.Likely))
		}
		a.Enqueue(group, a.cutIntoCalls(byLeaf, 0), false)
	}
}

// withSurvivors returns the requests for the pages with survivors. It counts the pages of the
// window, and those with survivors.
func (c *ChunkPages) withSurvivors(a *Prefetcher, w *Tested) (needed []Request) {
	if len(c.Offsets) == 0 {
		return nil
	}
	if first := c.Offsets[0].Offset; first > c.Range.Off {
		r := fetch.Range{Off: c.Range.Off, Len: c.dictionaryRead(first - c.Range.Off)}
		needed = append(needed, Request{Range: r, RowGroup: c.RowGroup, Leaf: c.Leaf, Keep: true})
	}
	pages, survive := 0, 0
	for i := max(pageindex.PageOf(c.Offsets, w.From), 0); i < len(c.Offsets) && c.Offsets[i].FirstRow < w.To; i++ {
		x := &c.Offsets[i]
		first, end := pageindex.PageRows(c.Offsets, i, c.Rows)
		from, to := int(max(first, w.From)-w.From), int(min(end, w.To)-w.From)
		if from >= to {
			continue
		}
		if pages++; bits.Any(w.Survivors, from, to) {
			survive++
			needed = append(needed, Request{Range: fetch.Range{Off: x.Offset, Len: int64(x.CompressedSize)}, RowGroup: c.RowGroup, Leaf: c.Leaf})
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pages, a.survive = a.pages+pages, a.survive+survive
	return needed
}
