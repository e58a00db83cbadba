package rle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// Rates are in values: 1 MB/s is a million values a second.

const benchValues = 64 << 10

// benchStream returns benchValues codes of a width in runs of a length, as a
// writer would store them.
func benchStream(width uint, run int) []byte {
	r := rand.New(rand.NewPCG(1, uint64(width)))
	codes := make([]uint32, 0, benchValues+run)
	for len(codes) < benchValues {
		c := uint32(r.Uint64N(1 << width))
		for range run {
			codes = append(codes, c)
		}
	}
	body := encode.Hybrid(nil, int(width), codes[:benchValues])
	return append(body, make([]byte, encoding.Padding)...)[:len(body)]
}

// scattered returns a bitmap in which percent of the bits are set.
func scattered(n, percent int) []uint64 {
	r := rand.New(rand.NewPCG(2, 3))
	sel := make([]uint64, bits.Words(n))
	for i := range n {
		if r.IntN(100) < percent {
			bits.Set(sel, i)
		}
	}
	return sel
}

func bench(b *testing.B, d *Codes, body []byte, width uint, f func()) {
	b.SetBytes(benchValues)
	b.ReportAllocs()
	for b.Loop() {
		d.Reset(body, width, 1<<width, benchValues)
		f()
	}
}

func BenchmarkRLE(b *testing.B) {
	dst := make([]uint32, benchValues)
	sel := scattered(benchValues, 1)
	for _, width := range []uint{1, 2, 3, 5, 8, 10, 13, 16, 20} {
		for _, run := range []int{1, 10, 100, 10000} {
			body := benchStream(width, run)
			var d Codes
			at := fmt.Sprintf("width=%d/run=%d/", width, run)
			b.Run(at+"op=next", func(b *testing.B) { bench(b, &d, body, width, func() { d.Next(dst) }) })
			b.Run(at+"op=skip", func(b *testing.B) { bench(b, &d, body, width, func() { d.Skip(benchValues) }) })
			b.Run(at+"op=gather/sel=1%", func(b *testing.B) {
				bench(b, &d, body, width, func() { d.Gather(dst, sel, benchValues) })
			})
		}
	}
}

// benchDictionary returns entries for all codes of a width, in memory that was written to: what
// was not is one page for all, which the first cache holds.
func benchDictionary[T any](width uint) []T {
	return slices.Repeat(make([]T, 1), 1<<width)
}

func benchLookup[T any](b *testing.B, name string) {
	dst := make([]T, benchValues)
	sel := scattered(benchValues, 1)
	for _, width := range []uint{5, 10, 16} {
		for _, run := range []int{1, 100} {
			body, dictionary := benchStream(width, run), benchDictionary[T](width)
			var d Codes
			at := fmt.Sprintf("type=%s/width=%d/run=%d/", name, width, run)
			b.Run(at+"op=next", func(b *testing.B) { bench(b, &d, body, width, func() { Lookup(&d, dst, dictionary) }) })
			b.Run(at+"op=gather/sel=1%", func(b *testing.B) {
				bench(b, &d, body, width, func() { LookupSelected(&d, dst, dictionary, sel, benchValues) })
			})
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	benchLookup[int32](b, "int32")
	benchLookup[int64](b, "int64")
	benchLookup[bits.View](b, "view")
}

// benchUsual returns benchValues codes in packed runs of 504, as most writers make them.
func benchUsual(width uint) []byte {
	r := rand.New(rand.NewPCG(1, uint64(width)))
	var runs []encode.Run
	for n := 0; n < benchValues; n += 504 {
		codes := make([]uint32, 504)
		for i := range codes {
			codes[i] = uint32(r.Uint64N(1 << width))
		}
		runs = append(runs, encode.Run{Packed: codes})
	}
	body := encode.HybridRuns(nil, int(width), runs)
	return append(body, make([]byte, encoding.Padding)...)[:len(body)]
}

func benchKept[T any](b *testing.B, name string) {
	dst := make([]T, benchValues)
	for _, width := range []uint{3, 6, 12, 18} {
		body, dictionary := benchUsual(width), benchDictionary[T](width)
		var d Codes
		at := fmt.Sprintf("type=%s/width=%d/", name, width)
		b.Run(at+"all", func(b *testing.B) { bench(b, &d, body, width, func() { Lookup(&d, dst, dictionary) }) })
		for _, percent := range []int{50, 90, 99} {
			sel := scattered(benchValues, percent)
			b.Run(fmt.Sprintf("%ssel=%d%%", at, percent), func(b *testing.B) {
				bench(b, &d, body, width, func() { LookupKept(&d, dst, dictionary, sel, benchValues) })
			})
		}
	}
}

func BenchmarkKept(b *testing.B) {
	benchKept[int32](b, "int32")
	benchKept[int64](b, "int64")
	benchKept[bits.View](b, "view")
}

func BenchmarkMaskUsual(b *testing.B) {
	for width := uint(1); width <= 20; width++ {
		body := benchUsual(width)
		made := bitpack.MakeMask(scattered(1<<width, 50), 1<<width)
		sel := make([]uint64, benchValues/64)
		var d Codes
		b.Run(fmt.Sprintf("width=%d", width), func(b *testing.B) {
			bench(b, &d, body, width, func() {
				bits.SetRange(sel, 0, benchValues)
				d.Mask(sel, benchValues, &made)
			})
		})
	}
}

func BenchmarkMask(b *testing.B) {
	for width := uint(1); width <= 20; width++ {
		for _, shape := range []string{"scattered", "clustered"} {
			body := benchStream(width, 1)
			mask := scattered(1<<width, 50)
			if shape == "clustered" {
				clear(mask)
				bits.SetRange(mask, 1<<width/4, 1<<width/2)
			}
			made := bitpack.MakeMask(mask, 1<<width)
			sel := make([]uint64, benchValues/64)
			var d Codes
			b.Run(fmt.Sprintf("width=%d/shape=%s", width, shape), func(b *testing.B) {
				bench(b, &d, body, width, func() {
					bits.SetRange(sel, 0, benchValues)
					d.Mask(sel, benchValues, &made)
				})
			})
		}
	}
}

// BenchmarkMaskRepeated has runs of one code each.
func BenchmarkMaskRepeated(b *testing.B) {
	for _, length := range []int{10, 20, 40, 60, 100} {
		body := benchStream(3, length)
		mask, sel := bitpack.MakeMask(scattered(8, 50), 8), make([]uint64, benchValues/64)
		var d Codes
		b.Run(fmt.Sprintf("run=%d", length), func(b *testing.B) {
			bench(b, &d, body, 3, func() {
				bits.SetRange(sel, 0, benchValues)
				d.Mask(sel, benchValues, &mask)
			})
		})
	}
}

func BenchmarkLevels(b *testing.B) {
	for _, max := range []uint8{1, 2, 3, 7} {
		for _, run := range []int{1, 100} {
			body := benchStream(uint(widthOf(max)), run)
			dst, valid := make([]uint8, benchValues), make([]uint64, benchValues/64)
			var l Levels
			at := fmt.Sprintf("max=%d/run=%d/op=", max, run)
			for _, op := range []struct {
				name string
				f    func()
			}{
				{"next", func() { l.Next(dst) }},
				{"validity", func() { l.AtLeast(valid, 0, benchValues, max) }},
				{"count", func() { l.Count(benchValues, max) }},
			} {
				b.Run(at+op.name, func(b *testing.B) {
					b.SetBytes(benchValues)
					b.ReportAllocs()
					for b.Loop() {
						l.Reset(body, 1<<widthOf(max)-1, benchValues)
						op.f()
					}
				})
			}
		}
	}
}

// benchMixed returns benchValues codes of which a quarter repeat 8 to 63 times.
func benchMixed(width uint) []byte {
	r := rand.New(rand.NewPCG(4, uint64(width)))
	var codes []uint32
	for len(codes) < benchValues {
		c, n := uint32(r.Uint64N(1<<width)), 1
		if r.IntN(4) == 0 {
			n = 8 + r.IntN(56)
		}
		for range n {
			codes = append(codes, c)
		}
	}
	body := encode.Hybrid(nil, int(width), codes[:benchValues])
	return append(body, make([]byte, encoding.Padding)...)[:len(body)]
}

func BenchmarkMixed(b *testing.B) {
	dst, codes := make([]int64, benchValues), make([]uint32, benchValues)
	for _, width := range []uint{3, 12} {
		body, dictionary := benchMixed(width), make([]int64, 1<<width)
		var d Codes
		at := fmt.Sprintf("width=%d/op=", width)
		b.Run(at+"lookup", func(b *testing.B) { bench(b, &d, body, width, func() { Lookup(&d, dst, dictionary) }) })
		mask, out := bitpack.MakeMask(scattered(1<<width, 50), 1<<width), make([]uint64, benchValues/64)
		b.Run(at+"mask", func(b *testing.B) {
			bench(b, &d, body, width, func() {
				bits.SetRange(out, 0, benchValues)
				d.Mask(out, benchValues, &mask)
			})
		})
		for _, percent := range []int{1, 10, 50, 90} {
			sel := scattered(benchValues, percent)
			of := fmt.Sprintf("/sel=%d%%", percent)
			b.Run(at+"gather"+of, func(b *testing.B) { bench(b, &d, body, width, func() { d.Gather(codes, sel, benchValues) }) })
			b.Run(at+"selected"+of, func(b *testing.B) {
				bench(b, &d, body, width, func() { LookupSelected(&d, dst, dictionary, sel, benchValues) })
			})
			b.Run(at+"kept"+of, func(b *testing.B) {
				bench(b, &d, body, width, func() { LookupKept(&d, dst, dictionary, sel, benchValues) })
			})
		}
	}
}
