package scanner

import (
	"strconv"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Opening a wide file and touching three of its columns.
func BenchmarkOpen(b *testing.B) {
	for _, columns := range []int{20, 2000} {
		b.Run("columns="+strconv.Itoa(columns)+"/rowgroups=5", func(b *testing.B) {
			data, err := gen.Wide(columns, 5)
			if err != nil {
				b.Fatal(err)
			}
			src := fetch.FromBytes(data)
			b.ReportAllocs()
			for b.Loop() {
				f, err := OpenSource(b.Context(), "wide", src)
				if err != nil {
					b.Fatal(err)
				}
				for _, leaf := range [...]int{0, columns / 2, columns - 1} {
					if _, err := f.Chunk(3, leaf); err != nil {
						b.Fatal(err)
					}
				}
				b.SetBytes(f.FooterRange().Len)
			}
		})
	}
}
