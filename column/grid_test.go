package column

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
)

// BenchmarkGrid reads a share of the rows, and all of them, in turns: the
// ratio of the times is what the choice between gathering and decoding all is
// judged by. It should stay below 1.03.
func BenchmarkGrid(b *testing.B) {
	for _, c := range []struct {
		file    string
		columns []string
	}{
		{"li_plain", []string{"l_extendedprice", "l_shipdate", "l_comment"}},
		{"li_snappy", []string{"l_orderkey", "l_extendedprice", "l_suppkey", "l_shipdate", "l_quantity", "l_shipmode", "l_comment"}},
		{"li_v2_delta", []string{"l_orderkey", "l_partkey", "l_shipdate", "l_extendedprice", "l_shipinstruct", "l_comment"}},
		{"hits_like", []string{"user_id", "is_mobile", "url"}},
		{"nested", []string{"tags.list.element", "items.list.element.price"}},
	} {
		for _, column := range c.columns {
			b.Run("file="+c.file+"/column="+column, func(b *testing.B) {
				g := newGrid(b, c.file, column)
				for _, runs := range []int{1, 1000} {
					for _, percent := range []float64{0.1, 1, 10, 50, 90, 99} {
						b.Run(fmt.Sprintf("run=%d/percent=%v", runs, percent), func(b *testing.B) {
							g.choose(runs, percent)
							g.compare(b)
						})
					}
				}
			})
		}
	}
}

// compare reads all rows, and those that are wanted: as the cursor thinks best,
// and by each of the ways there are.
func (g *grid) compare(b *testing.B) {
	b.Helper()
	ways := []struct {
		name  string
		force Force
	}{{"ratio", Force{}}, {"gather", Force{Gather: Always}}, {"dense", Force{Gather: Never}}}
	// The best of many: what else the machine does comes on top.
	g.read(b, nil)
	g.read(b, g.sels)
	whole, best := time.Hour, []time.Duration{time.Hour, time.Hour, time.Hour}
	for b.Loop() {
		g.force = Force{}
		whole = min(whole, g.read(b, nil))
		for i, w := range ways {
			g.force = w.force
			best[i] = min(best[i], g.read(b, g.sels))
		}
	}
	for i, w := range ways {
		b.ReportMetric(float64(best[i])/float64(whole), w.name)
	}
	b.ReportMetric(float64(whole.Nanoseconds())/float64(g.rows), "all-ns/row")
}

// BenchmarkReturned filters a column and reads what is left: with what the
// filter decoded kept, over decoding it again.
func BenchmarkReturned(b *testing.B) {
	for _, c := range []struct {
		file, column, name string
		test               *pred.Test
	}{
		{"li_v2_delta", "l_partkey", "1%", pred.Ints(0, 2_000)},
		{"li_v2_delta", "l_partkey", "50%", pred.Ints(0, 100_000)},
		{"li_v2_delta", "l_extendedprice", "1%", pred.Floats(0, 1_800)},
		{"li_v2_delta", "l_extendedprice", "50%", pred.Floats(0, 36_700)},
		{"li_v2_delta", "l_shipinstruct", "25%", pred.Text(pred.Equal, []byte("NONE"))},
		{"li_v2_delta", "l_comment", "all", pred.LikePattern([]byte("%e%a%"), 0)},
		{"li_plain", "l_comment", "all", pred.LikePattern([]byte("%e%a%"), 0)},
		{"li_plain", "l_comment", "a-c", pred.Strings([]byte("a"), []byte("d"))},
		{"li_plain", "l_shipinstruct", "25%", pred.Text(pred.Equal, []byte("NONE"))},
		{"li_plain", "l_extendedprice", "50%", pred.Floats(0, 36_700)},
		{"li_snappy", "l_quantity", "2%", pred.Floats(7, 7)},
	} {
		b.Run("file="+c.file+"/column="+c.column+"/passed="+c.name, func(b *testing.B) {
			g := newGrid(b, c.file, c.column)
			var sel Selection
			read := func(keep Choice) time.Duration {
				start := time.Now()
				g.cur.Open(&g.chunk, &memory{chunk: g.bytes}, Options{Returned: true, Force: Force{Keep: keep}})
				g.cur.Window(g.rows)
				sel.Fill(int(g.rows))
				err := g.cur.Filter(&sel, c.test)
				if err == nil {
					g.cur.Release(&g.dst)
					build.Reset(&g.dst, g.source.Leaf.Type)
					err = g.cur.Read(&sel, &g.dst)
				}
				if err != nil {
					b.Fatal(err)
				}
				return time.Since(start)
			}
			again, kept, forced := time.Hour, time.Hour, time.Hour
			for b.Loop() {
				again, kept, forced = min(again, read(Never)), min(kept, read(ByCost)), min(forced, read(Always))
			}
			b.ReportMetric(float64(kept)/float64(again), "ratio")
			b.ReportMetric(float64(forced)/float64(again), "forced")
			b.ReportMetric(float64(again.Nanoseconds())/float64(g.rows), "again-ns/row")
		})
	}
}

// gridWindow is the number of rows of a window, gridRows of all that are read:
// few, so that a read is over before something comes in between.
const (
	gridWindow = 1 << 16
	gridRows   = gridWindow
)

// grid is a column of a file, and the rows of it that are wanted.
type grid struct {
	source Source
	bytes  []byte
	sels   []Selection
	rows   int64
	force  Force

	chunk  Chunk
	cur    Cursor
	dst    vector.Vector
	levels Levels
}

func newGrid(b *testing.B, name, column string) *grid {
	f := peersFile(b, name)
	leaf, err := f.schema.Lookup(column)
	if err != nil {
		b.Fatal(err)
	}
	g := new(grid)
	if g.source, g.bytes, err = f.source(0, leaf.FirstLeaf, true); err == nil {
		err = g.chunk.Reset(g.source)
	}
	if err != nil {
		b.Fatal(err)
	}
	g.rows = min(g.source.Rows, gridRows)
	return g
}

// choose has about so many percent of the rows wanted, in runs.
func (g *grid) choose(run int, percent float64) {
	r := rand.New(rand.NewPCG(1, 2))
	g.sels = make([]Selection, (g.rows+gridWindow-1)/gridWindow)
	for w := range g.sels {
		sel := &g.sels[w]
		n := int(min(gridWindow, g.rows-int64(w)*gridWindow))
		sel.Clear(n)
		for i := 0; i < n; i += run {
			if r.Float64()*100 < percent {
				sel.SetRange(i, min(i+run, n))
			}
		}
	}
}

func (g *grid) read(b *testing.B, sels []Selection) time.Duration {
	start := time.Now()
	g.cur.Open(&g.chunk, &memory{chunk: g.bytes}, Options{Force: g.force})
	for w := 0; g.cur.At() < g.rows; w++ {
		to := min(g.cur.At()+gridWindow, g.rows)
		g.cur.Window(to)
		var sel *Selection
		if sels != nil {
			sel = &sels[w]
		}
		var err error
		if g.source.repeated() {
			g.cur.Release(&g.levels.Values)
			g.levels.Reset(g.source.Leaf.Type)
			err = g.cur.ReadLevels(sel, &g.levels)
		} else {
			g.cur.Release(&g.dst)
			build.Reset(&g.dst, g.source.Leaf.Type)
			err = g.cur.Read(sel, &g.dst)
		}
		if err != nil {
			b.Fatal(err)
		}
		g.cur.Advance(to)
	}
	return time.Since(start)
}
