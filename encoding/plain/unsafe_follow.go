package plain

import (
	"encoding/binary"
	"unsafe"
)

// follow follows the chains, and returns how many links each has. Each place is
// such that the value before it, and a length at it, are within the body, where
// the starts must be. There are 64 bits to a place.
func follow(places *[chains][links + 1]int32, body []byte, starts *[chains + 1]int) int {
	// Safe: checked below for all four at once, which is half of the work.
	length := func(at int) int {
		b := (*[4]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(body)), at))
		return int(binary.LittleEndian.Uint32(b[:]))
	}
	a, b, c, d := starts[0], starts[1], starts[2], starts[3]
	places[0][0], places[1][0], places[2][0], places[3][0] = int32(a), int32(b), int32(c), int32(d)
	last := len(body) - 4
	for k := range links {
		if (last-a)|(last-b)|(last-c)|(last-d) < 0 {
			return max(0, k-1)
		}
		a += 4 + length(a)
		b += 4 + length(b)
		c += 4 + length(c)
		d += 4 + length(d)
		places[0][k+1], places[1][k+1], places[2][k+1], places[3][k+1] = int32(a), int32(b), int32(c), int32(d)
	}
	if (last-a)|(last-b)|(last-c)|(last-d) < 0 {
		return links - 1
	}
	return links
}
