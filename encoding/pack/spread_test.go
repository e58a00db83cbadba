package pack

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Values of every width are spread over bits of any density and in runs of any length, and nothing beside them is
// written to.
func TestSpread(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	for w := 1; w <= 70; w++ {
		for try := range 200 {
			n, first := r.IntN(400), r.IntN(130)
			valid := words(r, bits.Words(first+n)+1)
			switch try % 4 {
			case 0:
				valid = denseWords(r, len(valid))
			case 1:
				valid = rareWords(r, len(valid))
			}
			all := randomBytes(r, (first+n+2)*w)
			want := bytes.Clone(all)
			packed := first
			for i := first; i < first+n; i++ {
				if !bits.Get(valid, i) {
					clear(want[i*w : (i+1)*w])
					continue
				}
				copy(want[i*w:(i+1)*w], all[packed*w:])
				packed++
			}
			if Spread(all[first*w:(first+n)*w], w, valid, first); !bytes.Equal(all, want) {
				t.Fatalf("%d values of %d bytes from slot %d on, %x: got %x, want %x", n, w, first, valid, all, want)
			}
		}
	}
}

// Fixed is held to Values, of which each mover is an instance, by what both keep of values of every width.
func TestFixed(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for w := 1; w <= 70; w++ {
		for range 100 {
			n := r.IntN(400)
			sel, src := words(r, bits.Words(n)+1), randomBytes(r, n*w)
			var want []byte
			for i := range n {
				if bits.Get(sel, i) {
					want = append(want, src[i*w:(i+1)*w]...)
				}
			}
			room := len(want) + r.IntN(2)*w
			dst := randomBytes(r, room+64)
			behind := bytes.Clone(dst[room:])
			if got := Fixed(dst[:room], src, w, sel); got*w != len(want) || !bytes.Equal(dst[:len(want)], want) || !bytes.Equal(dst[room:], behind) {
				t.Fatalf("%d values of %d bytes, %x: %d values, %x, want %x", n, w, sel, got, dst, want)
			}
			if got := Fixed(src, src, w, sel); got*w != len(want) || !bytes.Equal(src[:len(want)], want) {
				t.Fatalf("%d values of %d bytes in place, %x: %d values, %x, want %x", n, w, sel, got, src, want)
			}
		}
	}
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(1 + r.IntN(255))
	}
	return b
}

func TestFixedAndSpreadAllocateNothing(t *testing.T) {
	for _, w := range []int{5, 20} {
		src, dst, sel := make([]byte, 200*w), make([]byte, 200*w), []uint64{1 << 40, ^uint64(0), 5, 7}
		codes := []uint32{1, 2}
		if n := testing.AllocsPerRun(10, func() { Fixed(dst, src, w, sel); Spread(dst, w, sel, 0); LookUpFixed(dst, src, w, codes) }); n != 0 {
			t.Errorf("%d bytes: %v allocations", w, n)
		}
	}
}

func BenchmarkFixed(b *testing.B) {
	const n, times = 8192, 64 // other bits each time: the same ones would be guessed
	for _, w := range []int{1, 2, 4, 5, 8, 12, 16, 20} {
		for _, nulls := range []int{1, 5, 10, 50, 90, 99} {
			r := rand.New(rand.NewPCG(1, 2))
			valid := make([]uint64, times*n/64)
			for i := range times * n {
				if r.IntN(100) >= nulls {
					bits.Set(valid, i)
				}
			}
			values, src := make([]byte, n*w), make([]byte, n*w)
			for _, move := range []string{"spread", "pack"} {
				b.Run(fmt.Sprintf("move=%s/width=%d/percent=%d", move, w, 100-nulls), func(b *testing.B) {
					b.SetBytes(n) // the rate is in values
					b.ReportAllocs()
					turn := 0
					for b.Loop() {
						if turn++; move == "pack" {
							Fixed(values, src, w, valid[turn%times*n/64:])
						} else {
							Spread(values, w, valid[turn%times*n/64:], 0)
						}
					}
				})
			}
		}
	}
}
