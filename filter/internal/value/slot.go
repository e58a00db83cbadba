package value

import (
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// PlainSlot returns the PLAIN encoding of a slot of a flat vector. It aliases the
// vector for strings and binaries, and buf otherwise.
func PlainSlot(buf *[8]byte, v *vector.Vector, i int) []byte {
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

// Integer returns a stored integer, a UINT64 reinterpreted as signed.
func (d *Domain) Integer(plain []byte) int64 {
	switch {
	case d.Type.Physical == vector.Boolean:
		return int64(plain[0] & 1)
	case d.Type.Physical == vector.Int64:
		return int64(binary.LittleEndian.Uint64(plain))
	case d.Kind == OfUints:
		return int64(binary.LittleEndian.Uint32(plain))
	}
	return int64(int32(binary.LittleEndian.Uint32(plain)))
}
