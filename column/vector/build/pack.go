package build

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// Reserve allocates memory for n more slots. It does not change Len.
func Reserve(v *vector.Vector, n int) {
	before := v.Len
	validity := v.Validity
	v.Validity = nil
	Extend(v, n)
	v.Len, v.Validity = before, validity
}

// Pack drops the slots whose bits in sel are clear, of the last n slots of a leaf
// without NULLs. These start at slot first, which has bit 0. Their memory must
// be there, but Len need not include them yet: Pack sets Len to first plus the
// number of slots that it kept.
func Pack(v *vector.Vector, first, n int, sel []uint64) {
	kept := 0
	switch store := v.Type.Store(); {
	case v.Form == vector.Dictionary:
		kept = pack.Values(v.Codes[first:], v.Codes[first:first+n], sel)
	case store == vector.InBools:
		kept = packBits(v.Bools[:bits.Words(first+n)], first, n, sel)
	case store == vector.InInt32s:
		kept = pack.Values(v.Int32s[first:], v.Int32s[first:first+n], sel)
	case store == vector.InInt64s:
		kept = pack.Values(v.Int64s[first:], v.Int64s[first:first+n], sel)
	case store == vector.InFloats:
		kept = pack.Values(v.Floats[first:], v.Floats[first:first+n], sel)
	case store == vector.InDoubles:
		kept = pack.Values(v.Doubles[first:], v.Doubles[first:first+n], sel)
	case store == vector.InFixed:
		w := v.Type.Width()
		kept = packFixed(v.Fixed[first*w:(first+n)*w], w, n, sel)
	case store == vector.InViews:
		kept = pack.Values(v.Views[first:], v.Views[first:first+n], sel)
	}
	v.Len = first + kept
}

// packBits is Pack for n bits from first on; it returns the number of bits kept.
func packBits(b []uint64, first, n int, sel []uint64) int {
	var buffer [64]uint64
	kept := 0
	for i := 0; i < n; i += 64 * len(buffer) {
		part := min(64*len(buffer), n-i)
		bits.Copy(buffer[:], 0, b, first+i, part)
		kept += bits.Compress(b, first+kept, buffer[:], sel[i/64:], part)
	}
	return kept
}

// packFixed is Pack for n values of w bytes; it returns the number of values kept.
func packFixed(values []byte, w, n int, sel []uint64) int {
	kept := 0
	for from, to := bits.NextRun(sel, 0, n); from < n; from, to = bits.NextRun(sel, to, n) {
		copy(values[kept*w:], values[from*w:to*w])
		kept += to - from
	}
	return kept
}
