package window

import (
	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Survivors are the last tested window and its rows that passed and are not read yet.
// They are read in pieces, which a batch has room for:
//
//	window    0 . . 1 . 1 1 1 1 . . . 1 . .
//	pieces    [     first     |   second  ]
type Survivors struct {
	From, To  int64 // the window
	Sel       column.Selection
	Unread    int // survivors that are not read yet
	next      int // where the next piece starts
	piece     column.Selection
	pageStart int64 // the last row that is known to start a page
}

// DecodeBlock is the number of values that encodings decode at once. Reading is faster if
// pieces end at a multiple of it, counted from the start of a page.
const DecodeBlock = 128

// Clear drops all survivors.
func (p *Survivors) Clear() { p.Unread, p.pageStart = 0, 0 }

// Start makes rows the window; Sel becomes those to test. atPage reports that a page starts
// with the window.
func (p *Survivors) Start(rows Rows, atPage bool) {
	if atPage {
		p.pageStart = rows.From
	}
	p.From, p.To, p.next, p.Unread = rows.From, rows.To, 0, 0
	if rows.Sel == nil {
		p.Sel.Fill(int(rows.To - rows.From))
	} else {
		p.Sel.Copy(rows.Sel)
	}
}

// Rows returns the window; a test drops the rows from Sel that do not pass.
func (p *Survivors) Rows() Rows { return Rows{From: p.From, To: p.To, Sel: &p.Sel} }

// Claim makes the rows that passed, which are in Sel, survivors: without the first skip of
// them, and at most most.
func (p *Survivors) Claim(skip, most int64) {
	p.Unread = p.Sel.Count()
	if skip > 0 {
		end := p.Sel.N
		if skip < int64(p.Unread) {
			end = bits.Select(p.Sel.Bits, 0, p.Sel.N, int(skip))
		}
		bits.ClearRange(p.Sel.Bits, 0, end)
		p.Unread -= int(min(skip, int64(p.Unread)))
	}
	if most < int64(p.Unread) {
		bits.ClearRange(p.Sel.Bits, bits.Select(p.Sel.Bits, 0, p.Sel.N, int(most)), p.Sel.N)
		p.Unread = int(most)
	}
	p.Sel.Changed()
}

// Row returns the first row of the next piece.
func (p *Survivors) Row() int64 { return p.From + int64(p.next) }

// NextPiece returns a piece with at least one and at most n survivors, which are selected, as
// Windows.NextWindow does. There must be survivors left.
//
// A piece starts where the last one ended, not with its first survivor: whether a
// cursor keeps a page of strings or copies from it depends on the share of wanted rows.
func (p *Survivors) NextPiece(n int, limit int64) Rows {
	start, end, rows := p.next, p.Sel.N, p.Unread
	first := bits.Next(p.Sel.Bits, start, p.Sel.N)
	border := limit
	if limit = max(limit-p.From, int64(first)+1); limit < int64(end) {
		end = int(limit)
		rows = bits.Count(p.Sel.Bits, start, end)
	}
	if rows > n {
		end, rows = p.alignEnd(n, start, bits.Select(p.Sel.Bits, start, end, n))
	}
	if p.From+int64(end) == border {
		p.pageStart = border
	}
	p.next = end
	p.Unread -= rows
	piece := Rows{From: p.From + int64(start), To: p.From + int64(end)}
	if rows < end-start {
		p.piece.CopyRange(&p.Sel, start, end-start, rows)
		piece.Sel = &p.piece
	}
	return piece
}

// alignEnd returns the end of a piece, and its number of survivors. The survivor before end
// is the n-th. alignEnd moves end back to a multiple of DecodeBlock if that loses at
// most a quarter of the survivors.
func (p *Survivors) alignEnd(n, start, end int) (int, int) {
	if odd := int((p.From + int64(end) - p.pageStart) % DecodeBlock); end-odd > start {
		if rows := n - bits.Count(p.Sel.Bits, end-odd, end); 4*rows >= 3*n {
			return end - odd, rows
		}
	}
	return end, n
}

// HasGaps reports whether fewer than half of the window's rows passed, or whether a run of
// rows without a survivor may span this window and the next. Half of such a run lies in
// one of the two, so one of its blocks, of a quarter of rows, has no survivor:
//
//	windows   |1 1 . 1 1 1 1 1 . . . .|. . . . 1 1 …
//	blocks    |   |   |   |   |   |   |   |   |
func (p *Survivors) HasGaps(rows int64) bool {
	n := p.Sel.N
	switch {
	case p.Unread == n:
		return false
	case 2*p.Unread < n:
		return true
	}
	block := max(int(min(rows/4, int64(n))), 1)
	for at := 0; at+block <= n; at += block {
		if bits.Next(p.Sel.Bits, at, at+block) == at+block {
			return true
		}
	}
	return false
}

// Begun reports whether NextPiece has returned a piece of the window.
func (p *Survivors) Begun() bool { return p.next > 0 }
