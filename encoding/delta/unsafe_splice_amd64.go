//go:build !purego

package delta

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// canSplice says that splice may do something.
const canSplice = true

// slack is how many bytes after a value the kernels read and write.
const slack = 64

// viewBytes returns the memory of views that kernels write: any 16 bytes that they
// store are a view.
func viewBytes(v []bits.View) *byte { return (*byte)(unsafe.Pointer(&v[0])) }

var hasVBMI = cpu.X86.HasAVX2 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI

// viewable returns the largest end of a value that kernels may make a view of, given
// that the first value is at byte at; -1 if there is none.
func viewable(body []byte, at int) int {
	limit := min(len(body), len(withPadding(body))-16)
	if !cpu.X86.HasAVX2 || at > limit || at < 4 {
		return -1
	}
	return limit
}

// viewsOf makes views of values of these lengths from byte at of body on, and
// returns how many and where the next value begins.
func viewsOf(dst []bits.View, lengths []int32, body []byte, at int, buffer int32) (int, int) {
	limit := viewable(body, at)
	if limit < 0 || len(dst) == 0 {
		return 0, at
	}
	dst, lengths = dst[:min(len(dst), len(lengths))], lengths[:min(len(dst), len(lengths))]
	done := 0
	if sixteens := len(dst) / 16; hasVBMI && sixteens > 0 {
		done, at = viewsVBMI(viewBytes(dst), &lengths[0], sixteens, &body[:1][0], at, limit, uint32(buffer))
	}
	if done == len(dst) {
		return done, at
	}
	more, at := viewsAVX2(viewBytes(dst[done:]), &lengths[done], len(dst)-done, &body[:1][0], at, limit, uint32(buffer))
	return done + more, at
}

// keepViews is viewsOf for the values, at most len(dst), whose bits are set in sel. It
// also returns how many they are. It overwrites scratch, and the lengths of the values
// that it passed.
func keepViews(dst []bits.View, lengths, scratch []int32, sel []uint64, body []byte, at int, buffer int32) (done, end, kept int) {
	limit, sixteens := viewable(body, at), min(len(dst), len(lengths), len(scratch), 64*len(sel))/16
	if !hasVBMI || limit < 0 || sixteens == 0 {
		return 0, at, 0
	}
	return keepViewsVBMI(viewBytes(dst), &lengths[0], sixteens, &body[:1][0], at, limit, uint32(buffer), &sel[0], &scratch[0])
}

// rareStrings was measured on strings of 0-12, 1-30 and 20-60 bytes: Gather and Keep take the
// same time at one wanted value in 53 to 90 with VBMI (Emerald Rapids), in 18 with AVX2, in 4 in
// pure Go. Measure again when Keep or Gather gets faster.
func rareStrings() int {
	switch {
	case hasVBMI:
		return 75
	case cpu.X86.HasAVX2:
		return 18
	}
	return 4
}

// sumOf adds up as many of the lengths as it can; signs is negative if one of them is.
func sumOf(lengths []int32) (n int, sum int64, signs int32) {
	groups := len(lengths) / 8
	if !cpu.X86.HasAVX2 || groups == 0 {
		return 0, 0, 0
	}
	sum, signs = sumLengthsAVX2(&lengths[0], groups)
	return groups * 8, sum, signs
}

// withPadding returns body with the bytes after it that may be read.
func withPadding(body []byte) []byte {
	return body[:len(body)+min(cap(body)-len(body), encoding.Padding)]
}

// A splicer is the state of the kernels between values: the first 64 bytes of the last
// value, its length, its place if it is longer, the place of the next value, and the
// place of its suffix.
type splicer struct {
	head                   [64]byte
	length, from, to, next uint64
}

// inHead is the length of values that the kernels hold in registers.
const inHead = 64

func (d *Prefixed) splicer(from, to int) (s splicer) {
	copy(s.head[:], d.last)
	s.length, s.from, s.to, s.next = uint64(len(d.last)), uint64(from), uint64(to), uint64(d.suffixes.at)
	return s
}

// stop takes over the state of the kernel, which wrote to out.
func (d *Prefixed) stop(s *splicer, out []byte) {
	d.suffixes.at = int(s.next)
	if s.length <= inHead {
		d.last = append(d.last[:0], s.head[:s.length]...)
	} else {
		d.last = append(d.last[:0], out[s.from:][:s.length]...)
	}
}

// splice makes values from number i on until one is not easy: its lengths are wrong, or
// body or arena have no room after it. The arena does not grow beyond limit. last is the
// place of the last value in the arena, or -1. splice returns the number of the next value,
// and the arena.
func (d *Prefixed) splice(dst []bits.View, s *shares, i int, arena []byte, limit, last int) (int, []byte) {
	if !cpu.X86.HasAVX2 || i >= len(dst) || last < 0 && len(d.last) > inHead {
		return i, arena
	}
	if cap(arena)-len(arena) < 2*slack {
		arena = append(arena, make([]byte, room)...)[:len(arena)]
	}
	body := withPadding(d.suffixes.body)
	bodyLimit := min(len(d.suffixes.body), len(body)-slack)
	outLimit := min(limit, cap(arena)-slack)
	if d.suffixes.at > bodyLimit || len(arena) > outLimit {
		return i, arena
	}
	out := arena[:cap(arena)]
	state := d.splicer(max(last, 0), len(arena))
	first := i
	short := hasVBMI && len(d.last) <= 32 // whether to try the kernel that is faster for short values
	for easy := true; easy && i < len(dst); {
		part := len(dst) - i
		if sixteens := part / 16; short && sixteens > 0 {
			n := spliceShortVBMI(viewBytes(dst[i:]), &s.prefix[i], sixteens, &state.head[0],
				&out[0], outLimit, &body[0], bodyLimit, uint32(d.Buffer))
			i += n
			if short = n > 0; n == part {
				break
			} else if short {
				part = min(part-n, 16)
			}
		}
		n := spliceAVX2(viewBytes(dst[i:]), &s.prefix[i], part, &state.head[0],
			&out[0], &out[outLimit], &body[0], &body[bodyLimit], uint32(d.Buffer))
		i += n
		easy = n == part
	}
	if i == first {
		return i, arena
	}
	d.stop(&state, out)
	return i, out[:state.to]
}

// splice makes values i to n of these lengths until one is not easy; the first goes to
// byte at of dst. It returns the number of the next value.
func (d *Fixed) splice(dst []byte, s *shares, i, n, at int) int {
	body := withPadding(d.values.suffixes.body)
	bodyLimit := min(len(d.values.suffixes.body), len(body)-slack)
	to, outLimit := (at+i)*d.size, len(dst)-slack
	if !cpu.X86.HasAVX2 || d.values.suffixes.at > bodyLimit || to > outLimit || to == 0 && len(d.values.last) > inHead {
		return i
	}
	state := d.values.splicer(max(to-d.size, 0), to)
	done := spliceFixedAVX2(d.size, &s.prefix[i], n-i, &state.head[0],
		&dst[0], &dst[outLimit], &body[0], &body[bodyLimit], 0)
	if done > 0 {
		d.values.stop(&state, dst)
	}
	return i + done
}
