package column

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
)

// BenchmarkScan reads columns of the peers' files, where they are.
func BenchmarkScan(b *testing.B) {
	home, _ := os.UserHomeDir()
	dir := filepath.Join(home, ".cache", "winnow-peers", "data")
	for _, c := range []struct{ file, column string }{
		{"li_snappy", "l_orderkey"}, {"li_snappy", "l_quantity"}, {"li_snappy", "l_extendedprice"}, {"li_snappy", "l_comment"}, {"li_snappy", "l_shipmode"},
		{"li_plain", "l_orderkey"}, {"li_plain", "l_extendedprice"}, {"li_plain", "l_comment"},
		{"li_v2_delta", "l_orderkey"}, {"li_v2_delta", "l_extendedprice"}, {"li_v2_delta", "l_shipmode"}, {"li_v2_delta", "l_comment"},
	} {
		raw, err := os.ReadFile(filepath.Join(dir, c.file+".parquet"))
		if err != nil {
			b.Skip(err)
		}
		f := must[*file](b)(openFile(raw))
		b.Run("file="+c.file+"/column="+c.column, func(b *testing.B) {
			leaf, err := f.schema.Lookup(c.column)
			if err != nil {
				b.Fatal(err)
			}
			var chunk Chunk
			var cur Cursor
			var dst vector.Vector
			var rows int64
			b.ReportAllocs()
			for b.Loop() {
				rows = 0
				for g := range f.footer.RowGroups[:2] {
					s, bytes, err := f.source(g, leaf.FirstLeaf, false)
					if err != nil {
						b.Fatal(err)
					}
					if err := chunk.Reset(s); err != nil {
						b.Fatal(err)
					}
					cur.Open(&chunk, &memory{chunk: bytes}, Options{})
					for cur.At() < s.Rows {
						to := min(cur.At()+8192, s.Rows)
						cur.Window(to)
						dst.Reset(leaf.Type)
						if err := cur.Read(nil, &dst); err != nil {
							b.Fatal(err)
						}
						cur.Advance(to)
					}
					rows += s.Rows
					cur.Close()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/value")
		})
	}
}
