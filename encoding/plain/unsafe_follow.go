package plain

import (
	"encoding/binary"
	"unsafe"
)

// A trail is the places of the values of a chain.
type trail [links + 1]int32

// followFew follows the first chains from starts on, in registers, and returns how many
// links each has. Each place satisfies: the value before it and a length at it are within
// the body; starts must satisfy it too. Places are int: this needs 64 bits.
func followFew(trails *[few]trail, body []byte, starts *[many]int) int {
	p, last := unsafe.Pointer(unsafe.SliceData(body)), len(body)-4
	a, b, c, d := starts[0], starts[1], starts[2], starts[3]
	trails[0][0], trails[1][0], trails[2][0], trails[3][0] = int32(a), int32(b), int32(c), int32(d)
	for k := range links {
		if (last-a)|(last-b)|(last-c)|(last-d) < 0 {
			return max(0, k-1)
		}
		a, b, c, d = after(p, a), after(p, b), after(p, c), after(p, d)
		trails[0][k+1], trails[1][k+1], trails[2][k+1], trails[3][k+1] = int32(a), int32(b), int32(c), int32(d)
	}
	if (last-a)|(last-b)|(last-c)|(last-d) < 0 {
		return links - 1
	}
	return links
}

// after returns where the value at byte at ends.
func after(body unsafe.Pointer, at int) int {
	// Safe: the callers check bounds for all chains at once, which halves the work.
	b := (*[4]byte)(unsafe.Add(body, at))
	return at + 4 + int(binary.LittleEndian.Uint32(b[:]))
}

// followMany is followFew for all chains, more than there are registers, and for at most
// most links.
func followMany(trails *[many]trail, body []byte, starts *[many]int, most int) int {
	p, last := unsafe.Pointer(unsafe.SliceData(body)), len(body)-4
	for j := range trails {
		trails[j][0] = int32(starts[j])
	}
	most = min(most, links)
	for k := range most {
		over := 0
		for j := 0; j < many; j += 4 {
			four := (*[4]trail)(trails[j:])
			a, b, c, d := after(p, int(four[0][k])), after(p, int(four[1][k])), after(p, int(four[2][k])), after(p, int(four[3][k]))
			four[0][k+1], four[1][k+1], four[2][k+1], four[3][k+1] = int32(a), int32(b), int32(c), int32(d)
			over |= (last - a) | (last - b) | (last - c) | (last - d)
		}
		if over < 0 {
			return k
		}
	}
	return most
}
