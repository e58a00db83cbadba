package scanner

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
)

// BenchmarkFullScan reads whole columns of the peers' files, where they are,
// and wants the sums that the peers found: of numbers, and of lengths of strings.
func BenchmarkFullScan(b *testing.B) {
	home, _ := os.UserHomeDir()
	num3 := []string{"l_orderkey", "l_quantity", "l_extendedprice"}
	sums3 := []float64{18005322964949, 153078795, 229577310901.19998}
	for _, w := range []struct {
		name, file string
		rows       int
		columns    []string
		sums       []float64
	}{
		{"num3", "li_snappy", 6001215, num3, sums3},
		{"num3_plain", "li_plain", 6001215, num3, sums3},
		{"num3_delta", "li_v2_delta", 6001215, num3, sums3},
		{"str", "li_snappy", 6001215, []string{"l_comment"}, []float64{158997209}},
		{"str_delta", "li_v2_delta", 6001215, []string{"l_comment", "l_shipinstruct"}, []float64{158997209, 72006409}},
		{"nested", "nested", 1000000, []string{"id", "tags", "items.price"}, []float64{1499998500000, 26259734, 209866135.02999997}},
	} {
		b.Run("columns="+w.name+"/file="+w.file, func(b *testing.B) {
			path := filepath.Join(home, ".cache", "winnow-peers", "data", w.file+".parquet")
			if _, err := os.Stat(path); err != nil {
				b.Skip(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				f, err := Open(b.Context(), path)
				if err != nil {
					b.Fatal(err)
				}
				rows, sums := 0, make([]float64, len(w.columns))
				var stats Stats
				for batch, err := range f.Scan(b.Context(), Options{Select: w.columns, Stats: &stats}) {
					if err != nil {
						b.Fatal(err)
					}
					rows += batch.Len
					for i, v := range batch.Columns {
						sums[i] += sumOf(v)
					}
					batch.Release()
				}
				f.Close()
				if rows != w.rows {
					b.Fatalf("%d rows", rows)
				}
				for i, s := range sums {
					if math.Abs(s-w.sums[i]) > 1e-9*w.sums[i] {
						b.Fatalf("%s: sum %v, want %v", w.columns[i], s, w.sums[i])
					}
				}
				read := int64(0)
				for _, c := range stats.Columns {
					read += c.Fetched
				}
				b.SetBytes(read)
			}
		})
	}
}

// sumOf adds up the numbers in v, or the lengths of its strings.
func sumOf(v *vector.Vector) (s float64) {
	for v.Layout != vector.Leaf {
		v = v.Children[0]
	}
	switch v.Type.Store() {
	case vector.InInt32s:
		for _, x := range v.Int32s[:v.Len] {
			s += float64(x)
		}
	case vector.InInt64s:
		for _, x := range v.Int64s[:v.Len] {
			s += float64(x)
		}
	case vector.InDoubles:
		for _, x := range v.Doubles[:v.Len] {
			s += x
		}
	case vector.InViews:
		n := 0
		for i := range v.Views[:v.Len] {
			n += v.Views[i].Len()
		}
		s = float64(n)
	}
	return s
}
