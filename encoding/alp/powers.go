package alp

import "github.com/winnow-scan/winnow/encoding"

// number is a type that ALP encodes.
type number interface{ float32 | float64 }

// The powers of ten, each the nearest number of its type. They are part of the
// format: computed ones may differ in the last bit.
var (
	up32   = [...]float32{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10}
	down32 = [...]float32{1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}
	up64   = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
		1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}
	down64 = [...]float64{1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9,
		1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18}
)

// maxExponent is the largest exponent that the format has for T.
func maxExponent[T number]() uint8 {
	if encoding.SizeOf[T]() == 4 {
		return uint8(len(up32) - 1)
	}
	return uint8(len(up64) - 1)
}

// powers returns the two factors that scale multiplies with.
func powers[T number](factor, exponent uint8) (up, down T) {
	if encoding.SizeOf[T]() == 4 {
		return T(up32[factor]), T(down32[exponent])
	}
	return T(up64[factor]), T(down64[exponent])
}

// scale turns integers above frame into values; dst and integers may be the
// same memory. I is the signed twin of U.
func scale[T number, U uint32 | uint64, I int32 | int64](dst []T, integers []U, frame U, up, down T) {
	dst = dst[:len(integers)]
	for i, x := range integers {
		dst[i] = T(T(I(x+frame))*up) * down
	}
}
