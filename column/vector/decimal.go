package vector

import (
	"encoding/binary"
	"math/big"
	stdbits "math/bits"
	"slices"
	"strconv"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// maxDecimalBytes bounds the significant bytes of a decimal that is printed:
// printing takes more than linear time. 64 KiB are 157,000 digits, beyond any
// decimal in use.
const maxDecimalBytes = 1 << 16

// appendDecimal64 appends v × 10^-scale.
func appendDecimal64(dst []byte, v int64, scale int32) []byte {
	u := uint64(v)
	if v < 0 {
		dst = append(dst, '-')
		u = -u
	}
	start := len(dst)
	dst = strconv.AppendUint(dst, u, 10)
	return placePoint(dst, start, scale)
}

// appendDecimalBytes appends b × 10^-scale. b is a big-endian two's complement
// number of any length:
//
//	ff 85, scale 2: 0xff85 = -123, so -1.23
func appendDecimalBytes(dst, b []byte, scale int32) ([]byte, error) {
	b = bits.Significant(b)
	if len(b) <= 8 {
		return appendDecimal64(dst, bits.Int64(b), scale), nil
	}
	if len(b) > maxDecimalBytes {
		return dst, corrupt.NotSupported("decimal of ", len(b), " bytes")
	}
	negative := b[0] >= 0x80
	if negative {
		dst = append(dst, '-')
	}
	start := len(dst)
	if len(b) <= 16 {
		hi, lo := uint64(bits.Int64(b[:len(b)-8])), binary.BigEndian.Uint64(b[len(b)-8:])
		if negative {
			var borrow uint64
			lo, borrow = stdbits.Sub64(0, lo, 0)
			hi, _ = stdbits.Sub64(0, hi, borrow)
		}
		dst = appendUint128(dst, hi, lo)
	} else {
		v := bits.SetSigned(new(big.Int), b)
		dst = v.Abs(v).Append(dst, 10)
	}
	return placePoint(dst, start, scale), nil
}

// appendUint128 appends hi×2^64 + lo, at most 39 digits: three parts of 19.
func appendUint128(dst []byte, hi, lo uint64) []byte {
	const part = 1e19
	q, r := hi/part, hi%part
	lo, low := stdbits.Div64(r, lo, part)
	top, middle := stdbits.Div64(q, lo, part)
	switch {
	case top != 0:
		dst = strconv.AppendUint(dst, top, 10)
		dst = append19(dst, middle)
		return append19(dst, low)
	case middle != 0:
		dst = strconv.AppendUint(dst, middle, 10)
		return append19(dst, low)
	}
	return strconv.AppendUint(dst, low, 10)
}

// append19 appends v as 19 digits, with leading zeros.
func append19(dst []byte, v uint64) []byte {
	const n = 19
	start := len(dst)
	dst = append(dst, "0000000000000000000"...)
	for i := start + n - 1; v != 0; i-- {
		dst[i] = byte('0' + v%10)
		v /= 10
	}
	return dst
}

// placePoint puts a decimal point before the last scale digits of dst[start:],
// with zeros in front if there are no more than scale digits.
func placePoint(dst []byte, start int, scale int32) []byte {
	if scale <= 0 {
		return dst
	}
	if zeros := int(scale) + 1 - (len(dst) - start); zeros > 0 {
		dst = append(dst, make([]byte, zeros)...)
		copy(dst[start+zeros:], dst[start:])
		for i := range zeros {
			dst[start+i] = '0'
		}
	}
	return slices.Insert(dst, len(dst)-int(scale), '.')
}
