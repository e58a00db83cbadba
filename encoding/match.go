package encoding

import (
	"bytes"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// A Match is a test on strings.
type Match struct {
	kind     matchKind
	text, hi []byte
	needle   Needle

	least, most [2]uint64 // of decimals
}

type matchKind uint8

const (
	isEqual matchKind = iota
	hasPrefix
	hasSuffix
	contains
	inRange
	isDecimal
)

// IsEqual, HasPrefix, HasSuffix, Contains and InRange return a Match that keeps the bytes.
// A range is half-open, compared as bytes from the front, and a nil hi is no bound; append a
// zero byte to lo to exclude it, or to hi to include it.
func IsEqual(want []byte) Match     { return Match{kind: isEqual, text: want} }
func HasPrefix(prefix []byte) Match { return Match{kind: hasPrefix, text: prefix} }
func HasSuffix(suffix []byte) Match { return Match{kind: hasSuffix, text: suffix} }
func Contains(text []byte) Match    { return Match{kind: contains, needle: MakeNeedle(text)} }
func InRange(lo, hi []byte) Match   { return Match{kind: inRange, text: lo, hi: hi} }

// IsDecimal returns a Match for strings that, as big-endian two's complement numbers, are from lo
// to hi. Bounds are results of bits.DecimalKey, high first.
func IsDecimal(lo, hi [2]uint64) Match { return Match{kind: isDecimal, least: lo, most: hi} }

// passes reports whether one string matches.
func (m *Match) passes(s []byte) bool {
	switch m.kind {
	case isEqual:
		return bytes.Equal(s, m.text)
	case hasPrefix:
		return bytes.HasPrefix(s, m.text)
	case hasSuffix:
		return bytes.HasSuffix(s, m.text)
	case contains:
		return m.needle.Index(s, 0) >= 0
	case isDecimal:
		return m.outside(bits.DecimalKey(s)) == 0
	}
	return bytes.Compare(s, m.text) >= 0 && (m.hi == nil || bytes.Compare(s, m.hi) < 0)
}

// ReadsAll reports whether the test may look at any byte of a string, not only at its ends.
func (m *Match) ReadsAll() bool { return m.kind == contains }
