package naive

import (
	"errors"
	"math"
)

// read calls one n times or until it fails.
func read[T any](n int, one func() (T, error)) ([]T, error) {
	var v []T
	for range n {
		x, err := one()
		if err != nil {
			return v, err
		}
		v = append(v, x)
	}
	return v, nil
}

// Bools decodes PLAIN BOOLEAN.
func Bools(body []byte, n int) ([]bool, error) {
	return numbers(body, n, 1, func(x uint64) bool { return x == 1 })
}

// numbers decodes n numbers of width bits.
func numbers[T any](body []byte, n, width int, of func(bits uint64) T) ([]T, error) {
	b := &bits{body: body}
	return read(n, func() (T, error) {
		x, err := b.lsb(width)
		return of(x), err
	})
}

// Int32s decodes PLAIN INT32.
func Int32s(body []byte, n int) ([]int32, error) {
	return numbers(body, n, 32, func(x uint64) int32 { return int32(x) })
}

// Int64s decodes PLAIN INT64.
func Int64s(body []byte, n int) ([]int64, error) {
	return numbers(body, n, 64, func(x uint64) int64 { return int64(x) })
}

// Float32s decodes PLAIN FLOAT.
func Float32s(body []byte, n int) ([]float32, error) {
	return numbers(body, n, 32, func(x uint64) float32 { return math.Float32frombits(uint32(x)) })
}

// Float64s decodes PLAIN DOUBLE.
func Float64s(body []byte, n int) ([]float64, error) {
	return numbers(body, n, 64, math.Float64frombits)
}

// FixedLenByteArrays decodes PLAIN FIXED_LEN_BYTE_ARRAY, and INT96 with a size of 12.
func FixedLenByteArrays(body []byte, n, size int) ([][]byte, error) {
	b := &bits{body: body}
	return read(n, func() ([]byte, error) { return b.bytes(size) })
}

// ByteArrays decodes PLAIN BYTE_ARRAY.
func ByteArrays(body []byte, n int) ([][]byte, error) {
	b := &bits{body: body}
	return read(n, func() ([]byte, error) {
		length, err := b.lsb(32)
		if err != nil {
			return nil, err
		}
		if length > uint64(len(body)) {
			return nil, errShort
		}
		return b.bytes(int(length))
	})
}

// bytes reads n bytes, if there are as many.
func (b *bits) bytes(n int) ([]byte, error) {
	if n > len(b.body)-b.at {
		return nil, errShort
	}
	return read(n, func() (byte, error) {
		x, err := b.lsb(8)
		return byte(x), err
	})
}

// ByteStreamSplit decodes BYTE_STREAM_SPLIT to the bytes of PLAIN. The body's
// size alone says how many values there are.
func ByteStreamSplit(body []byte, n, size int) ([]byte, error) {
	if size <= 0 || len(body)%size != 0 {
		return nil, errors.New("naive: streams of different lengths")
	}
	length := len(body) / size
	var plain []byte
	for i := range n {
		if i >= length {
			return plain, errShort
		}
		for k := range size {
			plain = append(plain, body[k*length+i])
		}
	}
	return plain, nil
}
