package decodetest

import (
	"math/rand/v2"
	"strings"

	"github.com/winnow-scan/winnow/encoding"
)

// A Matcher tests strings where they are.
type Matcher interface {
	Match(sel []uint64, n int, m *encoding.Match) error
}

// Strings returns the tests that d has, with bounds and parts of these values.
func Strings(r *rand.Rand, values []string, d Matcher) []Test[string] {
	lo, hi := Bounds(r, values)
	p := part(r, values)
	test := func(name string, m encoding.Match, pass func(s string) bool) Test[string] {
		return Test[string]{
			Name:  name,
			Clear: func(sel []uint64, n int) error { return d.Match(sel, n, &m) },
			Pass:  pass,
		}
	}
	with := func(name string, m func([]byte) encoding.Match, pass func(s, p string) bool) Test[string] {
		return test(name+" "+p, m([]byte(p)), func(s string) bool { return pass(s, p) })
	}
	return []Test[string]{
		test("InRange", encoding.InRange(lo, hi), func(x string) bool { return x >= string(lo) && (hi == nil || x < string(hi)) }),
		with("IsEqual", encoding.IsEqual, func(s, p string) bool { return s == p }),
		with("HasPrefix", encoding.HasPrefix, strings.HasPrefix),
		with("HasSuffix", encoding.HasSuffix, strings.HasSuffix),
		with("Contains", encoding.Contains, strings.Contains),
	}
}

// Bounds chooses bounds among these values, or none.
func Bounds(r *rand.Rand, values []string) (lo, hi []byte) {
	if len(values) > 0 {
		lo, hi = []byte(values[r.IntN(len(values))]), []byte(values[r.IntN(len(values))])
	}
	switch r.IntN(4) {
	case 0:
		lo = nil
	case 1:
		hi = nil
	case 2:
		hi = append(hi, 0)
	}
	return lo, hi
}

// part chooses a value, some bytes of one, or bytes that begin or end with what
// lies between values.
func part(r *rand.Rand, values []string) string {
	if len(values) == 0 {
		return "x"
	}
	s := values[r.IntN(len(values))]
	if r.IntN(4) == 0 {
		return s
	}
	from := r.IntN(len(s) + 1)
	s = s[from:][:r.IntN(len(s)-from+1)]
	switch r.IntN(8) {
	case 0:
		s += "\x00"
	case 1:
		s = "\x00" + s
	}
	return s
}
