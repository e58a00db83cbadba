package encode

import (
	"encoding/binary"
	"math"
)

// Bools appends one bit a value, the first in the least significant bit.
func Bools(dst []byte, v []bool) []byte {
	w := bitWriter{dst: dst}
	for _, b := range v {
		if b {
			w.lsb(1, 1)
		} else {
			w.lsb(0, 1)
		}
	}
	return w.dst
}

// Int32s appends 4 bytes little endian a value.
func Int32s(dst []byte, v []int32) []byte {
	for _, x := range v {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(x))
	}
	return dst
}

// Int64s appends 8 bytes little endian a value.
func Int64s(dst []byte, v []int64) []byte {
	for _, x := range v {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(x))
	}
	return dst
}

// Int96s appends 12 bytes a value as they stand.
func Int96s(dst []byte, v [][12]byte) []byte {
	for _, x := range v {
		dst = append(dst, x[:]...)
	}
	return dst
}

// Float32s appends 4 bytes IEEE little endian a value.
func Float32s(dst []byte, v []float32) []byte {
	for _, x := range v {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
	}
	return dst
}

// Float64s appends 8 bytes IEEE little endian a value.
func Float64s(dst []byte, v []float64) []byte {
	for _, x := range v {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
	}
	return dst
}

// ByteArrays appends a 4-byte little endian length and the bytes of each value.
func ByteArrays(dst []byte, v [][]byte) []byte {
	for _, x := range v {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(x)))
		dst = append(dst, x...)
	}
	return dst
}

// FixedLenByteArrays appends the bytes of each value, which all have one length.
func FixedLenByteArrays(dst []byte, v [][]byte) []byte {
	for _, x := range v {
		if len(x) != len(v[0]) {
			panic("encode: fixed-length values of two lengths")
		}
		dst = append(dst, x...)
	}
	return dst
}

// ByteStreamSplit appends the values of plain, size bytes each, as size
// streams: all first bytes, then all second bytes, and so on.
func ByteStreamSplit(dst, plain []byte, size int) []byte {
	if size <= 0 || len(plain)%size != 0 {
		panic("encode: bytes do not divide into values")
	}
	for k := range size {
		for i := k; i < len(plain); i += size {
			dst = append(dst, plain[i])
		}
	}
	return dst
}
