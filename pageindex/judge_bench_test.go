package pageindex

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// longIndex is a page index of so many pages of 10 rows; from tells the least
// value of each, which has 10 more.
func longIndex(pages int, from func(page int) int64) (*wire.ColumnIndex, *wire.OffsetIndex) {
	x, o := &wire.ColumnIndex{}, &wire.OffsetIndex{}
	for i := range pages {
		v := from(i)
		x.NullPages = append(x.NullPages, false)
		x.MinValues, x.MaxValues = append(x.MinValues, i64(v)), append(x.MaxValues, i64(v+10))
		x.NullCounts = append(x.NullCounts, 0)
		o.PageLocations = append(o.PageLocations, &wire.PageLocation{Offset: int64(4 + 100*i), CompressedPageSize: 100, FirstRowIndex: int64(10 * i)})
	}
	return x, o
}

// longChunk is a file of one leaf with such an index.
func longChunk(b testing.TB, pages int, from func(page int) int64) *sample {
	x, o := longIndex(pages, from)
	index, err := gen.Thrift(x)
	if err != nil {
		b.Fatal(err)
	}
	offsets, err := gen.Thrift(o)
	if err != nil {
		b.Fatal(err)
	}
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	for i := range pages {
		v := int64(binary.LittleEndian.Uint64(x.MinValues[i]))
		low, high = min(low, v), max(high, v+10)
	}
	start := int64(4 + 100*pages)
	s := sampleOf(b, &gen.File{Schema: []*gen.Node{gen.Required("x", gen.Int64)}, RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{"x": 1}}}}})
	s.bytes = append(append(make([]byte, start), index...), offsets...)
	s.end = int64(len(s.bytes))
	s.footer.RowGroups[0].NumRows = int64(10 * pages)
	s.chunk = &thrift.ColumnChunk{
		HasMeta: true, HasColumnIndex: true, HasOffsetIndex: true,
		ColumnIndexOffset: start, ColumnIndexLength: int32(len(index)),
		OffsetIndexOffset: start + int64(len(index)), OffsetIndexLength: int32(len(offsets)),
	}
	m := &s.chunk.Meta
	m.NumValues, m.HasStatistics = int64(10*pages), true
	m.Statistics = thrift.Statistics{MinValue: i64(low), MaxValue: i64(high), HasNullCount: true}
	return s
}

// BenchmarkPages reads an index of 10,000 pages, and judges tests by it.
func BenchmarkPages(b *testing.B) {
	const pages = 10_000
	rng := rand.New(rand.NewPCG(1, 2))
	for _, layout := range []struct {
		name string
		from func(page int) int64
	}{
		{"sorted", func(page int) int64 { return int64(10 * page) }},
		{"clustered", func(page int) int64 { return int64(10*page) + rng.Int64N(500) }},
		{"scattered", func(page int) int64 { return rng.Int64N(10 * pages) }},
	} {
		s := longChunk(b, pages, layout.from)
		g := s.group(0)
		c, err := g.Chunk(s.schema.Leaves()[0])
		if err != nil {
			b.Fatal(err)
		}
		offsets := s.bytes[s.chunk.OffsetIndexOffset:]
		index := s.bytes[s.chunk.ColumnIndexOffset:][:s.chunk.ColumnIndexLength]
		l := newLeaf(c.Column.Leaf, c, g.Rows, true)
		run := func(part string, f func()) {
			b.Run("layout="+layout.name+"/part="+part, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pages, "ns/page")
			})
		}
		run("read", func() {
			if _, err := l.readIndex(offsets, index, g.Rows, g.End); err != nil {
				b.Fatal(err)
			}
		})
		var keys []string
		for i := range 100 {
			keys = append(keys, fmt.Sprint(977*i))
		}
		for _, test := range [][2]string{
			{"range", "x BETWEEN 40000 AND 45000"}, {"half", "x < 50000"}, {"keys", "x IN (" + strings.Join(keys, ", ") + ")"},
		} {
			p := testsOf(s.bind(b, test[1]).Root)[0]
			run(test[0], func() {
				v := newTestVerdicts(l.pages, p)
				v.stopped = new(Judge).stopped
				if v.judgePages(vector.All(g.Rows)); len(v.none) == 0 {
					b.Fatal("nothing is pruned")
				}
			})
		}
	}
}

// BenchmarkWide judges a condition on many columns with a page each.
func BenchmarkWide(b *testing.B) {
	for _, columns := range []int{1, 100, 1000} {
		f := &gen.File{}
		row := gen.Record{}
		var where []string
		for i := range columns {
			name := fmt.Sprint("c", i)
			f.Schema = append(f.Schema, gen.Required(name, gen.Int64))
			row[name] = i
			where = append(where, name+" >= 0")
		}
		f.RowGroups = []gen.RowGroup{{Rows: []any{row, row}}}
		s := sampleOf(b, f)
		p := s.bind(b, strings.Join(where, " AND "))
		g := s.group(0)
		b.Run(fmt.Sprint("tests=", columns), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if j := s.judge(b, p, g, Options{}); j.Rows().Len() != 2 {
					b.Fatal(j.Rows())
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(columns), "ns/test")
		})
	}
}
