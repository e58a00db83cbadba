package codectest

import (
	"bytes"
	"math/rand/v2"
)

// Lengths returns the lengths of a complete code of at most most bits for those of n symbols that
// must be in it, and for fewer than others more.
func Lengths[T int | uint](r *rand.Rand, n, others int, most T, must ...int) []T {
	in := map[int]bool{}
	for _, s := range must {
		in[s] = true
	}
	for range r.IntN(others) {
		in[r.IntN(n)] = true
	}
	for len(in) < 2 {
		in[r.IntN(n)] = true
	}
	leaves, deep := []T{1, 1}, r.IntN(2) == 0
	for len(leaves) < len(in) {
		i := r.IntN(len(leaves))
		if deep && r.IntN(3) > 0 {
			i = len(leaves) - 1
		}
		if leaves[i] < most {
			leaves[i]++
			leaves = append(leaves, leaves[i])
		}
	}
	r.Shuffle(len(leaves), func(i, j int) { leaves[i], leaves[j] = leaves[j], leaves[i] })
	lengths, i := make([]T, n), 0
	for s := range n {
		if in[s] {
			lengths[s] = leaves[i]
			i++
		}
	}
	return lengths
}

// Damaged returns a copy of a body that is cut, or has one to three bits changed, half of them in
// its first 60 bytes, where codes are.
func Damaged(r *rand.Rand, body []byte) []byte {
	bad := bytes.Clone(body)
	if r.IntN(4) == 0 {
		return bad[:r.IntN(len(bad))]
	}
	for range 1 + r.IntN(3) {
		at := r.IntN(len(bad))
		if r.IntN(2) == 0 {
			at = r.IntN(min(len(bad), 60))
		}
		bad[at] ^= 1 << r.IntN(8)
	}
	return bad
}
