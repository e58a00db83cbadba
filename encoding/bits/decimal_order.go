package bits

import (
	"bytes"
	"cmp"
	"math/big"
)

// SetSigned sets x to a big-endian two's complement number, and returns it. One without bytes is 0.
func SetSigned(x *big.Int, b []byte) *big.Int {
	x.SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(len(b))*8))
	}
	return x
}

// AppendSigned appends x as a big-endian two's complement number of n bytes.
func AppendSigned(dst []byte, x *big.Int, n int) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, n)...)
	if x.Sign() < 0 {
		x = new(big.Int).Add(x, new(big.Int).Lsh(big.NewInt(1), uint(n)*8))
	}
	x.FillBytes(dst[start:])
	return dst
}

// Signed returns x as the shortest big-endian two's complement number.
func Signed(x *big.Int) []byte { return Significant(AppendSigned(nil, x, x.BitLen()/8+1)) }

// Int64 returns a big-endian two's complement number of up to 8 bytes.
func Int64(b []byte) int64 {
	var v int64
	if len(b) > 0 {
		v = int64(int8(b[0]))
		for _, c := range b[1:] {
			v = v<<8 | int64(c)
		}
	}
	return v
}

// Significant returns the shortest tail of b that is the same big-endian two's
// complement number, without the leading bytes that only repeat the sign. The
// tail shares b's memory.
func Significant(b []byte) []byte {
	for len(b) > 1 && (b[0] == 0 && b[1] < 0x80 || b[0] == 0xff && b[1] >= 0x80) {
		b = b[1:]
	}
	return b
}

// CompareDecimals compares big-endian two's complement numbers. One without bytes is 0.
// Of two positive numbers the longer one is the greater, of two negative ones the smaller.
func CompareDecimals(a, b []byte) int {
	if len(a) == 0 {
		a = []byte{0}
	}
	if len(b) == 0 {
		b = []byte{0}
	}
	a, b = Significant(a), Significant(b)
	if bySign := cmp.Compare(b[0]>>7, a[0]>>7); bySign != 0 {
		return bySign
	}
	if byLength := cmp.Compare(len(a), len(b)); byLength != 0 {
		if a[0] >= 0x80 {
			return -byLength
		}
		return byLength
	}
	return bytes.Compare(a, b)
}
