package vector

import (
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// Reserve makes sure that n slots more than there are have memory.
func (v *Vector) Reserve(n int) {
	had := v.Len
	validity := v.Validity
	v.Validity = nil
	v.Extend(n)
	v.Len, v.Validity = had, validity
}

// Keep drops some of the n slots from first on, which are the last of a leaf
// without NULLs: those whose bits in sel are clear. Slot first has bit 0. The
// memory of the n slots must be there, their number need not: Len becomes what
// is left.
func (v *Vector) Keep(first, n int, sel []uint64) {
	kept := 0
	switch store := v.Type.Store(); {
	case v.Form == Dictionary:
		kept = pack.Values(v.Codes[first:], v.Codes[first:first+n], sel)
	case store == InBools:
		kept = keepBits(v.Bools[:bits.Words(first+n)], first, n, sel)
	case store == InInt32s:
		kept = pack.Values(v.Int32s[first:], v.Int32s[first:first+n], sel)
	case store == InInt64s:
		kept = pack.Values(v.Int64s[first:], v.Int64s[first:first+n], sel)
	case store == InFloats:
		kept = pack.Values(v.Floats[first:], v.Floats[first:first+n], sel)
	case store == InDoubles:
		kept = pack.Values(v.Doubles[first:], v.Doubles[first:first+n], sel)
	case store == InFixed:
		w := v.Type.Width()
		kept = keepFixed(v.Fixed[first*w:(first+n)*w], w, n, sel)
	case store == InViews:
		kept = pack.Values(v.Views[first:], v.Views[first:first+n], sel)
	}
	v.Len = first + kept
}

func keepBits(b []uint64, first, n int, sel []uint64) int {
	var some [64]uint64
	kept := 0
	for i := 0; i < n; i += 64 * len(some) {
		part := min(64*len(some), n-i)
		bits.Copy(some[:], 0, b, first+i, part)
		kept += bits.Compress(b, first+kept, some[:], sel[i/64:], part)
	}
	return kept
}

func keepFixed(values []byte, w, n int, sel []uint64) int {
	kept := 0
	for from, to := bits.NextRun(sel, 0, n); from < n; from, to = bits.NextRun(sel, to, n) {
		copy(values[kept*w:], values[from*w:to*w])
		kept += to - from
	}
	return kept
}
