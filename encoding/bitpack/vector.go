package bitpack

import (
	"iter"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// readable returns how many groups of 8 values, at most, a kernel may unpack
// from src.
func readable(groups int, src []byte, width uint) int {
	if !hasAVX2 || width == 0 {
		return 0
	}
	return fitting(groups, cap(src)-overread, width)
}

// fitting returns how many groups, at most, fit into room bytes.
func fitting(groups, room int, width uint) int {
	if groups*int(width) > room {
		return max(0, room) / int(width)
	}
	return groups
}

// lane is a type of values that a kernel unpacks.
type lane interface{ uint8 | uint32 | uint64 }

// vector unpacks as many values as kernels can, in groups of 8, or of 32 bytes, and returns how many. Of a group at the
// end it unpacks all values, too.
func vector[T lane](dst []T, src []byte, width uint) (n int) {
	each, fits := 8, true
	switch any(dst).(type) {
	case []uint8:
		each = 32
	case []uint32:
		fits = inFourBytes(width)
	case []uint64:
		fits = inEightBytes(width)
	}
	if !fits {
		return 0
	}
	groups := readable((len(dst)+each-1)/each*each/8, src, width) * 8 / each
	if whole := min(groups, len(dst)/each); whole > 0 {
		unpackGroups(dst, src, whole*each/8, width)
		n = whole * each
	}
	if n < len(dst) && n < groups*each {
		var last [32]T
		unpackGroups(last[:each], src[Size(n, width):], each/8, width)
		n += copy(dst[n:], last[:])
	}
	return n
}

// spread8 unpacks groups*8 values if it may read and write as far as its kernel does.
func spread8(dst []uint8, src []byte, groups int, width uint) bool {
	if len(dst) < groups*8 || readable(groups, src, width) < groups {
		return false
	}
	unpackGroups(dst, src, groups, width)
	return true
}

func spreadRuns32(dst []uint32, src []byte, groups int, width uint, runs, gap int) int {
	if len(dst) < groups*8 || readable(groups, src, width) < groups || !inFourBytes(width) {
		return 0
	}
	bytes := groups * int(width)
	runs = min(runs, 1+(cap(src)-overread-bytes)/(bytes+gap), len(dst)/(groups*8))
	unpackRuns(dst, src, groups, width, runs, gap)
	return runs
}

// inFourBytes reports whether each value of the width lies in four bytes.
func inFourBytes(width uint) bool { return width <= 26 || width == 28 }

// inEightBytes reports whether each value of the width lies in eight bytes.
func inEightBytes(width uint) bool { return width <= 58 || width == 60 }

// steps hold where the next 64 codes are that a kernel tests, and where their
// outcomes go, as drawn in internal/tools/bitpack/asm.
type steps [7]int

// stepsOf returns the steps for runs of groups of 8 codes, at least 8 groups each,
// with gap bytes in between. They cover whole words, and then the last 64 codes. Some
// of these are tested twice; their outcomes go to the same bits:
//
//	groups   0 1 2 3 4 5 6 7 | 8 9 …      a run of 10 groups
//	words    ───────────────
//	             ───────────────
func stepsOf(runs, groups, gap int, width uint) steps {
	words, rest := groups/8, groups%8
	if rest == 0 {
		return steps{runs, words, gap, 0, words, gap, 0}
	}
	back := rest - 8
	return steps{2 * runs, words, gap, 0, 1, back * int(width), back}
}

// words iterates over the words of 64 codes of a width: from which byte of src each is, and to which bit of out its
// outcome goes.
func (s *steps) words(width uint) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		from, to := 0, 0
		for left := s[0]; left > 0; left-- {
			part := s[1+left%2*3:]
			if left < s[0] {
				from, to = from+part[1], to+part[2]*8
			}
			for range part[0] {
				if !yield(from, to) {
					return
				}
				from, to = from+8*int(width), to+64
			}
		}
	}
}

// reach returns how many bytes of src and words of out the words take.
func (s *steps) reach(width uint) (bytes, words int) {
	for from, to := range s.words(width) {
		bytes, words = max(bytes, from+8*int(width)), max(words, bits.Words(to+64))
	}
	return bytes, words
}

// vectorTest tests n codes by a kernel, if there is one for the width and the mask.
// It copies the last codes to memory with zeros after them if they are no whole
// groups, or if the kernel would read too far.
func vectorTest(out []uint64, n int, src []byte, width uint, mask *Mask) (done int, largest uint32) {
	if !mask.hasKernel(width) {
		return 0, 0
	}
	groups, room := n/8, cap(src)-overread
	if n%8 != 0 || fitting(groups, room, width) < groups {
		groups = fitting(n/64*8, room, width) / 8 * 8
	}
	if groups >= 8 {
		_ = out[(groups-1)/8]
		at := stepsOf(1, groups, 0, width)
		largest = testWords(out, src, &at, width, mask)
		if done = groups * 8; done%64 != 0 {
			out[done/64] &= 1<<(done%64) - 1
		}
	}
	for ; done < n; done += 64 {
		var tail [8*mostFetched + overread]byte
		part := min(64, n-done)
		size := copy(tail[:], src[Size(done, width):Size(done+part, width)])
		if spare := uint(part) * width % 8; spare != 0 {
			tail[size-1] &= 1<<spare - 1
		}
		at := stepsOf(1, 8, 0, width)
		largest = max(largest, testWords(out[done/64:], tail[:], &at, width, mask))
		out[done/64] &= ^uint64(0) >> (64 - part)
	}
	return done, largest
}

// vectorTestRuns is vectorTest for runs, as far as the kernel does not read beyond
// the capacity of src. It returns how many runs it tested.
func vectorTestRuns(out []uint64, src []byte, width uint, mask *Mask, runs, count, gap int) (done int, largest uint32) {
	size, room := Size(count, width), cap(src)-overread
	if !mask.hasKernel(width) || count < 64 || size > room {
		return 0, 0
	}
	done = min(runs, 1+(room-size)/(size+gap))
	_ = out[(done*count-1)/64]
	at := stepsOf(done, count/8, gap, width)
	return done, testWords(out, src, &at, width, mask)
}

// mostFetched is the largest width of codes that are looked up one by one. Masks of wider ones, 256 KiB
// and more, are not in the second cache.
const mostFetched = 20

// hasKernel reports whether there is a kernel for a width, and whether the mask is
// large enough for it: kernels do not check the limit.
func (m *Mask) hasKernel(width uint) bool {
	if !hasAVX2 || width == 0 {
		return false
	}
	return width <= 10 || width <= 16 && m.span.is || width <= mostFetched && m.padsTo(width)
}

// padsTo reports whether the mask has a bit for each number of a width.
func (m *Mask) padsTo(width uint) bool { return len(m.padded)*64>>width != 0 }

// vectorTestUnpacked is TestUnpacked for some of the codes, a multiple of 64. It
// returns how many.
func vectorTestUnpacked(out []uint64, codes []uint32, mask *Mask) (done int) {
	words := len(codes) / 64
	if !hasAVX2 || words == 0 {
		return 0
	}
	testUnpacked(out, codes, words, mask)
	return words * 64
}

// vectorPick unpacks all values that do not lie at the very end of src. It returns
// how many.
func vectorPick(dst []uint32, src []byte, width uint, positions []uint32, first int, inverse, gapBits uint64) int {
	n := len(positions)
	for ; n > 0; n-- { // positions ascend: most often one step is enough
		v := uint64(first + int(positions[n-1]))
		if at := (v*uint64(width) + v*inverse>>32*gapBits) / 8; at+8 <= uint64(len(src)) {
			break
		}
	}
	if n == 0 || width == 0 || !hasAVX2 {
		return 0
	}
	if !pick(dst, src, positions[:n], width, first, inverse, gapBits) {
		return 0
	}
	return n
}

func vectorLargest(codes []uint32) (done int, largest uint32) {
	blocks := len(codes) / 32
	if !hasAVX2 || blocks == 0 {
		return 0, 0
	}
	return blocks * 32, largestOf(codes, blocks)
}
