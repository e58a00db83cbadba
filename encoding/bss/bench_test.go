package bss

import (
	"fmt"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/decodetest"
)

const values = decodetest.Values

func benchmarkNumbers[T encoding.Number](b *testing.B) {
	body := make([]byte, values*encoding.SizeOf[T]())
	for i := range body {
		body[i] = byte(i * 7)
	}
	dst, one, sel := make([]T, values), decodetest.OnePercent(), make([]uint64, values/64)
	var d Numbers[T]
	name := fmt.Sprintf("type=%T/op=", T(0))
	decodetest.Bench(b, name+"next", func() { d.Reset(body, values); d.Next(dst) })
	decodetest.Bench(b, name+"skip", func() { d.Reset(body, values); d.Skip(values) })
	decodetest.Bench(b, name+"gather", func() { d.Reset(body, values); d.Gather(dst, one(), values) })
	most := make([]uint64, values/64)
	for i := range most {
		most[i] = ^uint64(0) &^ (1 << (i % 64))
	}
	decodetest.Bench(b, name+"keep", func() { d.Reset(body, values); d.Pack(dst, most, values) })
	decodetest.Bench(b, name+"range", func() {
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
		body, dst, one := make([]byte, values*size), make([]byte, values*size), decodetest.OnePercent()
		var d Fixed
		name := fmt.Sprintf("size=%d/op=", size)
		decodetest.Bench(b, name+"next", func() { d.Reset(body, values, size); d.Next(dst) })
		decodetest.Bench(b, name+"gather", func() { d.Reset(body, values, size); d.Gather(dst, one(), values) })
	}
}
