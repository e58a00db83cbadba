package variant

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// AppendPrimitive appends a primitive with the given Bytes, strings in their short form where that fits.
func AppendPrimitive(dst []byte, kind Kind, data []byte) []byte {
	const mostShort = 63
	if kind == String && len(data) <= mostShort {
		dst = append(dst, byte(len(data))<<2|1)
		return append(dst, data...)
	}
	dst = append(dst, byte(kind)<<2)
	if payload[min(kind, UUID)] < 0 {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(data)))
	}
	return append(dst, data...)
}

// AppendDecimal16 appends a decimal of 16 bytes, given its unscaled number, big-endian and of at most as many.
func AppendDecimal16(dst []byte, unscaled []byte, scale uint8) []byte {
	dst = append(dst, byte(Decimal16)<<2, scale)
	number := len(dst)
	dst = append(dst, unscaled...)
	slices.Reverse(dst[number:])
	var sign byte
	if len(unscaled) > 0 && unscaled[0] >= 0x80 {
		sign = 0xff
	}
	for len(dst) < number+16 {
		dst = append(dst, sign)
	}
	return dst
}

// Wrap makes an array of the values from byte from of dst on, which begin at starts; with ids,
// an object, whose ids come in the order of their names. Starts count in dst.
func Wrap(dst []byte, from int, starts []int, ids []uint32) []byte {
	n, size := len(starts), len(dst)-from
	count, large := 1, byte(0)
	if n > 255 {
		count, large = 4, 1
	}
	offset, id := widthOf(uint64(size)), 0
	header := 3 | byte(offset-1)<<2 | large<<4
	if ids != nil {
		most := uint32(0)
		for _, x := range ids {
			most = max(most, x)
		}
		id = widthOf(uint64(most))
		header = 2 | byte(offset-1)<<2 | byte(id-1)<<4 | large<<6
	}
	front := 1 + count + n*id + (n+1)*offset
	dst = slices.Grow(dst, front)[:len(dst)+front]
	copy(dst[from+front:], dst[from:from+size])
	at := append(dst[:from], header)
	at = appendNumber(at, uint64(n), count)
	for _, x := range ids {
		at = appendNumber(at, uint64(x), id)
	}
	for _, start := range starts {
		at = appendNumber(at, uint64(start-from), offset)
	}
	appendNumber(at, uint64(size), offset)
	return dst
}

// widthOf returns how many bytes a number takes, at least 1.
func widthOf(x uint64) int { return max(1, (bits.Len64(x)+7)/8) }

func appendNumber(dst []byte, x uint64, width int) []byte {
	for range width {
		dst = append(dst, byte(x))
		x >>= 8
	}
	return dst
}
