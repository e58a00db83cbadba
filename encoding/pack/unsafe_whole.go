package pack

import (
	"unsafe"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// If at most one in rare values of the first words, a sample, is wanted, values are
// fetched one by one; else stretch words are packed before the next sample. Measured on PLAIN
// numbers: Gather of 1 % takes 0.16 (int32) and 0.10 (int64) of Next. The neighbours of rare were not recorded.
const (
	sample  = 8
	rare    = 16
	stretch = 64
)

// whole is Values for the first whole words of sel. It returns how many words it did,
// and how many values it kept.
func whole[T any](dst, src []T, sel []uint64) (words, kept int) {
	if !hasAVX2 {
		return 0, 0
	}
	all, size := len(src)/64, unsafe.Sizeof(*new(T))
	sel = sel[:all]
	for words < all && kept < len(dst) {
		out, from, w := dst[kept:], src[words*64:], sel[words:]
		room, part := len(out), all-words
		if hasFetch && part >= 2*sample && (size == 4 || size == 8) {
			if bits.Count(sel, words*64, (words+sample)*64) <= sample*64/rare {
				n, left := fetchWords(out, from, w, part, room)
				if words, kept = all-left, kept+n; left < part {
					continue
				}
			}
			part = min(part, stretch)
		}
		inPlace := unsafe.SliceData(dst) == unsafe.SliceData(src)
		if inPlace {
			out = src[kept:]
			room = len(out) + 64
		}
		done, n := packWords(out, from, w, part, room, inPlace)
		if words, kept = words+done, kept+n; done < part {
			break
		}
	}
	return words, kept
}
