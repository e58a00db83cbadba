package compile

import (
	"regexp"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// filter clears the bits of sel for slots of a leaf's vector that do not pass. It
// flattens v.
func (t *slotTest) filter(sel []uint64, v *vector.Vector) {
	v.Flatten()
	n := v.Len
	var nulls []uint64
	if len(v.Validity) > 0 {
		if t.set.Null {
			nulls = append(nulls, sel[:bits.Words(n)]...)
			bits.AndNot(nulls, v.Validity[:len(nulls)])
			bits.ClearRange(nulls, n, len(nulls)*64)
		}
		bits.And(sel[:bits.Words(n)], v.Validity[:bits.Words(n)])
	}
	switch {
	case t.valueTest != nil:
		t.valueTest.Filter(sel, v)
	case t.allValues():
	default:
		test := t.domain.Lower(&t.set)
		test.Filter(sel, v)
	}
	for i, w := range nulls {
		sel[i] |= w
	}
}

// keepMatches clears the bits of sel for strings that re does not match.
func keepMatches(re *regexp.Regexp, v *vector.Vector, sel []uint64) {
	for i := bits.Next(sel, 0, v.Len); i < v.Len; i = bits.Next(sel, i+1, v.Len) {
		if !re.Match(v.Bytes(i)) {
			bits.Clear(sel, i)
		}
	}
}
