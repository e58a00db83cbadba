package scanner

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// survivors is the window that was tested last, and the rows of it that passed and
// were not read yet. They are read in pieces, which are small windows of the columns
// that are returned:
//
//	window    0 . . 1 . 1 1 1 1 . . . 1 . .
//	pieces    [     first     |   second  ]
type survivors struct {
	from, to int64
	sel      vector.Selection
	left     int // survivors that were not read yet
	next     int // where the next piece starts
	piece    vector.Selection
	border   int64 // the last row at which a piece had to start, as pages do
}

// decodeBlock is how many values encodings decode at once. Pieces with as
// many rows, or a multiple, from where pages start take less time.
const decodeBlock = 128

// clear is for when a row group starts.
func (p *survivors) clear() { p.left, p.border = 0, 0 }

// start makes [from, to) the window, and sel the rows that are to be tested, nil for all.
// AtPage reports that a page starts with the window.
func (p *survivors) start(from, to int64, sel *vector.Selection, atPage bool) {
	if atPage {
		p.border = from
	}
	p.from, p.to, p.next, p.left = from, to, 0, 0
	if sel == nil {
		p.sel.Fill(int(to - from))
	} else {
		p.sel.Copy(sel)
	}
}

// row returns where the next piece starts.
func (p *survivors) row() int64 { return p.from + int64(p.next) }

// take returns a piece with at least one and at most n rows, as next of
// windows does. There must be rows left.
//
// It starts where the last one ended, not with the first row that passed: what
// is to be kept of a page of strings depends on how much of it is wanted.
func (p *survivors) take(n int, limit int64) (from, to int64, sel *vector.Selection) {
	start, end, rows := p.next, p.sel.N, p.left
	first := bits.Next(p.sel.Bits, start, p.sel.N)
	border := limit
	if limit = max(limit-p.from, int64(first)+1); limit < int64(end) {
		end = int(limit)
		rows = bits.Count(p.sel.Bits, start, end)
	}
	if rows > n {
		end, rows = p.upTo(n, start, p.behind(n, start, end))
	}
	if p.from+int64(end) == border {
		p.border = border
	}
	p.next = end
	p.left -= rows
	from, to = p.from+int64(start), p.from+int64(end)
	if rows == end-start {
		return from, to, nil
	}
	p.piece.Part(&p.sel, start, end-start, rows)
	return from, to, &p.piece
}

// upTo returns where a piece ends in which row number end-1 is the n-th that
// passed, or somewhat earlier, and how many rows that passed it has.
func (p *survivors) upTo(n, start, end int) (int, int) {
	if odd := int((p.from + int64(end) - p.border) % decodeBlock); end-odd > start {
		if rows := n - bits.Count(p.sel.Bits, end-odd, end); 4*rows >= 3*n {
			return end - odd, rows
		}
	}
	return end, n
}

// behind returns where in [start, end) the row stands that passed behind n others. To
// count blocks is faster than to look at each word.
func (p *survivors) behind(n, start, end int) int {
	const block = 1024
	for start+block <= end {
		rows := bits.Count(p.sel.Bits, start, start+block)
		if rows > n {
			break
		}
		n -= rows
		start += block
	}
	return bits.Select(p.sel.Bits, start, end, n)
}

// gaps reports whether few rows of the window passed, or as many in a row may not have,
// in this window and the next. Half of those are in one of the two, and where so many are,
// a block of half of that has none that passed:
//
//	windows   |1 1 . 1 1 1 1 1 . . . .|. . . . 1 1 …
//	blocks    |   |   |   |   |   |   |   |   |
func (p *survivors) gaps(rows int64) bool {
	n := p.sel.N
	switch {
	case p.left == n:
		return false
	case 2*p.left < n:
		return true
	}
	block := max(int(min(rows/4, int64(n))), 1)
	for at := 0; at+block <= n; at += block {
		if bits.Next(p.sel.Bits, at, at+block) == at+block {
			return true
		}
	}
	return false
}

// only drops the first skip rows that wait, and all behind the next most.
func (p *survivors) only(skip, most int64) {
	if skip > 0 {
		end := p.sel.N
		if skip < int64(p.left) {
			end = bits.Select(p.sel.Bits, 0, p.sel.N, int(skip))
		}
		bits.ClearRange(p.sel.Bits, 0, end)
		p.left -= int(min(skip, int64(p.left)))
	}
	if most < int64(p.left) {
		bits.ClearRange(p.sel.Bits, bits.Select(p.sel.Bits, 0, p.sel.N, int(most)), p.sel.N)
		p.left = int(most)
	}
	p.sel.Changed()
}
