package bss

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
)

const values = 1 << 15

func onePercent() []uint64 {
	sel := make([]uint64, values/64)
	r := rand.New(rand.NewPCG(1, 1))
	for range values / 100 {
		bits.Set(sel, r.IntN(values))
	}
	return sel
}

func run(b *testing.B, name string, step func()) {
	b.Run(name, func(b *testing.B) {
		b.SetBytes(values) // the rate is in values
		b.ReportAllocs()
		for b.Loop() {
			step()
		}
	})
}

func benchmarkNumbers[T encoding.Number](b *testing.B) {
	body := make([]byte, values*sizeOf[T]())
	for i := range body {
		body[i] = byte(i * 7)
	}
	dst, one, sel := make([]T, values), onePercent(), make([]uint64, values/64)
	var d Numbers[T]
	name := fmt.Sprintf("type=%T/op=", T(0))
	run(b, name+"next", func() { d.Reset(body, values); d.Next(dst) })
	run(b, name+"skip", func() { d.Reset(body, values); d.Skip(values) })
	run(b, name+"gather", func() { d.Reset(body, values); d.Gather(dst, one, values) })
	run(b, name+"range", func() {
		for i := range sel {
			sel[i] = ^uint64(0)
		}
		d.Reset(body, values)
		d.Range(sel, values, 0, 1<<30)
	})
}

func BenchmarkNumbers(b *testing.B) {
	benchmarkNumbers[float32](b)
	benchmarkNumbers[float64](b)
}

func BenchmarkFixed(b *testing.B) {
	for _, size := range []int{2, 5, 12, 16} {
		body, dst, one := make([]byte, values*size), make([]byte, values*size), onePercent()
		var d Fixed
		name := fmt.Sprintf("size=%d/op=", size)
		run(b, name+"next", func() { d.Reset(body, values, size); d.Next(dst) })
		run(b, name+"gather", func() { d.Reset(body, values, size); d.Gather(dst, one, values) })
	}
}
