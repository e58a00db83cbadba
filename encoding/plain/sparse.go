package plain

import (
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// Of a block of values, and of those up to reach, places are found before
// values are fetched where no more than one in few is wanted: measured.
const (
	block = 512
	reach = 16 * block
	few   = 32
)

// gather stores those of values whose bits are set at the front of dst, and
// returns how many.
func gather[T encoding.Number](dst, values []T, sel []uint64) (kept int) {
	if len(values) < 2*block { // to clear room takes longer
		return pack.Values(dst, values, sel)
	}
	var room [reach/few + bits.Spare]uint32
	for n, at := len(values), 0; at < n; {
		sample := min(n-at, block)
		if far := min(n, at+reach); bits.Count(sel, at, at+sample) <= sample/few {
			if count, ok := bits.Few(room[:], sel, at, far); ok {
				out := dst[kept:][:count]
				for k, place := range room[:count] {
					out[k] = values[place]
				}
				kept += count
				at = far
				continue
			}
		}
		end := min(n, at+reach/2)
		kept += pack.Values(dst[kept:], values[at:end], sel[at/64:])
		at = end
	}
	return kept
}
