package dtest

import (
	"math/rand/v2"
	"slices"
)

// Damaged returns a copy of a file that is cut off somewhere, or has up to eight other bytes: each second
// time among its last thousand, where files that end in their metadata have it.
func Damaged(r *rand.Rand, file []byte) []byte {
	file = slices.Clone(file)
	from, how := 0, r.IntN(8)
	if how == 0 {
		return file[:r.IntN(len(file))]
	}
	if how < 5 {
		from = max(0, len(file)-1000)
	}
	for range 1 + r.IntN(8) {
		at := from + r.IntN(len(file)-from)
		if r.IntN(2) == 0 {
			file[at] ^= 1 << r.IntN(8)
		} else {
			file[at] = byte(r.Uint32())
		}
	}
	return file
}
