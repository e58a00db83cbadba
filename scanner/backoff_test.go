package scanner

import (
	"testing"
	"testing/synctest"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// A runtime filter that drops nothing is asked about few rows; one that drops
// some about all, and so is one that must not rest. In the bubble nothing takes
// long, for which windows would be halved, and so be more.
func TestBackoff(t *testing.T) { synctest.Test(t, testBackoff) }

func testBackoff(t *testing.T) {
	const n = 40_000 // three windows
	var records []any
	for i := range n {
		records = append(records, gen.Record{"x": i % 2})
	}
	f, _ := recorded(t, scannertest.Write(t, gen.File{Schema: []*gen.Node{gen.Required("x", gen.Int64)}, RowGroups: []gen.RowGroup{{Rows: records}}}))
	for _, c := range []struct {
		keys        []int64
		restless    bool
		rows, asked int64
	}{
		{[]int64{0, 1}, false, n, 32},
		{[]int64{0, 1}, true, n, n},
		{[]int64{0}, false, n / 2, 512 + n - 256}, // a try, and what it left
		{[]int64{0}, true, n / 2, n},
	} {
		keys := filter.NewKeys(100)
		for _, k := range c.keys {
			keys.AddInt64(k)
		}
		var r filter.Runtime
		r.Publish(filter.Col("x").InKeys(keys))
		var stats Stats
		rows := int64(0)
		for b, err := range f.Scan(t.Context(), Options{Runtime: []*filter.Runtime{&r}, knobs: knobs.Knobs{NoBackoff: c.restless}, Stats: &stats}) {
			if err != nil {
				t.Fatal(err)
			}
			rows += int64(b.Len)
		}
		if rows != c.rows || len(stats.Tests) != 1 || stats.Tests[0].In != c.asked {
			t.Errorf("keys %v, restless %v: %d rows, %+v, want %d, asked %d", c.keys, c.restless, rows, stats.Tests, c.rows, c.asked)
		}
	}
}

// A scan that asks nothing reads no index. What a filter needs that comes then is
// read for what is left.
func TestUntested(t *testing.T) {
	const n = 40_000
	var records []any
	for i := range n {
		records = append(records, gen.Record{"x": i, "y": -i})
	}
	file := gen.File{
		Schema:    []*gen.Node{gen.Required("x", gen.Int64), gen.Required("y", gen.Int64)},
		All:       gen.Column{PageRows: []int{1000}, Index: gen.FullIndex},
		RowGroups: []gen.RowGroup{{Rows: records}, {Rows: records}},
	}
	f, _ := recorded(t, scannertest.Write(t, file))
	for _, c := range []struct {
		name       string
		before     *filter.Expr
		then       *filter.Expr // published after some rows
		after      int64
		rows       int64
		read, most int64 // pages of y that are decoded, at most; bytes of metadata
	}{
		{"nothing", nil, nil, 0, 2 * n, 80, 0},
		{"all", filter.Col("x").Ge(int64(0)), nil, 0, 2 * n, 80, 0},
		{"late", nil, filter.Col("x").Ge(int64(30_000)), 8192, 8192 + 10_000 + 10_000, 30, 8000},
	} {
		var r filter.Runtime
		r.Publish(c.before)
		var stats Stats
		rows := int64(0)
		for b, err := range f.Scan(t.Context(), Options{Runtime: []*filter.Runtime{&r}, Select: []string{"y"}, Stats: &stats}) {
			if err != nil {
				t.Fatal(err)
			}
			if rows += int64(b.Len); rows == c.after {
				r.Publish(c.then)
			}
		}
		y := &stats.Columns[0]
		if rows != c.rows || y.Pages[Decoded] > c.read || stats.Metadata > c.most {
			t.Errorf("%s: %d rows, want %d; %v, %d bytes of metadata", c.name, rows, c.rows, y, stats.Metadata)
		}
		pages := int64(0)
		for _, n := range y.Pages {
			pages += n
		}
		if pages != 80 {
			t.Errorf("%s: %d pages are counted", c.name, pages)
		}
	}
}

// A filter that rests is not held against page indexes, until it drops rows again.
// In the bubble a try takes no time, and so a rest is as short as one may be.
func TestWaking(t *testing.T) { synctest.Test(t, testWaking) }

func testWaking(t *testing.T) {
	const n, more = 20_000, 400_000
	keys := filter.NewKeys(n)
	var records []any
	for i := range more {
		records = append(records, gen.Record{"x": i})
		if i < n {
			keys.AddInt64(int64(i))
		}
	}
	f, _ := recorded(t, scannertest.Write(t, gen.File{
		Schema:    []*gen.Node{gen.Required("x", gen.Int64)},
		All:       gen.Column{PageRows: []int{1000}},
		RowGroups: []gen.RowGroup{{Rows: records[:n]}, {Rows: records}},
	}))
	var r filter.Runtime
	r.Publish(filter.Col("x").InKeys(keys))
	var stats Stats
	rows := 0
	for b, err := range f.Scan(t.Context(), Options{Runtime: []*filter.Runtime{&r}, Stats: &stats}) {
		if err != nil {
			t.Fatal(err)
		}
		rows += b.Len
	}
	if rows < 2*n || rows > n+300_000 || stats.Columns[0].Untouched[ByPageIndex].Pages < 20 || stats.Tests[0].In > 20_000 {
		t.Errorf("%d rows, %+v", rows, &stats)
	}
}
