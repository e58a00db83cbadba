package bits

import "encoding/binary"

// DecimalKey returns 128 bits that compare as unsigned numbers in the order of b as a big-endian two's complement number,
// whatever its length. A number of more than 128 bits has the least or the greatest key. An empty b is 0.
//
//	ff 85    -123    7fff ffff ffff ffff   ffff ffff ffff ff85
//	00       0       8000 0000 0000 0000   0000 0000 0000 0000
func DecimalKey(b []byte) (high, low uint64) {
	var v int64
	switch n := len(b); {
	case n > 16:
		return longDecimalKey(b)
	case n > 8: // the halves overlap
		return uint64(int64(binary.BigEndian.Uint64(b))>>(8*uint(16-n))) ^ 1<<63, binary.BigEndian.Uint64(b[n-8:])
	case n >= 4: // here, too
		v = int64(int32(binary.BigEndian.Uint32(b)))<<(8*uint(n-4)) | int64(binary.BigEndian.Uint32(b[n-4:]))
	case n > 0:
		v = int64(int8(b[0]))
		for _, c := range b[1:] {
			v = v<<8 | int64(c)
		}
	}
	return uint64(v>>63) ^ 1<<63, uint64(v)
}

func longDecimalKey(b []byte) (high, low uint64) {
	sign := uint64(int64(int8(b[0])) >> 7)
	for ; len(b) > 16; b = b[1:] {
		if b[0] != byte(sign) || (b[0]^b[1])&0x80 != 0 {
			return ^sign, ^sign
		}
	}
	return DecimalKey(b)
}
