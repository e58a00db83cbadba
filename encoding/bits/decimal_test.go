package bits

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// Keys compare as the numbers do, by big integers, as far as these have 128 bits.
func TestDecimalKey(t *testing.T) {
	number := func(b []byte) *big.Int {
		x := new(big.Int).SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
		return x
	}
	bias := new(big.Int).Lsh(big.NewInt(1), 127)
	most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))
	r := rand.New(rand.NewPCG(4, 4))
	lengths := map[int]bool{}
	for range 200_000 {
		b := make([]byte, r.IntN(24))
		fill := []byte{0, 0xff, 0x7f, 0x80}[r.IntN(4)]
		for i := range b {
			if b[i] = fill; r.IntN(3) == 0 {
				b[i] = byte(r.Uint32())
			}
		}
		if r.IntN(2) == 0 { // the sign, repeated
			front := make([]byte, r.IntN(20))
			for i := range front {
				if front[i] = 0; len(b) > 0 && b[0] >= 0x80 {
					front[i] = 0xff
				}
			}
			b = append(front, b...)
		}
		lengths[len(b)] = true
		want := new(big.Int).Add(number(b), bias)
		if want.Sign() < 0 {
			want.SetInt64(0)
		} else if want.Cmp(most) > 0 {
			want.Set(most)
		}
		high, low := DecimalKey(b)
		got := new(big.Int).Lsh(new(big.Int).SetUint64(high), 64)
		if got.Or(got, new(big.Int).SetUint64(low)); got.Cmp(want) != 0 {
			t.Fatalf("%x: %x, want %x", b, got, want)
		}
	}
	for n := range 40 {
		if !lengths[n] {
			t.Errorf("no number of %d bytes", n)
		}
	}
}
