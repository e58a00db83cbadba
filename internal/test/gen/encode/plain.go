package encode

import "encoding/binary"

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

// Numbers appends the little endian bytes of each of a slice of numbers, 4 or 8 as its type has, and those of INT96,
// which are [12]byte, as they stand.
func Numbers[S any](dst []byte, v S) []byte {
	dst, err := binary.Append(dst, binary.LittleEndian, v)
	if err != nil {
		panic("encode: " + err.Error())
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
