package bloom

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/column/vector"
)

// AppendHashes appends the hashes under which a writer may have inserted a value
// that equals plain. It returns false for values that must not be looked up, because
// their hashes cannot be known:
//
//   - NaN has many encodings and equals nothing;
//   - INT96 and decimals of variable length have several encodings of one value;
//   - booleans, which writers encode differently before hashing;
//   - values of UNKNOWN columns, and values whose length is not that of their type.
//
// 0.0 and -0.0 are equal and have two encodings, hence two hashes. The value
// may be in the filter if any of the hashes is.
func AppendHashes(dst []uint64, t vector.Type, plain []byte) ([]uint64, bool) {
	switch t.Physical {
	case vector.Int32, vector.Int64, vector.Float, vector.Double, vector.FixedLenByteArray:
		if len(plain) != t.Width() {
			return dst, false
		}
	case vector.ByteArray:
		if t.Logical == vector.Decimal {
			return dst, false
		}
	default:
		return dst, false
	}
	switch {
	case t.Logical == vector.Null:
		return dst, false
	case t.Physical == vector.Float:
		return appendFloatHashes(dst, plain, uint64(binary.LittleEndian.Uint32(plain)), 1<<31, 0xff<<23)
	case t.Physical == vector.Double:
		return appendFloatHashes(dst, plain, binary.LittleEndian.Uint64(plain), 1<<63, 0x7ff<<52)
	case t.Logical == vector.Float16 && len(plain) == 2:
		return appendFloatHashes(dst, plain, uint64(binary.LittleEndian.Uint16(plain)), 1<<15, 0x1f<<10)
	}
	return append(dst, Hash(plain)), true
}

// appendFloatHashes is AppendHashes for floating-point numbers of any size, given
// the bits of plain, and those of the sign and of infinity.
func appendFloatHashes(dst []uint64, plain []byte, bits, sign, infinity uint64) ([]uint64, bool) {
	switch magnitude := bits &^ sign; {
	case magnitude > infinity:
		return dst, false
	case magnitude == 0:
		var zero [8]byte
		z := zero[:len(plain)]
		dst = append(dst, Hash(z))
		z[len(z)-1] = 0x80
		return append(dst, Hash(z)), true
	}
	return append(dst, Hash(plain)), true
}
