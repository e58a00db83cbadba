package filter

import (
	"encoding/binary"
	"math"
	"regexp"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// appendSlot appends the key of a slot of a flat vector. The slot must not be NULL.
func (d *domain) appendSlot(dst []byte, v *vector.Vector, i int) (k []byte, isNaN, ok bool) {
	var buf [8]byte
	return d.appendKey(dst, plainSlot(&buf, v, i))
}

// plainSlot returns the PLAIN encoding of a slot of a flat vector. It aliases the
// vector for strings and binaries, and buf otherwise.
func plainSlot(buf *[8]byte, v *vector.Vector, i int) []byte {
	switch v.Type.Store() {
	case vector.InBools:
		buf[0] = 0
		if bits.Get(v.Bools, i) {
			buf[0] = 1
		}
		return buf[:1]
	case vector.InInt32s:
		binary.LittleEndian.PutUint32(buf[:], uint32(v.Int32s[i]))
		return buf[:4]
	case vector.InInt64s:
		binary.LittleEndian.PutUint64(buf[:], uint64(v.Int64s[i]))
		return buf[:8]
	case vector.InFloats:
		binary.LittleEndian.PutUint32(buf[:], math.Float32bits(v.Floats[i]))
		return buf[:4]
	case vector.InDoubles:
		binary.LittleEndian.PutUint64(buf[:], math.Float64bits(v.Doubles[i]))
		return buf[:8]
	}
	return v.Bytes(i)
}

// narrow clears the bits of sel for slots of a leaf's vector that do not pass. It
// flattens v.
func (t *slotTest) narrow(sel []uint64, v *vector.Vector) {
	v.Flatten()
	n := v.Len
	var nulls []uint64
	if v.Validity != nil {
		if t.set.null {
			nulls = append(nulls, sel[:bits.Words(n)]...)
			bits.AndNot(nulls, v.Validity[:len(nulls)])
			bits.ClearRange(nulls, n, len(nulls)*64)
		}
		bits.And(sel[:bits.Words(n)], v.Validity[:bits.Words(n)])
	}
	switch {
	case t.valueTest != nil:
		t.valueTest.Filter(sel, v)
	case t.set.hasAllValues() && (t.set.nan || !t.domain.hasNaN()):
	default:
		test := t.domain.lower(&t.set)
		test.Filter(sel, v)
	}
	for i, w := range nulls {
		sel[i] |= w
	}
}

// keepMatches clears the bits of sel for strings that re does not match.
func keepMatches(re *regexp.Regexp, v *vector.Vector, sel []uint64) {
	switch v.Type.Store() {
	case vector.InFixed, vector.InViews:
	default:
		bits.ClearRange(sel, 0, v.Len)
		return
	}
	for i := bits.Next(sel, 0, v.Len); i < v.Len; i = bits.Next(sel, i+1, v.Len) {
		if !re.Match(v.Bytes(i)) {
			bits.Clear(sel, i)
		}
	}
}
