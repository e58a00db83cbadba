package scanner

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/gen"
)

// A runtime filter that drops nothing is asked about few rows; one that drops
// some about all, and so is one that must not rest. In the bubble nothing takes
// long, for which windows would be halved, and so be more.
func TestRest(t *testing.T) { synctest.Test(t, testRest) }

func testRest(t *testing.T) {
	const n = 40_000 // three windows
	var records []any
	for i := range n {
		records = append(records, gen.Record{"x": i % 2})
	}
	f, _ := recorded(t, write(t, gen.File{Schema: []*gen.Node{gen.Required("x", gen.Int64)}, RowGroups: []gen.RowGroup{{Rows: records}}}))
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
		for b, err := range f.Scan(t.Context(), Options{Runtime: []*filter.Runtime{&r}, Force: Force{Restless: c.restless}, Stats: &stats}) {
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

// How long a rest takes is looked at after 4, 8, 16 … windows, and none takes more
// than 256. What rests for more than one window at a time is looked at after those.
func TestRestIsOver(t *testing.T) {
	for _, c := range []struct {
		each       int // windows
		ends, over int // after how many windows it may be over, and is
	}{
		{1, 0, 4}, {1, 4, 4}, {1, 5, 8}, {1, 9, 16}, {1, 100, 128}, {1, 129, 256}, {1, 1000, 256},
		{8, 0, 8}, {8, 8, 8}, {8, 9, 16}, {8, 17, 32}, {8, 33, 64}, {8, 200, 256}, {8, 1000, 256},
	} {
		var r rest
		r.learn(100, 100, time.Hour)
		rested := 0
		for !r.over(c.each) {
			if rested += c.each; rested >= c.ends {
				r.until = time.Now()
			}
		}
		if rested != c.over || !r.over(c.each) {
			t.Errorf("a rest of %d windows, %d at a time, is over after %d, want %d", c.ends, c.each, rested, c.over)
		}
	}
}

// A filter rests after windows that say enough, not after a few rows.
func TestRestWeighsRows(t *testing.T) {
	for _, c := range []struct {
		name    string
		windows [][2]int // rows that it was asked about, that passed
		rests   bool
	}{
		{"few rows", [][2]int{{3, 3}}, false},
		{"few rows many times", [][2]int{{8, 8}, {8, 8}, {8, 8}, {8, 8}}, true},
		{"a try", [][2]int{{32, 32}}, true},
		{"few rows of a useful one", [][2]int{{30_000, 15_000}, {40, 40}}, false},
		{"a full window of one that was useful", [][2]int{{30_000, 15_000}, {30_000, 30_000}}, true},
		{"full windows of one that drops little", [][2]int{{30_000, 29_000}, {30_000, 29_700}}, true},
		{"many small ones of one that was useful", slices.Repeat([][2]int{{100, 50}, {1000, 1000}, {1000, 1000}}, 2), true},
	} {
		var r rest
		for _, w := range c.windows {
			r.learn(w[0], w[1], time.Hour)
		}
		if rests := r.left > 0; rests != c.rests {
			t.Errorf("%s: rests: %v", c.name, rests)
		}
	}
}

// A scan that asks nothing reads no index. What a filter needs that comes then is
// read for what is left.
func TestIdle(t *testing.T) {
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
	f, _ := recorded(t, write(t, file))
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
		y := &stats.Columns[0].Counters
		if rows != c.rows || y.Pages[column.Decoded] > c.read || stats.Metadata > c.most {
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
	f, _ := recorded(t, write(t, gen.File{
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
