package snappy

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// Input and output end where readable memory does: touching a byte too many is a
// fault.
func TestStaysInBounds(t *testing.T) {
	in, out := dtest.Edge(t, 1<<20), dtest.Edge(t, 1<<20)
	r := rand.New(rand.NewPCG(9, 9))
	for range 2000 {
		tags, body := randomBlock(r, 1+r.IntN(200))
		if len(tags) > len(in) || len(body) > len(out) {
			continue
		}
		if r.IntN(2) == 0 {
			tags = tags[:r.IntN(len(tags)+1)]
		}
		src := in[len(in)-len(tags):]
		copy(src, tags)
		for _, l := range loops {
			dst := out[len(out)-len(body):]
			if err := decode(dst, src, true, l.pick); err == nil && !bytes.Equal(dst, body) {
				t.Fatalf("%s: differs", l.name)
			}
			if err := decode(dst[:len(dst)/2], src, false, l.pick); err == nil && !bytes.Equal(dst[:len(dst)/2], body[:len(dst)/2]) {
				t.Fatalf("%s: differs", l.name)
			}
		}
	}
}
