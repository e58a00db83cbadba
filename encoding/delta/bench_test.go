package delta

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

// share returns a bitmap in which percent of the bits are set.
func share(percent int) []uint64 {
	sel := make([]uint64, values/64)
	r := rand.New(rand.NewPCG(1, 3))
	for i := range values {
		if r.IntN(100) < percent {
			bits.Set(sel, i)
		}
	}
	return sel
}

func padded(body []byte) []byte {
	return append(make([]byte, 0, len(body)+encoding.Padding), body...)
}

func benchmarkInts[T integer](b *testing.B, width int, v []T, body []byte) {
	dst, one, sel := make([]T, values), decodetest.OnePercent(), make([]uint64, values/64)
	all := func() {
		for i := range sel {
			sel[i] = ^uint64(0)
		}
	}
	body = padded(body)
	var d Ints[T]
	name := fmt.Sprintf("width=%d/type=%T/op=", width, T(0))
	decodetest.Bench(b, name+"next", func() { d.Reset(body, values); d.Next(dst) })
	decodetest.Bench(b, name+"skip", func() { d.Reset(body, values); d.Skip(values) })
	decodetest.Bench(b, name+"gather", func() { d.Reset(body, values); d.Gather(dst, one(), values) })
	for _, percent := range []int{1, 10, 90} {
		some := share(percent)
		decodetest.Bench(b, fmt.Sprintf("%skeep/percent=%d", name, percent), func() { d.Reset(body, values); d.Pack(dst, some, values) })
	}
	decodetest.Bench(b, name+"range", func() { all(); d.Reset(body, values); d.Range(sel, values, v[values/3], v[values/2]) })
}

func BenchmarkDelta(b *testing.B) {
	for _, width := range []int{0, 1, 4, 8, 12, 16, 20, 28, 31, 40, 60} {
		r := rand.New(rand.NewPCG(1, 2))
		v64, v32 := make([]int64, values), make([]int32, values)
		last := int64(0)
		for i := range v64 {
			last += int64(r.Uint64()>>(64-width)) - 1
			v64[i], v32[i] = last, int32(last)
		}
		benchmarkInts(b, width, v64, encode.Delta{}.Int64s(nil, v64))
		if width < 32 {
			benchmarkInts(b, width, v32, encode.Delta{}.Int32s(nil, v32))
		}
	}
}

func BenchmarkStrings(b *testing.B) {
	for _, longest := range []int{12, 30, 200} {
		r := rand.New(rand.NewPCG(1, 2))
		v := make([][]byte, values)
		for i := range v {
			v[i] = make([]byte, r.IntN(longest+1))
		}
		body := padded(encode.Delta{}.LengthByteArrays(nil, v))
		dst, one := make([]bits.View, values), decodetest.OnePercent()
		var d Strings
		name := fmt.Sprintf("length=0-%d/op=", longest)
		decodetest.Bench(b, name+"next", func() { d.Reset(body, values); d.Next(dst) })
		decodetest.Bench(b, name+"skip", func() { d.Reset(body, values); d.Skip(values) })
		decodetest.Bench(b, name+"gather", func() { d.Reset(body, values); d.Gather(dst, one(), values) })
		for _, percent := range []int{1, 10, 50, 90} {
			some := share(percent)
			decodetest.Bench(b, fmt.Sprintf("%skeep/percent=%d", name, percent), func() { d.Reset(body, values); d.Pack(dst, some, values) })
		}
		sel := make([]uint64, values/64)
		test := func(op string, m encoding.Match) {
			decodetest.Bench(b, name+op, func() {
				bits.SetRange(sel, 0, values)
				d.Reset(body, values)
				d.Match(sel, values, &m)
			})
		}
		test("equal", encoding.IsEqual([]byte("abcde")))
		test("contains", encoding.Contains([]byte("abcde")))
	}
}

func BenchmarkPrefixed(b *testing.B) {
	for _, c := range []struct{ prefix, suffix int }{{4, 4}, {12, 8}, {60, 10}} {
		r := rand.New(rand.NewPCG(1, 2))
		v := make([][]byte, values)
		for i := range v {
			if i > 0 {
				v[i] = append(v[i], v[i-1][:r.IntN(min(2*c.prefix, len(v[i-1]))+1)]...)
			}
			for range r.IntN(2*c.suffix + 1) {
				v[i] = append(v[i], byte(r.Uint32()))
			}
		}
		body := padded(encode.Delta{}.ByteArrays(nil, v))
		dst, one, most := make([]bits.View, values), decodetest.OnePercent(), share(90)
		var d Prefixed
		var arena []byte
		name := fmt.Sprintf("prefix=%d/suffix=%d/op=", c.prefix, c.suffix)
		decodetest.Bench(b, name+"next", func() { d.Reset(body, values); _, arena, _ = d.Next(dst, arena[:0]) })
		decodetest.Bench(b, name+"skip", func() { d.Reset(body, values); d.Skip(values) })
		decodetest.Bench(b, name+"gather", func() { d.Reset(body, values); _, arena, _ = d.Gather(dst, arena[:0], one(), values) })
		decodetest.Bench(b, name+"keep", func() { d.Reset(body, values); _, arena, _ = d.Pack(dst, arena[:0], most, values) })
		sel := make([]uint64, values/64)
		test := func(op string, m encoding.Match) {
			decodetest.Bench(b, name+op, func() {
				bits.SetRange(sel, 0, values)
				d.Reset(body, values)
				d.Match(sel, values, &m)
			})
		}
		test("equal", encoding.IsEqual([]byte("abcde")))
		test("contains", encoding.Contains([]byte("abcde")))
		test("suffix", encoding.HasSuffix([]byte("abcde")))
	}
}
