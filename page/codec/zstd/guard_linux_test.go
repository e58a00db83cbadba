package zstd

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/page/codec/codectest"
)

// Input and output end where readable memory does: touching a byte too many is a
// fault.
func TestStaysInBounds(t *testing.T) {
	in, out := dtest.Edge(t, 1<<20), dtest.Edge(t, 1<<20)
	r := rand.New(rand.NewPCG(9, 9))
	d := NewDecoder()
	rounds := dtest.Rounds(t, 300)
	for i := range rounds {
		packed, body := frame(r, r.IntN(20))
		if i%4 == 0 {
			body = codectest.Kinds()[i%len(codectest.Kinds())].Page(r)
			body = body[:r.IntN(1<<r.IntN(15))]
			packed = pack(t, body)
		}
		if len(packed) > len(in) || len(body) > len(out) {
			continue
		}
		if r.IntN(2) == 0 {
			packed = packed[:r.IntN(len(packed)+1)]
		}
		src := in[len(in)-len(packed):]
		copy(src, packed)
		for _, k := range kernels() {
			d.kernel = k
			dst := out[len(out)-len(body):]
			if err := d.Decode(dst, src); err == nil && !bytes.Equal(dst, body) {
				t.Fatalf("%s: differs", k.name)
			}
			if err := d.DecodePrefix(dst[:len(dst)/2], src); err == nil && !bytes.Equal(dst[:len(dst)/2], body[:len(dst)/2]) {
				t.Fatalf("%s: differs", k.name)
			}
		}
	}
}
