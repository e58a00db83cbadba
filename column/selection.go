package column

import "github.com/winnow-scan/winnow/encoding/bits"

// Selection is a bitmap over the N rows of a window: selected rows have their bit
// set. Call Changed after changing Bits. Bits after the last row are undefined.
// Not safe for concurrent use: Count stores its result.
type Selection struct {
	Bits []uint64
	N    int

	count   int
	counted bool
}

// Fill selects all of n rows.
func (s *Selection) Fill(n int) {
	s.resize(n)
	bits.SetRange(s.Bits, 0, n)
	s.count, s.counted = n, true
}

// Clear selects none of n rows.
func (s *Selection) Clear(n int) {
	s.resize(n)
	clear(s.Bits)
	s.count, s.counted = 0, true
}

// Copy sets s to a copy of o.
func (s *Selection) Copy(o *Selection) {
	s.resize(o.N)
	copy(s.Bits, o.Bits)
	s.count, s.counted = o.count, o.counted
}

// CopyRange sets s to a copy of rows [from, from+n) of o, of which count are selected.
func (s *Selection) CopyRange(o *Selection, from, n, count int) {
	s.resize(n)
	if words := len(s.Bits); words > 0 { // clear the bits after the last row
		s.Bits[words-1] = 0
	}
	bits.Copy(s.Bits, 0, o.Bits, from, n)
	s.count, s.counted = count, true
}

// resize gives s n rows, whose bits are undefined.
func (s *Selection) resize(n int) {
	s.N, s.Bits = n, grown(s.Bits, bits.Words(n))
}

// Changed makes Count count again. Call it after changing Bits.
func (s *Selection) Changed() { s.counted = false }

// Count returns the number of selected rows. It counts once after each change.
func (s *Selection) Count() int {
	if !s.counted {
		s.count, s.counted = bits.Count(s.Bits, 0, s.N), true
	}
	return s.count
}

// All reports whether every row is selected.
func (s *Selection) All() bool { return s.Count() == s.N }

// None reports whether no row is selected.
func (s *Selection) None() bool { return s.Count() == 0 }

// SetRange selects the rows [from, to) as well.
func (s *Selection) SetRange(from, to int) {
	bits.SetRange(s.Bits, from, to)
	s.Changed()
}

// And drops the rows that o, of as many rows, does not select.
func (s *Selection) And(o *Selection) {
	bits.And(s.Bits, o.Bits)
	s.Changed()
}

// AndNot drops the rows that o, of as many rows, selects.
func (s *Selection) AndNot(o *Selection) {
	bits.AndNot(s.Bits, o.Bits)
	s.Changed()
}

// Or adds the rows that o, of as many rows, selects.
func (s *Selection) Or(o *Selection) {
	bits.Or(s.Bits, o.Bits)
	s.Changed()
}
