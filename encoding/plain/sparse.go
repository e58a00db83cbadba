package plain

import (
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// Places are found before values are fetched where no more than one in few of a
// block is wanted: measured. So it is done for as many values as should have no more
// than three quarters of a block wanted among them.
const (
	block = 512
	reach = 64 * block
	few   = 32
)

// gather stores those of values whose bits are set at the front of dst, and
// returns how many.
func gather[T encoding.Number](dst, values []T, sel []uint64) (kept int) {
	if len(values) < 2*block { // to clear room takes longer
		return pack.Values(dst, values, sel)
	}
	var room [block + bits.Spare]uint32
	for n, at := len(values), 0; at < n; {
		sample := min(n-at, block)
		if count := bits.Count(sel, at, at+sample); count <= sample/few {
			far := min(n, at+min(reach, (block*3/4*sample/(count+4)+64)&^63))
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
		end := min(n, at+8*block)
		kept += pack.Values(dst[kept:], values[at:end], sel[at/64:])
		at = end
	}
	return kept
}
