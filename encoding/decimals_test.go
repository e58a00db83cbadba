package encoding

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Numbers of all lengths, wherever they stand in a body, against big integers.
func TestDecimals(t *testing.T) {
	number := func(b []byte) *big.Int {
		x := new(big.Int).SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
		return x
	}
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 6))
		gap, longest, fill := r.IntN(5), []int{3, 9, 17, 30}[r.IntN(4)], []byte{0, 0xff, 0x7f, 0x80}[r.IntN(4)]
		random := func() []byte {
			b := make([]byte, r.IntN(longest))
			for i := range b {
				if b[i] = fill; r.IntN(3) == 0 {
					b[i] = byte(r.Uint32())
				}
			}
			return b
		}
		var numbers [][]byte
		at, body := new([65]int32), make([]byte, r.IntN(20))
		n := 1 + r.IntN(64)
		for i := range n {
			b := random()
			if i > 0 && r.IntN(3) == 0 {
				b = numbers[r.IntN(i)]
			}
			at[i] = int32(len(body))
			body = append(append(body, 0xee, 0x11, 0xee, 0x11)[:len(body)+gap], b...)
			numbers = append(numbers, b)
		}
		at[n] = int32(len(body))
		w := r.Uint64()
		if r.IntN(4) == 0 {
			one, other := uint64(1)<<r.IntN(64), uint64(1)<<r.IntN(64)
			w &= one | other
		}
		w &= 1<<n - 1
		short := func() (b []byte) { // a bound of at most 16 bytes that is no end of 128 bits
			if b = numbers[r.IntN(n)]; len(b) > 15 {
				b = b[len(b)-15:]
			}
			return b
		}
		lo, hi := short(), short()
		var least, most [2]uint64
		least[0], least[1] = bits.DecimalKey(lo)
		most[0], most[1] = bits.DecimalKey(hi)
		want := w
		for i, b := range numbers {
			if x := number(b); x.Cmp(number(lo)) < 0 || x.Cmp(number(hi)) > 0 {
				want &^= 1 << i
			}
		}
		m := IsDecimal(least, most)
		if got := (Texts{Body: body, At: at, Gap: int32(gap)}).Matching(w, &m); got != want {
			t.Fatalf("seed %d: %x from %x to %x, bits %x: got %x, want %x", seed, numbers, lo, hi, w, got, want)
		}
	}
}
