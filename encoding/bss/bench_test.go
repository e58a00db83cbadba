package bss

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
)

const values = 1 << 15

// onePercent returns scattered bits, one in a hundred: of many selections a
// different one at each call, for one alone is learnt by the branch predictor.
func onePercent() func() []uint64 {
	sels := make([][]uint64, 64)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range sels {
		sels[i] = make([]uint64, values/64)
		for range values / 100 {
			bits.Set(sels[i], r.IntN(values))
		}
	}
	next := 0
	return func() []uint64 {
		next++
		return sels[next%len(sels)]
	}
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
	body := make([]byte, values*encoding.SizeOf[T]())
	for i := range body {
		body[i] = byte(i * 7)
	}
	dst, one, sel := make([]T, values), onePercent(), make([]uint64, values/64)
	var d Numbers[T]
	name := fmt.Sprintf("type=%T/op=", T(0))
	run(b, name+"next", func() { d.Reset(body, values); d.Next(dst) })
	run(b, name+"skip", func() { d.Reset(body, values); d.Skip(values) })
	run(b, name+"gather", func() { d.Reset(body, values); d.Gather(dst, one(), values) })
	most := make([]uint64, values/64)
	for i := range most {
		most[i] = ^uint64(0) &^ (1 << (i % 64))
	}
	run(b, name+"keep", func() { d.Reset(body, values); d.Pack(dst, most, values) })
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
		run(b, name+"gather", func() { d.Reset(body, values, size); d.Gather(dst, one(), values) })
	}
}
