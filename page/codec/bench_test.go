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
	for _, name := range []string{"uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4-raw", "lz4-hadoop"} {
		for _, data := range []string{"text", "ints"} {
			b.Run(fmt.Sprintf("codec=%s/data=%s", name, data), func(b *testing.B) {
				benchmark(b, set, name, pages(data, 1<<20), 100)
			})
		}
	}
}

func BenchmarkDecodePrefix(b *testing.B) {
	set := NewSet(Options{Spare: spare})
	for _, name := range []string{"snappy", "gzip", "zstd", "zstd-single-segment", "brotli", "lz4-raw"} {
		for _, percent := range []int{1, 10, 50, 100} {
			b.Run(fmt.Sprintf("codec=%s/data=text/need=%d%%", name, percent), func(b *testing.B) {
				benchmark(b, set, name, pages("text", 1<<20), percent)
			})
		}
	}
}

func benchmark(b *testing.B, set *Set, name string, bodies [][]byte, percent int) {
	var packed [][]byte
	var c Codec
	for _, p := range packings {
		if p.name == name {
			c = codecOf(b, set, p.id)
			for _, body := range bodies {
				packed = append(packed, p.pack(b, body))
			}
		}
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
