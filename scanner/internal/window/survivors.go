package window

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Survivors are the window that was tested last, and the rows of it that passed and
// were not read yet. They are read in pieces, which are small windows of the columns
// that are returned:
//
//	window    0 . . 1 . 1 1 1 1 . . . 1 . .
//	pieces    [     first     |   second  ]
type Survivors struct {
	From, To  int64 // the window
	Sel       vector.Selection
	Left      int // survivors that were not read yet
	next      int // where the next piece starts
	piece     vector.Selection
	pageStart int64 // the last row at which a piece had to start, as pages do
}

// DecodeBlock is how many values encodings decode at once. Pieces with as
// many rows, or a multiple, from where pages start take less time.
const DecodeBlock = 128

// Clear is for when a row group starts.
func (p *Survivors) Clear() { p.Left, p.pageStart = 0, 0 }

// Start makes [from, to) the window, and sel the rows that are to be tested, nil for all.
// AtPage reports that a page starts with the window.
func (p *Survivors) Start(from, to int64, sel *vector.Selection, atPage bool) {
	if atPage {
		p.pageStart = from
	}
	p.From, p.To, p.next, p.Left = from, to, 0, 0
	if sel == nil {
		p.Sel.Fill(int(to - from))
	} else {
		p.Sel.Copy(sel)
	}
}

// Row returns where the next piece starts.
func (p *Survivors) Row() int64 { return p.From + int64(p.next) }

// Take returns a piece with at least one and at most n rows, as Windows.Next
// does. There must be rows left.
//
// It starts where the last one ended, not with the first row that passed: what
// is to be kept of a page of strings depends on how much of it is wanted.
func (p *Survivors) Take(n int, limit int64) (from, to int64, sel *vector.Selection) {
	start, end, rows := p.next, p.Sel.N, p.Left
	first := bits.Next(p.Sel.Bits, start, p.Sel.N)
	border := limit
	if limit = max(limit-p.From, int64(first)+1); limit < int64(end) {
		end = int(limit)
		rows = bits.Count(p.Sel.Bits, start, end)
	}
	if rows > n {
		end, rows = p.alignEnd(n, start, p.findSurvivor(n, start, end))
	}
	if p.From+int64(end) == border {
		p.pageStart = border
	}
	p.next = end
	p.Left -= rows
	from, to = p.From+int64(start), p.From+int64(end)
	if rows == end-start {
		return from, to, nil
	}
	p.piece.Part(&p.Sel, start, end-start, rows)
	return from, to, &p.piece
}

// upTo returns where a piece ends in which row number end-1 is the n-th that
// passed, or somewhat earlier, and how many rows that passed it has.
func (p *Survivors) alignEnd(n, start, end int) (int, int) {
	if odd := int((p.From + int64(end) - p.pageStart) % DecodeBlock); end-odd > start {
		if rows := n - bits.Count(p.Sel.Bits, end-odd, end); 4*rows >= 3*n {
			return end - odd, rows
		}
	}
	return end, n
}

// behind returns where in [start, end) the row stands that passed behind n others. To
// count blocks is faster than to look at each word.
func (p *Survivors) findSurvivor(n, start, end int) int {
	const block = 1024
	for start+block <= end {
		rows := bits.Count(p.Sel.Bits, start, start+block)
		if rows > n {
			break
		}
		n -= rows
		start += block
	}
	return bits.Select(p.Sel.Bits, start, end, n)
}

// HasGaps reports whether few rows of the window passed, or as many in a row may not have,
// in this window and the next. Half of those are in one of the two, and where so many are,
// a block of half of that has none that passed:
//
//	windows   |1 1 . 1 1 1 1 1 . . . .|. . . . 1 1 …
//	blocks    |   |   |   |   |   |   |   |   |
func (p *Survivors) HasGaps(rows int64) bool {
	n := p.Sel.N
	switch {
	case p.Left == n:
		return false
	case 2*p.Left < n:
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

// Only drops the first skip rows that wait, and all behind the next most.
func (p *Survivors) Only(skip, most int64) {
	if skip > 0 {
		end := p.Sel.N
		if skip < int64(p.Left) {
			end = bits.Select(p.Sel.Bits, 0, p.Sel.N, int(skip))
		}
		bits.ClearRange(p.Sel.Bits, 0, end)
		p.Left -= int(min(skip, int64(p.Left)))
	}
	if most < int64(p.Left) {
		bits.ClearRange(p.Sel.Bits, bits.Select(p.Sel.Bits, 0, p.Sel.N, int(most)), p.Sel.N)
		p.Left = int(most)
	}
	p.Sel.Changed()
}

// Begun reports whether a piece of the window was taken.
func (p *Survivors) Begun() bool { return p.next > 0 }
