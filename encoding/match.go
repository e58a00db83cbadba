package encoding

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

// IsEqual, HasPrefix, HasSuffix, Contains and InRange return a Match for the method of
// Texts. They keep the bytes. A range is half-open, and a nil hi is no bound; append a
// zero byte to lo to exclude it, or to hi to include it.
func IsEqual(want []byte) Match     { return Match{kind: isEqual, text: want} }
func HasPrefix(prefix []byte) Match { return Match{kind: hasPrefix, text: prefix} }
func HasSuffix(suffix []byte) Match { return Match{kind: hasSuffix, text: suffix} }
func Contains(text []byte) Match    { return Match{kind: contains, needle: MakeNeedle(text)} }
func InRange(lo, hi []byte) Match   { return Match{kind: inRange, text: lo, hi: hi} }

// IsDecimal returns a Match for Texts.Decimals.
func IsDecimal(lo, hi [2]uint64) Match { return Match{kind: isDecimal, least: lo, most: hi} }

// Matching keeps the strings that match.
func (t Texts) Matching(w uint64, m *Match) uint64 {
	switch m.kind {
	case isEqual:
		return t.Equal(w, m.text)
	case hasPrefix:
		return t.HasPrefix(w, m.text)
	case hasSuffix:
		return t.HasSuffix(w, m.text)
	case contains:
		return t.Contains(w, &m.needle)
	case isDecimal:
		return t.Decimals(w, m.least, m.most)
	default:
		return t.Range(w, m.text, m.hi)
	}
}

// ReadsAll reports whether the test may look at any byte of a string, not only at its ends.
func (m *Match) ReadsAll() bool { return m.kind == contains }
