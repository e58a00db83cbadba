package column

import (
	"encoding/binary"
	"testing"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift"
)

// judgeInts judges ranges of integers, and NULL.
func judgeInts(t *pred.Test, stats *thrift.Statistics, slots int64) Outcome {
	if !stats.HasNullCount {
		return SomePass
	}
	if t.Kind == pred.Null && t.Level == 0 && !t.All {
		switch isNull := !t.Negate; {
		case stats.NullCount == 0 && isNull:
			return NonePass
		case stats.NullCount == 0:
			return AllPass
		}
		return SomePass
	}
	lo, hi, ok := t.Ints()
	if !ok || t.Negate {
		return SomePass
	}
	if stats.NullCount == slots {
		return NonePass
	}
	var least, most int64
	switch len(stats.MinValue) {
	case 4:
		least, most = int64(int32(binary.LittleEndian.Uint32(stats.MinValue))), int64(int32(binary.LittleEndian.Uint32(stats.MaxValue)))
	case 8:
		least, most = int64(binary.LittleEndian.Uint64(stats.MinValue)), int64(binary.LittleEndian.Uint64(stats.MaxValue))
	default:
		return SomePass
	}
	switch {
	case most < lo || least > hi:
		return NonePass
	case lo <= least && most <= hi && stats.NullCount == 0:
		return AllPass
	}
	return SomePass
}

// judgedFile has ten pages of ten rows, numbers from 0 on. Of every third page
// one row is NULL, if there are nulls.
func judgedFile(tb testing.TB, nulls bool, version int, encoding gen.Encoding) *file {
	tb.Helper()
	node := gen.Required("a", gen.Int64)
	if nulls {
		node = gen.Optional("a", gen.Int64)
	}
	rows := make([]any, 100)
	for i := range rows {
		rows[i] = gen.Record{"a": i}
		if nulls && i%30 == 5 {
			rows[i] = gen.Record{}
		}
	}
	col := gen.Column{Shape: gen.Shape{Version: version, Encoding: encoding, PageStats: gen.MinMax | gen.NullCount}, Codec: gen.Snappy, Index: gen.FullIndex, PageRows: []int{10}}
	f := gen.File{Schema: []*gen.Node{node}, RowGroups: []gen.RowGroup{{Rows: rows, Columns: []gen.Column{col}}}}
	return must[*file](tb)(openFile(must[[]byte](tb)(f.Write())))
}

// TestOutcomes counts what becomes of pages about which something is certain
// before they are decompressed.
func TestOutcomes(t *testing.T) {
	type counts = [Fates]int64
	judge := HeaderJudge(judgeInts)
	for _, c := range []struct {
		name   string
		file   *file
		judge  HeaderJudge
		test   *pred.Test
		passed int
		want   counts
	}{
		// Pages 2 to 4 lie within, page 5 in part.
		{"statistics", judgedFile(t, false, 1, gen.Plain), judge, pred.Ints(20, 54), 35, counts{RejectedByHeader: 6, Undecompressed: 3, Decoded: 1}},
		{"statistics v2", judgedFile(t, false, 2, gen.Plain), judge, pred.Ints(20, 54), 35, counts{RejectedByHeader: 6, Undecompressed: 3, Decoded: 1}},
		// Of these, page 3 has a NULL.
		{"nulls", judgedFile(t, true, 1, gen.Plain), judge, pred.Ints(20, 54), 34, counts{RejectedByHeader: 6, Undecompressed: 2, Decoded: 2}},
		{"is null", judgedFile(t, true, 1, gen.Plain), judge, pred.IsNull(0), 4, counts{RejectedByHeader: 6, Undecoded: 4}},
		{"nobody", judgedFile(t, false, 1, gen.Plain), nil, pred.Ints(20, 54), 35, counts{Decoded: 10}},
		{"dictionary, none", judgedFile(t, true, 1, gen.Dictionary), nil, pred.InInts([]int64{-1, 1000}), 0, counts{RejectedByDictionary: 10}},
		{"dictionary, mask of none", judgedFile(t, true, 1, gen.Dictionary), nil, &pred.Test{Kind: pred.Codes, Bits: make([]uint64, 2)}, 0, counts{RejectedByDictionary: 10}},
		{"dictionary, all", judgedFile(t, false, 1, gen.Dictionary), nil, pred.Ints(0, 99), 100, counts{Undecompressed: 10}},
		{"dictionary, all or NULL", judgedFile(t, true, 1, gen.Dictionary), nil, pred.Ints(0, 99), 96, counts{Decoded: 10}},
		{"both", judgedFile(t, false, 1, gen.Dictionary), judge, pred.InInts([]int64{-1, 1000}), 0, counts{RejectedByDictionary: 10}},
	} {
		for _, indexed := range []bool{false, true} {
			src, raw, err := c.file.source(0, 0, indexed)
			if err != nil {
				t.Fatal(err)
			}
			asked := 0
			o := Options{}
			if c.judge != nil {
				o.HeaderJudge = func(t *pred.Test, stats *thrift.Statistics, slots int64) Outcome {
					asked++
					return c.judge(t, stats, slots)
				}
			}
			var chunk Chunk
			var cur Cursor
			if err := chunk.Reset(src); err != nil {
				t.Fatal(err)
			}
			cur.Open(&chunk, &memory{chunk: raw, spoil: true}, o)
			// Windows of which two touch each page.
			passed := 0
			sizes := []int{100}
			if c.name[0] == 's' {
				sizes = []int{25, 20, 20, 35}
			}
			for _, n := range sizes {
				var sel Selection
				sel.Fill(n)
				cur.Window(cur.At() + int64(n))
				for range 2 {
					if err := cur.Filter(&sel, c.test); err != nil {
						t.Fatal(err)
					}
				}
				passed += sel.Count()
				cur.Advance(cur.At() + int64(n))
			}
			cur.Close()
			n := cur.Counters()
			if passed != c.passed || n.Pages != c.want {
				t.Errorf("%s, index %v: %d rows of pages %v, want %d of %v", c.name, indexed, passed, n.Pages, c.passed, c.want)
			}
			if c.judge != nil && asked != 10 {
				t.Errorf("%s, index %v: asked %d times, of ten pages", c.name, indexed, asked)
			}
			sum := n.DictionaryBytes
			for _, b := range n.Bytes {
				sum += b
			}
			if sum != src.Pages.Length {
				t.Errorf("%s, index %v: %d bytes are accounted for, the chunk has %d", c.name, indexed, sum, src.Pages.Length)
			}
		}
	}
}

// TestFallBack has a mask of nothing for pages of codes, and others after them.
func TestFallBack(t *testing.T) {
	rows := make([]any, 100)
	for i := range rows {
		rows[i] = gen.Record{"a": i}
	}
	codes, plain := gen.Shape{Encoding: gen.Dictionary}, gen.Shape{}
	col := gen.Column{Shape: plain, PageShapes: []gen.Shape{codes, codes, plain, codes}, Index: gen.NoIndex, PageRows: []int{20}}
	f := gen.File{Schema: []*gen.Node{gen.Required("a", gen.Int64)}, RowGroups: []gen.RowGroup{{Rows: rows, Columns: []gen.Column{col}}}}
	src, raw, err := must[*file](t)(openFile(must[[]byte](t)(f.Write()))).source(0, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	var chunk Chunk
	var cur Cursor
	if err := chunk.Reset(src); err != nil {
		t.Fatal(err)
	}
	cur.Open(&chunk, &memory{chunk: raw}, Options{})
	cur.Window(100)
	var sel Selection
	sel.Fill(100)
	if err := cur.Filter(&sel, pred.Ints(50, 55)); err != nil {
		t.Fatal(err)
	}
	cur.Close()
	if n := cur.Counters().Pages; sel.Count() != 6 || n != [Fates]int64{RejectedByDictionary: 3, Decoded: 2} {
		t.Errorf("%d rows pass, pages %v", sel.Count(), n)
	}
}
