package build

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
)

func BenchmarkSpread(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 8192
	for _, nulls := range []int{1, 10, 50, 90} {
		validity := make([]uint64, bits.Words(n))
		for i := range n {
			if r.IntN(100) >= nulls {
				bits.Set(validity, i)
			}
		}
		b.Run(fmt.Sprintf("type=int64/nulls=%d", nulls), func(b *testing.B) { spread[int64](b, validity, n) })
		b.Run(fmt.Sprintf("type=int32/nulls=%d", nulls), func(b *testing.B) { spread[int32](b, validity, n) })
		b.Run(fmt.Sprintf("type=view/nulls=%d", nulls), func(b *testing.B) { spread[bits.View](b, validity, n) })
	}
}

func spread[T any](b *testing.B, validity []uint64, n int) {
	values := make([]T, n)
	for range b.N {
		spreadValues(values, validity, 0)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/slot")
}
