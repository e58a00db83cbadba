package window

import (
	"math"

	"github.com/winnow-scan/winnow/column"
)

// Sizer chooses the number of rows of each window, so that a batch with values of
// varying length stays near its byte budget. Strings are views of pages, so a batch holds
// whole pages. Therefore a window ends where a page does:
//
//	pages     |        a         |   b   |   c   |
//	windows   |  |  |  |  |  |  ||       |       |
//
// After each window, the memory that the batch holds decides whether the batch is
// full, and how many rows the next window has.
type Sizer struct {
	Rows    int   // of the next window; 0: Start was not called since Reset
	Budget  int64 // bytes of a batch
	Held    int64 // bytes of the batch after the last window
	maxRows int   // of any window
	varies  bool  // the budget may be exceeded
	cursors []*column.Cursor
}

// Varying is a column chunk with values of varying length.
type Varying struct {
	Cursor *column.Cursor // nil: windows need not end where its pages do
	Bytes  int64          // of all its values
	Rows   int64
	// ByPages says that the rows of a page add at most the page's body and their slots to
	// a batch. Then a large window exceeds the budget little more than a small one,
	// however long the values are.
	ByPages bool
}

// InitialRows is the window size until the first window has shown how large rows are.
// Measured on sixteen short columns: half as many rows take 2 % more time.
const InitialRows = 4096

// Reset makes the sizer start anew at the next row group, with batches of budget bytes.
func (s *Sizer) Reset(budget int64) { s.cursors, s.Rows, s.Budget = s.cursors[:0], 0, budget }

// Start chooses the first window's size, of at most maxRows rows, at the first row of a row
// group. Chunks that have no more bytes than the budget, nor than most if that is not 0, cannot
// exceed it.
func (s *Sizer) Start(maxRows int, most int64, chunks []Varying) {
	*s = Sizer{maxRows: maxRows, Budget: s.Budget, cursors: s.cursors[:0]}
	var bytes, rows int64
	byPages := true
	for i := range chunks {
		c := &chunks[i]
		if c.Cursor != nil {
			s.cursors = append(s.cursors, c.Cursor)
		}
		byPages = byPages && c.ByPages
		bytes += max(c.Bytes, 0)
		rows = c.Rows
	}
	s.Rows = s.maxRows
	if bytes <= s.Budget && (most == 0 || bytes <= most) {
		s.cursors = s.cursors[:0]
		return
	}
	s.varies = true
	if !byPages {
		s.maxRows = min(s.maxRows, InitialRows)
	}
	s.Rows = int(min(int64(s.maxRows), InitialRows, max(s.Budget/8/max(bytes/max(rows, 1), 1), 1)))
}

// StartBatch begins a batch of at most budget bytes.
func (s *Sizer) StartBatch(budget int64) { s.Held, s.Budget = 0, budget }

// WindowEnd moves the cursors to a row, and returns the row at which a window that starts
// there must end at the latest: where the first of their pages ends.
func (s *Sizer) WindowEnd(row int64) int64 {
	for _, c := range s.cursors {
		c.Advance(row)
		c.ListPage()
	}
	return s.ListedRows()
}

// ListedRows returns the row up to which all cursors have listed their pages.
func (s *Sizer) ListedRows() int64 {
	listed := int64(math.MaxInt64)
	for _, c := range s.cursors {
		listed = min(listed, c.Listed())
	}
	return listed
}

// MayExceed reports whether the budget can be exceeded, so that Full must be asked.
func (s *Sizer) MayExceed() bool { return s.varies }

// Full reports whether the batch, which holds now bytes, has reached its budget, and adapts
// the size of the next window. It must be called after each window.
func (s *Sizer) Full(now int64) bool {
	grown := now - s.Held
	s.Held = now
	switch {
	case grown > s.Budget/4:
		s.Rows = max(1, int(int64(s.Rows)*(s.Budget/8)/grown))
	case grown < s.Budget/16:
		s.Rows = min(s.maxRows, s.Rows*2)
	}
	return now >= s.Budget
}

// TooFew reports whether the room that a batch has left, n rows, is too small to
// be worth another window. Filtering leaves such room often: the survivors of a
// window seldom end where a batch is full.
func (s *Sizer) TooFew(n int) bool { return n > 0 && 4*n < s.Rows && s.maxRows >= 8*DecodeBlock }
