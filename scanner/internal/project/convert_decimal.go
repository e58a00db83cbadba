package project

import (
	"math"
	"math/big"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// maxDigits bounds the precision of converted decimals. It is larger than any in use, and
// small enough for powers of ten to be cheap.
const maxDigits = 1000

// decimalConversion returns the conversion to a wider decimal, nil if want lacks room for
// the digits of have on either side of the point.
func decimalConversion(have, want vector.Type) func(dst, src *vector.Vector) int {
	up := int64(want.Scale) - int64(have.Scale)
	if up < 0 || int64(want.Precision)-int64(want.Scale) < int64(have.Precision)-int64(have.Scale) || want.Precision > maxDigits || have.Scale > maxDigits {
		return nil
	}
	if isNumber(have) && isNumber(want) && want.Precision <= 18 && up <= 18 {
		mul, limit := pow10(int(up)).Int64(), pow10(int(want.Precision)).Int64()-1
		return func(dst, src *vector.Vector) int { return scaleInto(dst, src, mul, false, -limit, limit) }
	}
	mul, limit := pow10(int(up)), pow10(int(want.Precision))
	return func(dst, src *vector.Vector) int { return scaleBig(dst, src, mul, limit) }
}

func isNumber(t vector.Type) bool {
	return t.Physical == vector.Int32 || t.Physical == vector.Int64
}

func pow10(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// scaleBig multiplies decimals of any physical type. It loses those that are not below limit then, or too long.
func scaleBig(dst, src *vector.Vector, mul, limit *big.Int) int {
	var x big.Int
	var bytes, arena []byte
	width, room, bad := dst.Type.Width(), 8*maxDigits, -1
	if width > 0 {
		room = 8*width - 1
	}
	for i := range src.Len {
		if src.IsNull(i) {
			continue
		}
		switch src.Type.Physical {
		case vector.Int32:
			x.SetInt64(int64(src.Int32s[i]))
		case vector.Int64:
			x.SetInt64(src.Int64s[i])
		default:
			x.Set(limit)
			if b := bits.Significant(src.Bytes(i)); len(b) <= maxDigits {
				bits.SetSigned(&x, b)
			}
		}
		if x.Mul(&x, mul); x.CmpAbs(limit) >= 0 || x.BitLen() > room || len(arena)+max(width, maxDigits) > math.MaxInt32 {
			bad = lose(dst, i, bad)
			continue
		}
		switch dst.Type.Physical {
		case vector.Int32:
			dst.Int32s[i] = int32(x.Int64())
		case vector.Int64:
			dst.Int64s[i] = x.Int64()
		default:
			if bytes = bits.AppendSigned(bytes[:0], &x, max(width, x.BitLen()/8+1)); width == 0 {
				bytes = bits.Significant(bytes) // -128 has one
			}
			if dst.Type.Store() == vector.InFixed {
				copy(dst.Fixed[i*width:(i+1)*width], bytes)
				continue
			}
			dst.Views[i] = bits.Make(bytes, 0, int32(len(arena)))
			if len(bytes) > bits.MaxInline {
				arena = append(arena, bytes...)
			}
		}
	}
	if len(arena) > 0 {
		build.AddBuffer(dst, arena)
	}
	return bad
}
