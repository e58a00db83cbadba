package scanner

import (
	"math"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/reorder"
	"github.com/winnow-scan/winnow/scanner/internal/window"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// batchSizer chooses the number of rows of each window, so that a batch with values of
// varying length stays near its byte budget. Strings are views of pages, so a batch holds
// whole pages. Therefore a window ends where a page does:
//
//	pages     |        a         |   b   |   c   |
//	windows   |  |  |  |  |  |  ||       |       |
//
// After each window, the memory that the batch holds decides whether the batch is
// full, and how many rows the next window has.
type batchSizer struct {
	rows    int     // of the next window
	maxRows int     // of any window
	budget  int64   // bytes of a batch
	held    int64   // bytes of the batch after the last window
	leaves  []*leaf // with values of varying length; none if the budget cannot be exceeded
}

// initialRows is the window size until the first window has shown how large rows are.
// Measured on sixteen short columns: half as many rows take 2 % more time.
const initialRows = 4096

// reset makes the sizer start anew at the next row group, with batches of budget bytes.
func (p *batchSizer) reset(budget int64) { p.leaves, p.rows, p.budget = p.leaves[:0], 0, budget }

// boundByPages reports whether the rows of a page add at most the page's body and their
// slots to a batch. Then a large window exceeds the budget little more than a small one,
// however long the values are.
func (l *leaf) boundByPages() bool {
	return l.node.MaxRep == 0 && !slices.Contains(l.chunk.Meta.Encodings, wire.Encoding_DELTA_BYTE_ARRAY)
}

// start chooses the first window's size, when the leaves are at the first row of a row group.
func (p *batchSizer) start(s *scan) {
	*p = batchSizer{maxRows: s.opts.batchRows(), budget: p.budget, leaves: p.leaves[:0]}
	var bytes, rows int64
	bounded := true
	for _, l := range s.leaves {
		if l.returned && (l.node.MaxRep > 0 || l.node.Type.Store() == vector.InViews) {
			p.leaves = append(p.leaves, l)
			bounded = bounded && l.boundByPages()
			bytes += max(l.chunk.Meta.UncompressedSize, 0)
			rows = l.rows
		}
	}
	p.rows = p.maxRows
	if bytes <= p.budget && (s.making == nil || bytes <= leastBatch) {
		p.leaves = p.leaves[:0]
		return
	}
	if !bounded {
		p.maxRows = min(p.maxRows, initialRows)
	}
	p.rows = int(min(int64(p.maxRows), initialRows, max(p.budget/8/max(bytes/max(rows, 1), 1), 1)))
}

// windowEnd moves the leaves to a row, and returns the row at which a window that starts
// there must end at the latest: where the first of their pages ends.
func (p *batchSizer) windowEnd(row int64) int64 {
	for _, l := range p.leaves {
		l.cursor.Advance(row)
		l.cursor.ListPage()
	}
	return p.listedRows()
}

// listedRows returns the row up to which all leaves have listed their pages.
func (p *batchSizer) listedRows() int64 {
	listed := int64(math.MaxInt64)
	for _, l := range p.leaves {
		listed = min(listed, l.cursor.Listed())
	}
	return listed
}

// full reports whether the batch has reached its budget, and adapts the size of the next
// window. It must be called after each window.
func (p *batchSizer) full(columns []batchColumn) bool {
	if len(p.leaves) == 0 {
		return false
	}
	now := int64(0)
	for i := range columns {
		now += columns[i].bytes()
	}
	grown := now - p.held
	p.held = now
	switch {
	case grown > p.budget/4:
		p.rows = max(1, int(int64(p.rows)*(p.budget/8)/grown))
	case grown < p.budget/16:
		p.rows = min(p.maxRows, p.rows*2)
	}
	return now >= p.budget
}

// tooFewForWindow reports whether the room that a batch has left, n rows, is too small to
// be worth another window. Filtering leaves such room often: the survivors of a
// window seldom end where a batch is full.
func (p *batchSizer) tooFewForWindow(n int) bool {
	return n > 0 && 4*n < p.rows && p.maxRows >= 8*window.DecodeBlock
}

// bytes returns the bytes of the gathered rows.
func (c *batchColumn) bytes() int64 {
	if c.flat {
		return reorder.Held(c.memory.values[0])
	}
	n := int64(0)
	for i := range c.levels {
		l := &c.levels[i]
		n += int64(len(l.Rep)) + int64(len(l.Def)) + reorder.Held(&l.Values)
	}
	return n
}
