package bits

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestOrderInline(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func() []byte {
		b := make([]byte, r.IntN(MaxInline+1))
		for i := range b {
			b[i] = []byte{0, 1, 'a', 0xff}[r.IntN(4)]
		}
		return b
	}
	met := [3]int{}
	for range 200_000 {
		a, b := random(), random()
		if r.IntN(2) == 0 {
			b = append(append([]byte{}, a[:r.IntN(len(a)+1)]...), b...)
			b = b[:min(len(b), MaxInline)]
		}
		want := bytes.Compare(a, b)
		less, equal := OrderInline(MakeInline(a), MakeInline(b))
		if less == 1 != (want < 0) || equal == 1 != (want == 0) || less|equal > 1 {
			t.Fatalf("%q and %q: less %d, equal %d", a, b, less, equal)
		}
		met[want+1]++
	}
	if met[0] == 0 || met[1] == 0 || met[2] == 0 {
		t.Fatal(met)
	}
}
