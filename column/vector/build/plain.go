package build

import (
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Plain returns slot i, not NULL, of a flat leaf in PLAIN encoding, without length prefix. It may be in dst's memory, which is
// empty, or v's.
func Plain(dst []byte, v *vector.Vector, i int) []byte {
	switch v.Type.Store() {
	case vector.InBools:
		if bits.Get(v.Bools, i) {
			return append(dst, 1)
		}
		return append(dst, 0)
	case vector.InInt32s:
		return binary.LittleEndian.AppendUint32(dst, uint32(v.Int32s[i]))
	case vector.InInt64s:
		return binary.LittleEndian.AppendUint64(dst, uint64(v.Int64s[i]))
	case vector.InFloats:
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(v.Floats[i]))
	case vector.InDoubles:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v.Doubles[i]))
	}
	return v.Bytes(i)
}
