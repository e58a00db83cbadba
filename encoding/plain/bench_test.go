package plain

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
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
	page := make([]byte, values*encoding.SizeOf[T]())
	for i := range page {
		page[i] = byte(i * 7)
	}
	dst, one, sel := make([]T, values), onePercent(), make([]uint64, values/64)
	var d Numbers[T]
	name := fmt.Sprintf("type=%T/op=", T(0))
	run(b, name+"next", func() { d.Reset(page, values); d.Next(dst) })
	run(b, name+"skip", func() { d.Reset(page, values); d.Skip(values) })
	run(b, name+"gather", func() { d.Reset(page, values); d.Gather(dst, one(), values) })
	run(b, name+"range", func() {
		for i := range sel {
			sel[i] = ^uint64(0)
		}
		d.Reset(page, values)
		d.Range(sel, values, 0, 1<<30)
	})
}

func BenchmarkNumbers(b *testing.B) {
	benchmarkNumbers[int32](b)
	benchmarkNumbers[int64](b)
	benchmarkNumbers[float64](b)
}

// Sixteen pages of 1 MB in turn: what a scan meets, not what a cache holds.
func BenchmarkManyPages(b *testing.B) {
	const n = 1 << 17
	pages := make([][]byte, 16)
	for i := range pages {
		pages[i] = make([]byte, n*8)
	}
	sel := make([]uint64, 0, n/64)
	for range n / values {
		sel = append(sel, onePercent()()...)
	}
	dst := make([]int64, n)
	var d Numbers[int64]
	turn := 0
	page := func() []byte { turn++; return pages[turn%len(pages)] }
	run(b, "op=next", func() { d.Reset(page(), n); d.Next(dst) })
	run(b, "op=gather", func() { d.Reset(page(), n); d.Gather(dst, sel, n) })
}

func BenchmarkBools(b *testing.B) {
	page, one := make([]byte, values/8), onePercent()
	words := make([]uint64, values/64)
	var d Bools
	run(b, "op=next", func() { d.Reset(page, values); d.NextBits(words, 0, values) })
	run(b, "op=gather", func() { d.Reset(page, values); d.GatherBits(words, 0, one(), values) })
}

func BenchmarkStrings(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name     string
		from, to int
	}{{"5", 5, 5}, {"16", 16, 16}, {"2-12", 2, 12}, {"0-30", 0, 30}, {"20-60", 20, 60}, {"100-200", 100, 200}} {
		var page []byte
		for range values {
			v := make([]byte, c.from+r.IntN(c.to-c.from+1))
			for i := range v {
				v[i] = byte('a' + r.IntN(26))
			}
			page = encode.ByteArrays(page, [][]byte{v})
		}
		dst, one, sel := make([]bits.View, values), onePercent(), make([]uint64, values/64)
		all := func() {
			for i := range sel {
				sel[i] = ^uint64(0)
			}
		}
		var d Strings
		equal, contains := encoding.IsEqual([]byte("abcde")), encoding.Contains([]byte("abcde"))
		name := "length=" + c.name + "/op="
		run(b, name+"next", func() { d.Reset(page, values); d.Next(dst) })
		run(b, name+"skip", func() { d.Reset(page, values); d.Skip(values) })
		run(b, name+"gather", func() { d.Reset(page, values); d.Gather(dst, one(), values) })
		run(b, name+"equal", func() { all(); d.Reset(page, values); d.Match(sel, values, &equal) })
		run(b, name+"contains", func() { all(); d.Reset(page, values); d.Match(sel, values, &contains) })
		run(b, name+"contains-sparse", func() { copy(sel, one()); d.Reset(page, values); d.Match(sel, values, &contains) })
	}
}
