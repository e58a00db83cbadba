package zstd

import "github.com/winnow-scan/winnow/internal/invariants"

// sequencesReach states how far the kernels for sequences reach.
// Reads the bits of src[at:], leastHeadroom bytes in front of them, and literals up to slack after their bound; writes
// dst up to slack after its bound.
func sequencesReach(c *cursor, b *bounds, dst, src []byte, at int, lits []byte) {
	if invariants.On {
		invariants.Assert(at >= leastHeadroom && c.left >= 0, "a kernel for sequences would read in front of its input")
		invariants.Reads(src[:len(src):len(src)], at+c.left/8+1)
		if b.lit >= c.lit { // else it stops at once
			invariants.Reads(lits, b.lit+slack)
		}
		invariants.Writes(dst[:cap(dst)], b.d+slack)
	}
}

// literalsReach states how far the kernels for literals reach, which decode n times per literals of each of four
// streams.
// Reads their bits, and leastHeadroom bytes in front of them; writes the literals.
func (l *literals) literalsReach(src []byte, per, n int) {
	if invariants.On {
		s := &l.streams
		for i := range 4 {
			invariants.Assert(s.at[i] >= leastHeadroom, "a kernel for literals would read in front of its input")
			invariants.Assert(n*per*l.log <= s.left[i], "a kernel for literals would read the bits of another stream")
			invariants.Reads(src[:len(src):len(src)], s.at[i]+s.left[i]/8+1)
			invariants.Writes(l.out[:s.end[i]], s.out[i]+n*per)
		}
	}
}
