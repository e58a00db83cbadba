package alp

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// Rates are in values: 1 MB/s is a million values a second.

const values = 1 << 15

// prices returns numbers of two decimal places or none that take width bits
// above the least, some in a thousand of them odd.
func prices(width, odd int, unit float64) []float64 {
	r := rand.New(rand.NewPCG(uint64(width), 1))
	v := make([]float64, values)
	for i := range v {
		v[i] = float64(100000+r.IntN(1<<width)) / unit
		if r.IntN(1000) < odd {
			v[i] = r.NormFloat64()
		}
	}
	return v
}

func benchmark[T number](b *testing.B, at string, body []byte) {
	body = append(body, make([]byte, encoding.Padding)...)[:len(body)]
	var d Numbers[T]
	dst, one, sel := make([]T, values), make([]uint64, values/64), make([]uint64, values/64)
	r := rand.New(rand.NewPCG(1, 1))
	for range values / 100 {
		bits.Set(one, r.IntN(values))
	}
	narrow := func(lo, hi T) {
		bits.SetRange(sel, 0, values)
		d.Range(sel, values, lo, hi)
	}
	for _, op := range []struct {
		name string
		f    func()
	}{
		{"next", func() { d.Next(dst) }},
		{"skip", func() { d.Skip(values) }},
		{"gather/sel=1%", func() { d.Gather(dst, one, values) }},
		{"range/pass=some", func() { narrow(1005, 100010) }},
		{"range/pass=none", func() { narrow(1, 2) }},
	} {
		b.Run(fmt.Sprintf("type=%T/%s/op=%s", T(0), at, op.name), func(b *testing.B) {
			b.SetBytes(values)
			b.ReportAllocs()
			for b.Loop() {
				if err := d.Reset(body, values); err != nil {
					b.Fatal(err)
				}
				op.f()
			}
		})
	}
}

func BenchmarkALP(b *testing.B) {
	for _, width := range []int{6, 12, 20} {
		for _, odd := range []int{0, 30} {
			at := fmt.Sprintf("width=%d/odd=%d", width, odd)
			benchmark[float32](b, at, encode.ALP{}.Float32s(nil, all(prices(width, odd, 1), func(x float64) float32 { return float32(x) })))
			benchmark[float64](b, at, encode.ALP{}.Float64s(nil, prices(width, odd, 100)))
		}
	}
}
