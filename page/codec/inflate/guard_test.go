package inflate

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// Input and output begin or end where readable memory does: touching a byte too
// many is a fault.
func TestStaysInBounds(t *testing.T) {
	in, out := dtest.Edge(t, 1<<20), dtest.Edge(t, 1<<20)
	r := rand.New(rand.NewPCG(12, 12))
	var d Decoder
	for i := range 3000 {
		stream, want := randomStream(r, 1+r.IntN(4), 1+r.IntN(1+i/2))
		spare := r.IntN(2) * r.IntN(400)
		if len(stream) > len(in) || len(want)+spare > len(out) {
			continue
		}
		damaged := r.IntN(2) == 0
		if damaged {
			stream = stream[:r.IntN(len(stream))+1]
			stream[r.IntN(len(stream))] ^= 1 << r.IntN(8)
		}
		src, dst := dtest.Fence(r, in, stream, 0), dtest.Fence(r, out, make([]byte, len(want)), spare)
		if _, err := blocksOf(&d, dst, src, true); !damaged && (err != nil || !bytes.Equal(dst, want)) {
			t.Fatalf("%v, or it differs", err)
		}
		n := r.IntN(len(want) + 1)
		dst = dtest.Fence(r, out, make([]byte, n), spare)
		if _, err := blocksOf(&d, dst, src, false); !damaged && (err != nil || !bytes.Equal(dst, want[:n])) {
			t.Fatalf("first %d bytes: %v, or they differ", n, err)
		}
	}
}
