package naive

import (
	"errors"
	"math"
	"strconv"
)

// ALPFloat32s decodes n values of ALP that holds at most as many, FLOAT.
// Arithmetic is in 32 bits.
func ALPFloat32s(body []byte, n int) ([]float32, error) {
	return alp(body, n, 32, 10,
		func(integer uint64, factor, exponent int) float32 {
			v := float32(int32(integer)) * float32(power(factor, 32))
			return v * float32(power(-exponent, 32))
		},
		func(bits uint64) float32 { return math.Float32frombits(uint32(bits)) })
}

// ALPFloat64s is ALPFloat32s for DOUBLE, in 64 bits.
func ALPFloat64s(body []byte, n int) ([]float64, error) {
	return alp(body, n, 64, 18,
		func(integer uint64, factor, exponent int) float64 {
			v := float64(int64(integer)) * power(factor, 64)
			return v * power(-exponent, 64)
		},
		math.Float64frombits)
}

// power returns the number of the type that is closest to 10^e.
func power(e, typeBits int) float64 {
	v, err := strconv.ParseFloat("1e"+strconv.Itoa(e), typeBits)
	if err != nil {
		panic(err)
	}
	return v
}

func alp[T any](body []byte, n, typeBits, maxExponent int, decimal func(integer uint64, factor, exponent int) T, exact func(bits uint64) T) ([]T, error) {
	if len(body) == 0 {
		if n == 0 {
			return nil, nil
		}
		return nil, errFew
	}
	b := &bits{body: body}
	var mode, packing, log, count uint64
	for _, field := range []struct {
		v     *uint64
		width int
	}{{&mode, 8}, {&packing, 8}, {&log, 8}, {&count, 32}} {
		var err error
		if *field.v, err = b.lsb(field.width); err != nil {
			return nil, err
		}
	}
	if mode != 0 || packing != 0 || log < 3 || log > 15 {
		return nil, errors.New("naive: ALP of a kind that the format has not")
	}
	if count > uint64(n) { // negative ones, too
		return nil, errors.New("naive: more values than the page")
	}
	size := 1 << log
	vectors := (int(count) + size - 1) / size
	offsets, err := read(vectors, func() (uint64, error) { return b.lsb(32) })
	if err != nil {
		return nil, err
	}
	var v []T
	for k, offset := range offsets {
		if uint64(b.at) != 7+offset {
			return v, errors.New("naive: a vector is not where its offset says")
		}
		vector, err := alpVector(b, min(size, int(count)-len(v)), typeBits, maxExponent, decimal, exact)
		if err != nil {
			return v, err
		}
		if k+1 < vectors && uint64(b.at) != 7+offsets[k+1] {
			return v, errors.New("naive: a vector does not end where the next begins")
		}
		v = append(v, vector...)
	}
	if int(count) < n {
		return v, errFew
	}
	return v, nil
}

func alpVector[T any](b *bits, n, typeBits, maxExponent int, decimal func(integer uint64, factor, exponent int) T, exact func(bits uint64) T) ([]T, error) {
	var exponent, factor, exceptions, frame, width uint64
	for _, field := range []struct {
		v     *uint64
		width int
	}{{&exponent, 8}, {&factor, 8}, {&exceptions, 16}, {&frame, typeBits}, {&width, 8}} {
		var err error
		if *field.v, err = b.lsb(field.width); err != nil {
			return nil, err
		}
	}
	if exponent > uint64(maxExponent) || factor > exponent || width > uint64(typeBits) || exceptions > uint64(n) {
		return nil, errors.New("naive: a vector's header has a number that is too large")
	}
	v, err := read(n, func() (T, error) {
		delta, err := b.lsb(int(width))
		return decimal(delta+frame, int(factor), int(exponent)), err
	})
	if err != nil {
		return nil, err
	}
	for b.used%8 != 0 {
		b.bit(false)
	}
	positions, err := read(int(exceptions), func() (uint64, error) { return b.lsb(16) })
	if err != nil {
		return nil, err
	}
	for _, p := range positions {
		bits, err := b.lsb(typeBits)
		if err != nil {
			return nil, err
		}
		if p >= uint64(n) {
			return nil, errors.New("naive: an exception is behind its vector")
		}
		v[p] = exact(bits)
	}
	return v, nil
}
