package scanner

import (
	"fmt"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// TestKeysOfSeveralColumns: a join on two columns, one of which has NULLs, keeps the rows
// whose pair is a key. It reads no page that either column's bounds exclude, nor pages of
// a third column without survivors. The keys may come late, and from another process.
func TestKeysOfSeveralColumns(t *testing.T) {
	const rows = 2000
	var records []any
	for i := range rows {
		r := gen.Record{"a": i / 10, "b": fmt.Sprintf("b%03d", i%10), "id": i}
		if i%7 == 0 {
			r["b"] = nil
		}
		records = append(records, r)
	}
	f, _ := recorded(t, scannertest.Write(t, gen.File{
		Schema: []*gen.Node{
			gen.Required("a", gen.Int64), gen.Optional("b", gen.ByteArray).As(gen.StringType()), gen.Required("id", gen.Int64),
		},
		RowGroups: []gen.RowGroup{{Rows: records[:rows/2]}, {Rows: records[rows/2:]}},
		All:       gen.Column{PageRows: []int{100}, Shape: gen.Shape{PageStats: gen.MinMax | gen.NullCount}},
	}))
	built := make([]filter.Keys, 2) // by two goroutines of the build side, say
	var want []string
	for i, pair := range []struct {
		a int64
		b any
	}{{31, "b004"}, {33, "b001"}, {36, "b002"}, {36, nil}, {35, "b999"}} {
		built[i%2].Add(pair.a, pair.b)
		for row := range rows {
			if row/10 == int(pair.a) && row%7 != 0 && pair.b == fmt.Sprintf("b%03d", row%10) {
				want = append(want, fmt.Sprintf(`{"id":%d}`, row))
			}
		}
	}
	keys := filter.NewKeys(10_000) // so that there are no false positives
	for i := range built {
		b, err := built[i].MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var received filter.Keys
		if err := received.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		keys.Merge(&received)
	}
	if len(want) != 3 || keys.Len() != 4 {
		t.Fatal(want, keys.Len())
	}
	e := filter.InKeys(keys, filter.Col("a"), filter.Col("b"))
	var runtime filter.Runtime
	runtime.Publish(e)
	for name, o := range map[string]Options{
		"filter":      {Filter: e},
		"with others": {Filter: filter.And(filter.Col("id").Ge(0), e)},
		"in threads":  {Filter: e, Threads: 3},
		"runtime":     {Runtime: []*filter.Runtime{&runtime}, knobs: knobs.Knobs{NoBackoff: true}},
		"no skips":    {Filter: e, knobs: knobs.Knobs{NoStatistics: true, NoPageIndex: true, NoDictionaries: true}},
	} {
		var stats Stats
		o.Select, o.Stats = []string{"id"}, &stats
		got := lines(t, f, o)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		// Of twenty pages of each column, a's fourth has all keys.
		decoded := int64(0)
		for _, c := range stats.Snapshot().Columns {
			decoded += c.Pages[Decoded]
		}
		if name != "no skips" && decoded > 3 {
			t.Errorf("%s: %d pages are decoded", name, decoded)
		}
	}
	if n, err := f.Count(t.Context(), Options{Filter: filter.Not(e.IsFalse())}); n != int64(len(want))+(rows+6)/7 || err != nil {
		t.Errorf("%d rows are not FALSE, %v", n, err) // NULL is where b is
	}
}
