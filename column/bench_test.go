package column

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
)

// peersFile opens one of the peers' data files, where they are.
func peersFile(b *testing.B, name string) *file {
	b.Helper()
	home, _ := os.UserHomeDir()
	raw, err := os.ReadFile(filepath.Join(home, ".cache", "winnow-peers", "data", name+".parquet"))
	if err != nil {
		b.Skip(err)
	}
	return must[*file](b)(openFile(raw))
}

// eachWindow calls f with each window of the column in the first row groups.
func eachWindow(b *testing.B, f *file, column string, do func(cur *Cursor, n int) error) {
	b.Helper()
	leaf, err := f.schema.Lookup(column)
	if err != nil {
		b.Fatal(err)
	}
	const window = 8192
	var chunk Chunk
	var cur Cursor
	var rows int64
	b.ReportAllocs()
	for b.Loop() {
		rows = 0
		for g := range f.footer.RowGroups[:min(2, len(f.footer.RowGroups))] {
			s, bytes, err := f.source(g, leaf.FirstLeaf, false)
			if err == nil {
				err = chunk.Reset(s)
			}
			if err != nil {
				b.Fatal(err)
			}
			cur.Open(&chunk, &memory{chunk: bytes}, Options{})
			for cur.At() < s.Rows {
				to := min(cur.At()+window, s.Rows)
				cur.Window(to)
				if err := do(&cur, int(to-cur.At())); err != nil {
					b.Fatal(err)
				}
				cur.Advance(to)
			}
			rows += s.Rows
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
}

func BenchmarkScan(b *testing.B) {
	for _, c := range []struct {
		file    string
		columns []string
	}{
		{"li_snappy", []string{"l_orderkey", "l_quantity", "l_extendedprice", "l_comment", "l_shipmode"}},
		{"li_plain", []string{"l_orderkey", "l_extendedprice", "l_comment"}},
		{"li_v2_delta", []string{"l_orderkey", "l_extendedprice", "l_shipmode", "l_comment"}},
		{"nested", []string{"id", "tags.list.element", "items.list.element.sku", "items.list.element.price"}},
	} {
		b.Run("file="+c.file, func(b *testing.B) {
			f := peersFile(b, c.file)
			for _, column := range c.columns {
				b.Run("column="+column, func(b *testing.B) {
					leaf, err := f.schema.Lookup(column)
					if err != nil {
						b.Skip(err)
					}
					var dst vector.Vector
					var levels Levels
					eachWindow(b, f, column, func(cur *Cursor, n int) error {
						if leaf.MaxRep > 0 {
							cur.Release(&levels.Values)
							levels.Reset(leaf.Type)
							return cur.ReadLevels(nil, &levels)
						}
						cur.Release(&dst)
						build.Reset(&dst, leaf.Type)
						return cur.Read(nil, &dst)
					})
				})
			}
		})
	}
}

// BenchmarkSelected reads one row in so many, scattered.
func BenchmarkSelected(b *testing.B) {
	for _, c := range []struct{ file, column string }{{"li_plain", "l_extendedprice"}, {"li_v2_delta", "l_orderkey"}, {"li_v2_delta", "l_extendedprice"}, {"li_snappy", "l_shipmode"}, {"li_plain", "l_comment"}} {
		b.Run("file="+c.file+"/column="+c.column, func(b *testing.B) {
			f := peersFile(b, c.file)
			leaf, err := f.schema.Lookup(c.column)
			if err != nil {
				b.Fatal(err)
			}
			for _, every := range []int{1, 2, 10, 100, 1000} {
				b.Run("every="+strconv.Itoa(every), func(b *testing.B) {
					var dst vector.Vector
					var sel Selection
					sel.Clear(8192)
					for i := 0; i < 8192; i++ {
						if int(uint32(i)*2654435761>>7)%every == 0 {
							sel.SetRange(i, i+1)
						}
					}
					eachWindow(b, f, c.column, func(cur *Cursor, n int) error {
						if n != sel.N {
							return nil
						}
						build.Reset(&dst, leaf.Type)
						return cur.Read(&sel, &dst)
					})
				})
			}
		})
	}
}

func BenchmarkFilter(b *testing.B) {
	for _, c := range []struct {
		file, column, name string
		test               *pred.Test
	}{
		{"li_snappy", "l_shipmode", "dictionary", pred.Text(pred.Equal, []byte("AIR"))},
		{"li_snappy", "l_quantity", "dictionary", pred.Floats(10, 20)},
		{"li_plain", "l_orderkey", "range", pred.Ints(1000, 500_000)},
		{"li_plain", "l_extendedprice", "range", pred.Floats(1000, 20_000)},
		{"li_plain", "l_extendedprice", "set", pred.InFloats([]float64{1000, 2000, 3000, 4000, 5000})},
		{"li_plain", "l_comment", "contains", pred.Text(pred.Contains, []byte("special"))},
		{"li_plain", "l_comment", "like", pred.LikePattern([]byte("%special%requests%"), 0)},
		{"li_v2_delta", "l_orderkey", "range", pred.Ints(1000, 500_000)},
		{"li_v2_delta", "l_extendedprice", "range", pred.Floats(1000, 20_000)},
		{"li_v2_delta", "l_shipmode", "equal", pred.Text(pred.Equal, []byte("AIR"))},
	} {
		b.Run("file="+c.file+"/column="+c.column+"/test="+c.name, func(b *testing.B) {
			f := peersFile(b, c.file)
			var sel Selection
			eachWindow(b, f, c.column, func(cur *Cursor, n int) error {
				sel.Fill(n)
				return cur.Filter(&sel, c.test)
			})
		})
	}
}
