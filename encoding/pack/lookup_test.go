package pack

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// Values of every width are looked up, and nothing beside them is written to.
func TestFixedValuesAreLookedUp(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	for w := 1; w <= 70; w++ {
		for range 100 {
			count, n := 1+r.IntN(20), r.IntN(200)
			entries, dst := randomBytes(r, count*w), randomBytes(r, (n+2)*w)
			want := bytes.Clone(dst)
			codes := make([]uint32, n)
			for i := range codes {
				codes[i] = r.Uint32N(uint32(count))
				copy(want[i*w:(i+1)*w], entries[int(codes[i])*w:])
			}
			if LookUpFixed(dst, entries, w, codes); !bytes.Equal(dst, want) {
				t.Fatalf("%d codes of values of %d bytes: got %x, want %x", n, w, dst, want)
			}
		}
	}
}

func BenchmarkLookUpFixed(b *testing.B) {
	const n = 8192
	r := rand.New(rand.NewPCG(1, 2))
	codes := make([]uint32, n)
	for i := range codes {
		codes[i] = r.Uint32N(1000)
	}
	for _, w := range []int{2, 5, 8, 12, 16, 20} {
		entries, dst := make([]byte, 1000*w), make([]byte, n*w)
		b.Run(fmt.Sprintf("width=%d", w), func(b *testing.B) {
			b.SetBytes(int64(len(dst)))
			b.ReportAllocs()
			for b.Loop() {
				LookUpFixed(dst, entries, w, codes)
			}
		})
	}
}
