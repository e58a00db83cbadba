package scanner

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// BenchmarkDictionaryUse scans one column of strings in each form: of short strings and of
// long ones, few different ones and many.
func BenchmarkDictionaryUse(b *testing.B) {
	const rows = 200_000
	for _, encoding := range []gen.Encoding{gen.Plain, gen.Dictionary} {
		for _, format := range []string{"%d", "a value longer than a view holds %d"} {
			for _, distinct := range []int{10, 1000, rows} {
				r := rand.New(rand.NewPCG(1, 2))
				values := make([]string, rows)
				for i := range values {
					values[i] = fmt.Sprintf(format, r.IntN(distinct))
				}
				file := gen.File{Schema: []*gen.Node{gen.Required("a", gen.ByteArray).As(gen.StringType())}, RowGroups: []gen.RowGroup{{Columns: []gen.Column{{
					Shape: gen.Shape{Encoding: encoding}, Codec: gen.Snappy, PageRows: []int{20_000}, Data: &gen.Data{Values: values},
				}}}}}
				bytes, err := file.Write()
				if err != nil {
					b.Fatal(err)
				}
				f, err := OpenSource(b.Context(), "f.parquet", fetch.FromBytes(bytes))
				if err != nil {
					b.Fatal(err)
				}
				for use := range vector.DictionaryAlways + 1 {
					b.Run(fmt.Sprintf("%v/long=%v/distinct=%d/use=%d", encoding, format != "%d", distinct, use), func(b *testing.B) {
						for b.Loop() {
							for batch, err := range f.Scan(b.Context(), Options{Dictionaries: allLeaves(use)}) {
								if err != nil {
									b.Fatal(err)
								}
								batch.Release()
							}
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
					})
				}
			}
		}
	}
}
