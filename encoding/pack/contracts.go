package pack

import "github.com/winnow-scan/winnow/internal/invariants"

// packWords packs the values of up to words > 0 words, 64 for each, to dst. It stops before a word whose values, and
// some more, do not fit into room. It returns of how many words, and how many values it kept. If they are packed in
// place, dst is a later part of the memory that src is of, up to its end, and room may be 64 more than that:
// what kernels store never overtakes what they loaded.
// Reads the values of all words; writes room values.
func packWords[T any](dst, src []T, sel []uint64, words, room int, inPlace bool) (done, kept int) {
	if invariants.On {
		invariants.Reads(src[:len(src):len(src)], words*64)
		invariants.Reads(sel, words)
		if inPlace {
			invariants.Writes(dst, room-64)
		} else {
			invariants.Writes(dst, room)
		}
	}
	return packKernel(dst, src, sel, words, room)
}

// fetchWords is packWords for values of 4 or 8 bytes, few of which are wanted. It returns how many it kept, and how many
// words are left.
// Reads the values of all words; writes room values.
func fetchWords[T any](dst, src []T, sel []uint64, words, room int) (kept, left int) {
	if invariants.On {
		invariants.Reads(src[:len(src):len(src)], words*64)
		invariants.Reads(sel, words)
		invariants.Writes(dst, room)
	}
	return fetchKernel(dst, src, sel, words, room)
}
