package plain

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/decodetest"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

const values = decodetest.Values

func benchmarkNumbers[T encoding.Number](b *testing.B) {
	page := make([]byte, values*encoding.SizeOf[T]())
	for i := range page {
		page[i] = byte(i * 7)
	}
	dst, one, sel := make([]T, values), decodetest.OnePercent(), make([]uint64, values/64)
	var d Numbers[T]
	name := fmt.Sprintf("type=%T/op=", T(0))
	decodetest.Bench(b, name+"next", func() { d.Reset(page, values); d.Next(dst) })
	decodetest.Bench(b, name+"skip", func() { d.Reset(page, values); d.Skip(values) })
	decodetest.Bench(b, name+"gather", func() { d.Reset(page, values); d.Gather(dst, one(), values) })
	decodetest.Bench(b, name+"range", func() {
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
		sel = append(sel, decodetest.OnePercent()()...)
	}
	dst := make([]int64, n)
	var d Numbers[int64]
	turn := 0
	page := func() []byte { turn++; return pages[turn%len(pages)] }
	decodetest.Bench(b, "op=next", func() { d.Reset(page(), n); d.Next(dst) })
	decodetest.Bench(b, "op=gather", func() { d.Reset(page(), n); d.Gather(dst, sel, n) })
}

func BenchmarkBools(b *testing.B) {
	page, one := make([]byte, values/8), decodetest.OnePercent()
	words := make([]uint64, values/64)
	var d Bools
	decodetest.Bench(b, "op=next", func() { d.Reset(page, values); d.NextBits(words, 0, values) })
	decodetest.Bench(b, "op=gather", func() { d.Reset(page, values); d.GatherBits(words, 0, one(), values) })
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
		dst, one, sel := make([]bits.View, values), decodetest.OnePercent(), make([]uint64, values/64)
		all := func() {
			for i := range sel {
				sel[i] = ^uint64(0)
			}
		}
		var d Strings
		equal, contains := encoding.IsEqual([]byte("abcde")), encoding.Contains([]byte("abcde"))
		name := "length=" + c.name + "/op="
		decodetest.Bench(b, name+"next", func() { d.Reset(page, values); d.Next(dst) })
		decodetest.Bench(b, name+"skip", func() { d.Reset(page, values); d.Skip(values) })
		decodetest.Bench(b, name+"gather", func() { d.Reset(page, values); d.Gather(dst, one(), values) })
		decodetest.Bench(b, name+"equal", func() { all(); d.Reset(page, values); d.Match(sel, values, &equal) })
		decodetest.Bench(b, name+"contains", func() { all(); d.Reset(page, values); d.Match(sel, values, &contains) })
		decodetest.Bench(b, name+"contains-sparse", func() { copy(sel, one()); d.Reset(page, values); d.Match(sel, values, &contains) })
	}
}
