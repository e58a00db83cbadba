package decodetest

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Values is how many values benchmarks decode at a time.
const Values = 1 << 15

// OnePercent returns scattered bits of Values, one in a hundred: of many selections a
// different one at each call, for one alone is learnt by the branch predictor.
func OnePercent() func() []uint64 {
	sels := make([][]uint64, 64)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range sels {
		sels[i] = make([]uint64, Values/64)
		for range Values / 100 {
			bits.Set(sels[i], r.IntN(Values))
		}
	}
	next := 0
	return func() []uint64 {
		next++
		return sels[next%len(sels)]
	}
}

// Bench times a step that decodes Values values, and says their rate as bytes.
func Bench(b *testing.B, name string, step func()) {
	b.Run(name, func(b *testing.B) {
		b.SetBytes(Values)
		b.ReportAllocs()
		for b.Loop() {
			step()
		}
	})
}
