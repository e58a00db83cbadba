package hdfsscan_test

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Benchmarks run beside the cluster of minicluster/run; without one they are skipped.

func BenchmarkOpen(b *testing.B) {
	h := start(b)
	c, name := h.cluster(b, nil), h.write(b, "noise", noise(mib), 1)
	for b.Loop() {
		f, err := c.Open(b.Context(), name)
		if err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
}

// BenchmarkRead reads ranges at random places with one reader, by length.
func BenchmarkRead(b *testing.B) {
	h := start(b)
	data := noise(32 * mib)
	f := open(b, h.cluster(b, nil), h.write(b, "noise", data, 1))
	for name, length := range map[string]int64{"bytes=4KiB": 4 << 10, "bytes=256KiB": 256 << 10, "bytes=1MiB": mib, "bytes=32MiB": 32 * mib} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(length)
			for b.Loop() {
				if _, err := f.ReadRanges(b.Context(), []fetch.Range{{Off: rand.Int64N(f.Size() - length + 1), Len: length}}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLibrary reads a file with the library alone, in one stream.
func BenchmarkLibrary(b *testing.B) {
	h := start(b)
	name := h.write(b, "noise", noise(32*mib), 1)
	b.SetBytes(32 * mib)
	for b.Loop() {
		if data, err := h.client.ReadFile(name); err != nil || len(data) != 32*mib {
			b.Fatal(len(data), err)
		}
	}
}

// BenchmarkScan opens a file and scans it.
func BenchmarkScan(b *testing.B) {
	h := start(b)
	const rows = 50_000
	data := points(b, rows, 5000)
	name := h.write(b, "points.parquet", data, 1)
	c := h.cluster(b, nil)
	for _, where := range []string{"", "id = 7777"} {
		b.Run("where="+where, func(b *testing.B) {
			var o scanner.Options
			if where != "" {
				var err error
				if o.Filter, err = filter.Parse(where); err != nil {
					b.Fatal(err)
				}
			} else {
				b.SetBytes(int64(len(data)))
			}
			for b.Loop() {
				f, err := c.Open(b.Context(), name)
				if err != nil {
					b.Fatal(err)
				}
				if got, err := scan(b, f, o); err != nil || len(got) != rows && where == "" {
					b.Fatal(len(got), err)
				}
				f.Close()
			}
		})
	}
}
