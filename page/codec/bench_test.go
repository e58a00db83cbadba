package codec

import (
	"fmt"
	"testing"
)

// pages returns 16 distinct bodies: a loop over one page measures how well the
// branch predictor learns it.
func pages(data string, n int) [][]byte {
	out := make([][]byte, 16)
	for i := range out {
		if data == "text" {
			out[i] = text(uint64(i), n)
		} else {
			out[i] = ints(uint64(i), n)
		}
	}
	return out
}

func BenchmarkDecode(b *testing.B) {
	set := NewSet(Options{Spare: spare})
	for _, p := range packings {
		for _, data := range []string{"text", "ints"} {
			b.Run(fmt.Sprintf("codec=%s/data=%s", p.name, data), func(b *testing.B) {
				benchmark(b, set, p, pages(data, 1<<20), 100)
			})
		}
	}
}

func BenchmarkDecodePrefix(b *testing.B) {
	set := NewSet(Options{Spare: spare})
	for _, p := range packings {
		for _, percent := range []int{1, 10, 50, 100} {
			b.Run(fmt.Sprintf("codec=%s/data=text/need=%d%%", p.name, percent), func(b *testing.B) {
				benchmark(b, set, p, pages("text", 1<<20), percent)
			})
		}
	}
}

func benchmark(b *testing.B, set *Set, p packing, bodies [][]byte, percent int) {
	c := codecOf(b, set, p.id)
	var packed [][]byte
	for _, body := range bodies {
		packed = append(packed, p.pack(b, body))
	}
	size := len(bodies[0])
	need := size * percent / 100
	dst := make([]byte, 0, size+spare)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := c.DecodePrefix(dst, packed[i%len(packed)], need, size); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
