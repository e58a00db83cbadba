package build

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Values of every width are spread, and nothing beside them is written to.
func TestFixedIsMovedInWords(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(1 + r.IntN(255))
		}
		return b
	}
	for w := 1; w <= vector.MaxFixed; w++ {
		for range 100 {
			n, first, chance := r.IntN(200), r.IntN(130), r.IntN(101)
			validity := make([]uint64, bits.Words(first+n)+1)
			values := random((first + n + 2) * w)
			want := bytes.Clone(values)
			packed := first
			for i := first; i < first+n; i++ {
				if r.IntN(100) < chance {
					clear(want[i*w : (i+1)*w])
					continue
				}
				bits.Set(validity, i)
				copy(want[i*w:(i+1)*w], values[packed*w:])
				packed++
			}
			if spreadFixed(values[first*w:(first+n)*w], w, validity, first); !bytes.Equal(values, want) {
				t.Fatalf("%d values of %d bytes from slot %d on, %x: got %x, want %x", n, w, first, validity, values, want)
			}
		}
	}
}

func BenchmarkFixed(b *testing.B) {
	const n = 8192
	r := rand.New(rand.NewPCG(1, 2))
	validity := make([]uint64, n/64)
	for i := range n {
		if r.IntN(10) > 0 {
			bits.Set(validity, i)
		}
	}
	for _, w := range []int{2, 5, 8, 12, 16, 20} {
		dst := make([]byte, n*w)
		b.Run(fmt.Sprintf("move=spread/width=%d", w), func(b *testing.B) {
			b.SetBytes(int64(len(dst)))
			b.ReportAllocs()
			for b.Loop() {
				spreadFixed(dst, w, validity, 0)
			}
		})
	}
}
