package dtest

import (
	"math/rand/v2"
	"testing"
)

// Fenced returns a copy of b that begins where readable memory does (see Edge), or that
// ends there, spare bytes of capacity included, which are rubbish. Each takes memory of
// its own until the test ends: where there are many thousands, Fence them in the same.
func Fenced(t testing.TB, r *rand.Rand, b []byte, spare int) []byte {
	t.Helper()
	return Fence(r, Edge(t, max(len(b)+spare, 1)), b, spare)
}

// Fence is Fenced in memory that Edge returned.
func Fence(r *rand.Rand, edge, b []byte, spare int) []byte {
	if r.IntN(4) > 0 {
		edge = edge[len(edge)-len(b)-spare:]
	}
	behind := edge[copy(edge, b):][:spare]
	for i := range behind {
		behind[i] = 0x5a
	}
	return edge[: len(b) : len(b)+spare]
}
