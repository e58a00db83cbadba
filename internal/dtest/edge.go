package dtest

import (
	"math/rand/v2"
	"testing"
)

// Fenced returns a copy of b that begins where readable memory does (see Edge), or that
// ends there, spare bytes of capacity included, which are rubbish.
func Fenced(t testing.TB, r *rand.Rand, b []byte, spare int) []byte {
	t.Helper()
	edge := Edge(t, max(len(b)+spare, 1))
	if r.IntN(4) > 0 {
		edge = edge[len(edge)-len(b)-spare:]
	}
	behind := edge[copy(edge, b):][:spare]
	for i := range behind {
		behind[i] = 0x5a
	}
	return edge[: len(b) : len(b)+spare]
}
