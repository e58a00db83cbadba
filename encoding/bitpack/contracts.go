package bitpack

import "github.com/winnow-scan/winnow/internal/invariants"

// overread is the number of bytes after their values that kernels read.
const overread = 16

// unpackGroups unpacks groups*8 values, groups > 0 and, for bytes, a multiple of 4, of a width that fits.
// Reads overread bytes after them; writes no more.
func unpackGroups[T lane](dst []T, src []byte, groups int, width uint) {
	if invariants.On {
		invariants.Reads(src, groups*int(width)+overread)
		invariants.Writes(dst, groups*8)
	}
	unpackKernel(dst, src, groups, width)
}

// unpackRuns unpacks groups*8 values of 32 bits, groups > 0, of each of runs > 0, which have gap bytes in between.
// Reads overread bytes after the last run; writes no more than the values.
func unpackRuns(dst []uint32, src []byte, groups int, width uint, runs, gap int) {
	if invariants.On {
		invariants.Reads(src, runs*groups*int(width)+(runs-1)*gap+overread)
		invariants.Writes(dst, runs*groups*8)
	}
	unpackRunsKernel(dst, src, groups, width, runs, gap)
}

// testWords tests words of 64 codes, and returns the largest.
// Reads overread bytes after the codes, and the mask's bits of all numbers of the width; writes the words.
func testWords(out []uint64, src []byte, at *steps, width uint, mask *Mask) uint32 {
	if invariants.On {
		bytes, words := at.reach(width)
		invariants.Reads(src, bytes+overread)
		invariants.Writes(out, words)
		if width > 10 && !(width <= 16 && mask.span.is) {
			invariants.Reads(mask.padded, 1<<width/64)
		}
	}
	return testWordsKernel(out, src, at, width, mask)
}

// testUnpacked tests words*64 codes, words > 0.
// Reads as many codes, and the mask's bits up to the largest; writes words words.
func testUnpacked(out []uint64, codes []uint32, words int, mask *Mask) {
	if invariants.On {
		invariants.Reads(codes, words*64)
		invariants.Writes(out, words)
		for _, c := range codes[:words*64] {
			invariants.Reads(mask.bits, int(c/64)+1)
		}
	}
	testUnpackedKernel(out, codes, words, mask)
}

// pick unpacks the values first+positions[k] to dst[k], and reports whether there is a kernel. Value v lies
// v*inverse>>32*gapBits bits farther on.
// Reads 8 bytes from where each value begins; writes as many values as there are positions.
func pick(dst []uint32, src []byte, positions []uint32, width uint, first int, inverse, gapBits uint64) bool {
	if invariants.On {
		invariants.Writes(dst, len(positions))
		for _, p := range positions {
			v := uint64(first + int(p))
			invariants.Reads(src, int((v*uint64(width)+v*inverse>>32*gapBits)/8)+8)
		}
	}
	return pickKernel(dst, src, positions, width, first, inverse, gapBits)
}

// largestOf returns the largest of blocks*32 codes, blocks > 0.
// Reads these; writes nothing.
func largestOf(codes []uint32, blocks int) uint32 {
	if invariants.On {
		invariants.Reads(codes, blocks*32)
	}
	return largestKernel(codes, blocks)
}
