package delta

import (
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// viewable returns the largest end of a value that kernels may make a view of, given
// that the first value is at byte at; -1 if there is none.
func viewable(body []byte, at int) int {
	limit := min(len(body), len(withPadding(body))-viewRead)
	if !hasAVX2 || at > limit || at < 4 {
		return -1
	}
	return limit
}

// withPadding returns body with the bytes after it that may be read.
func withPadding(body []byte) []byte {
	return body[:len(body)+min(cap(body)-len(body), encoding.Padding)]
}

// MakesFast reports whether kernels make values of prefixes and suffixes: in less time than Match takes to find those
// that are equal to a string, 3 ns a value instead of 4 to 8. Other tests of values take longer than Match.
func MakesFast() bool { return hasAVX2 }

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
	if i >= len(dst) || last < 0 && len(d.last) > inHead {
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
			n := joinShort(dst[i:], s, i, sixteens, &state, out, outLimit, body, bodyLimit, d.Buffer)
			i += n
			if short = n > 0; n == part {
				break
			} else if short {
				part = min(part-n, 16)
			}
		}
		n := joinViews(dst[i:], s, i, part, &state, out, outLimit, body, bodyLimit, d.Buffer)
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
	if d.values.suffixes.at > bodyLimit || to > outLimit || to == 0 && len(d.values.last) > inHead {
		return i
	}
	state := d.values.splicer(max(to-d.size, 0), to)
	done := joinFixed(d.size, s, i, n-i, &state, dst, outLimit, body, bodyLimit)
	if done > 0 {
		d.values.stop(&state, dst)
	}
	return i + done
}
