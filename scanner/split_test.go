package scanner

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

var splitWheres = []string{"", "n >= 50", "id >= 150 and id < 1410", "s = 's7' or n is null", "s < 's2' and n > 20", "id = 77", "n > 1000", "id < 350 or n = 50", "s like '%9'", "length(tags) > 2"}

// Threads and partitions that share row groups hand out what one scan does, and
// count each page and byte once.
func TestSplitRowGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for i := range 150 {
		f, _ := recorded(t, manyGroups(t, 1+rng.IntN(2)))
		o := Options{Select: [][]string{nil, {"tags", "id"}, {"s"}, {}}[rng.IntN(4)], BatchRows: []int{0, 30}[rng.IntN(2)]}
		where := splitWheres[rng.IntN(len(splitWheres))]
		if rng.IntN(4) == 0 {
			o.Rows = vector.RowSet{{{From: 33, To: 500}, {From: 700, To: 720}}, {{From: 0, To: 1000}}}
		}
		if where == "" && rng.IntN(3) == 0 {
			o.Offset, o.Limit = rng.Int64N(300), 1+rng.Int64N(800)
		}
		o.RowNumber = "row"
		plain := o
		if where != "" {
			plain.Filter = scannertest.Parsed(t, where)
		}
		want := lines(t, f, plain)
		o.Threads, o.knobs.MinPart = 2+rng.IntN(6), 1+rng.IntN(300)
		if rng.IntN(4) == 0 {
			p := plain
			if o.Plan, _ = f.Plan(t.Context(), p); o.Plan == nil {
				t.Fatal("no plan")
			}
		}
		name := fmt.Sprintf("case %d: %q, %d threads, parts of %d, rows %v, %d+%d", i, where, o.Threads, o.knobs.MinPart, o.Rows, o.Offset, o.Limit)
		asked := o
		asked.Filter = plain.Filter
		if err := scannertest.Same(lines(t, f, asked), want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s := counted(t, f, where, o)
		whole := plain
		whole.Filter = nil
		one := counted(t, f, where, whole)
		for k := range s.Columns {
			if got, want := s.Columns[k].DictionaryPages, one.Columns[k].DictionaryPages; got > int64(len(f.footer.RowGroups)) || got < want && s.Columns[k].Leaf == one.Columns[k].Leaf {
				t.Errorf("%s, %v: dictionary read %d times", name, s.Columns[k].Leaf, got)
			}
		}
		if n, err := f.Count(t.Context(), asked); err != nil || n != int64(len(want)) {
			t.Errorf("%s: Count says %d of %d, %v", name, n, len(want), err)
		}
		set, err := f.Passing(t.Context(), asked)
		again := asked
		again.Rows, again.Filter, again.Plan, again.Offset, again.Limit = set, nil, nil, 0, 0
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if err := scannertest.Same(lines(t, f, again), want); err != nil {
			t.Errorf("%s: rows that pass: %v", name, err)
		}

		got, err := partitionLines(t, f, asked, o.Threads)
		slices.Sort(want)
		if err == nil {
			err = scannertest.Same(got, want)
		}
		if err != nil {
			t.Errorf("%s: partitions: %v", name, err)
		}
	}
}

// partitionLines returns the rows of all partitions, sorted.
func partitionLines(t *testing.T, f *File, o Options, n int) (got []string, fault error) {
	var mu sync.Mutex
	var hosts sync.WaitGroup
	for _, part := range f.Partitions(t.Context(), o, n) {
		hosts.Go(func() {
			for b, err := range part {
				mu.Lock()
				if err != nil {
					fault = err
				} else {
					got = append(got, scannertest.Lines(t, b)...)
				}
				mu.Unlock()
			}
		})
	}
	hosts.Wait()
	slices.Sort(got)
	return got, fault
}

// One row group keeps two partitions busy, from one page of the widest column on; what is
// known of it is read once, and the pages across the border are told.
func TestUnitsOfARowGroup(t *testing.T) {
	b := manyGroups(t, 1)
	f, rec := recorded(t, b)
	for _, tc := range []struct {
		where string
		again bool // both decode pages of columns that have no border there
	}{{"", true}, {"n >= 0", true}, {"id >= 0", false}} {
		var all, stats Stats
		o := Options{Stats: &all, knobs: knobs.Knobs{NoStatistics: true}}
		if tc.where != "" {
			o.Filter = scannertest.Parsed(t, tc.where)
		}
		want := lines(t, f, o)
		rec.Take()
		o.Stats, o.knobs.MinPart = &stats, 200
		parts := f.Partitions(t.Context(), o, 2)
		if len(rec.Take()) > 0 {
			t.Errorf("%q: read before rows were asked for", tc.where)
		}
		shares := make([]int, 2)
		var got []string
		for batch := range parts[0] {
			got = append(got, scannertest.Lines(t, batch)...)
			if shares[0] += batch.Len; shares[0] == batch.Len {
				for batch := range parts[1] {
					got = append(got, scannertest.Lines(t, batch)...)
					shares[1] += batch.Len
				}
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if err := scannertest.Same(got, want); err != nil {
			t.Errorf("%q: %v", tc.where, err)
		}
		if shares[0] < 100 || shares[1] < 100 {
			t.Errorf("%q: %v rows", tc.where, shares)
		}
		var again, dictionaries int64
		for i, c := range stats.Columns {
			again += c.Redecompressed
			dictionaries += c.DictionaryPages
			if c.Pages != all.Columns[i].Pages {
				t.Errorf("%q, %v: pages %v, whole %v", tc.where, c.Leaf, c.Pages, all.Columns[i].Pages)
			}
		}
		if dictionaries != 1 || again == 0 && tc.again {
			t.Errorf("%q: %d dictionaries read, %d pages again", tc.where, dictionaries, again)
		}
	}
}

// Without an offset index of each column, or with rows too few, row groups stay whole.
func TestWholeRowGroups(t *testing.T) {
	var rows []any
	for i := range 1000 {
		rows = append(rows, gen.Record{"a": i, "b": i})
	}
	file := func(b gen.Index) *File {
		f, _ := recorded(t, scannertest.Write(t, gen.File{
			Schema:    []*gen.Node{gen.Required("a", gen.Int64), gen.Required("b", gen.Int64)},
			RowGroups: []gen.RowGroup{{Rows: rows, Columns: []gen.Column{{PageRows: []int{100}}, {PageRows: []int{100}, Index: b}}}},
		}))
		return f
	}
	for _, tc := range []struct {
		name string
		f    *File
		o    Options
		want bool
	}{
		{"indexed", file(gen.FullIndex), Options{knobs: knobs.Knobs{MinPart: 100}}, true},
		{"few rows", file(gen.FullIndex), Options{}, false},
		{"one column without an index", file(gen.NoIndex), Options{knobs: knobs.Knobs{MinPart: 100}}, false},
		{"which is not asked for", file(gen.NoIndex), Options{Select: []string{"a"}, knobs: knobs.Knobs{MinPart: 100}}, true},
		{"far away", file(gen.FullIndex), Options{knobs: knobs.Knobs{MinPart: 100}, ReadAhead: 1000}, false},
		{"nothing to be asked", file(gen.FullIndex), Options{Select: []string{}, knobs: knobs.Knobs{MinPart: 100}}, false},
	} {
		s, err := tc.f.newScan(t.Context(), tc.o)
		if err != nil {
			t.Fatal(err)
		}
		s.queue.scans = 4
		s.splitUnits()
		if got := s.units() > 1; got != tc.want {
			t.Errorf("%s: %d units", tc.name, s.units())
		}
		tc.o.Threads = 4
		if got := lines(t, tc.f, tc.o); len(got) != 1000 {
			t.Errorf("%s: %d rows", tc.name, len(got))
		}
	}
}

// Runtime filters tighten while units are read.
func TestUnitsWithRuntimeFilters(t *testing.T) {
	f, _ := recorded(t, manyGroups(t, 1))
	for _, late := range []string{"id < 600", "s = 's3'", "n > 1000"} {
		var r filter.Runtime
		o := Options{Filter: scannertest.Parsed(t, "n >= 10"), Runtime: []*filter.Runtime{&r}, Threads: 3, BatchRows: 20, knobs: knobs.Knobs{MinPart: 100}}
		must := lines(t, f, Options{Filter: filter.And(o.Filter, scannertest.Parsed(t, late))})
		may := lines(t, f, Options{Filter: o.Filter})
		var s Stats
		o.Stats = &s
		var got []string
		for b, err := range f.Scan(t.Context(), o) {
			if err != nil {
				t.Fatal(err)
			}
			if len(got) == 0 {
				r.Publish(scannertest.Parsed(t, late))
			}
			got = append(got, scannertest.Lines(t, b)...)
		}
		for _, line := range must {
			if !slices.Contains(got, line) {
				t.Errorf("%s: %s does not come", late, line)
			}
		}
		for _, line := range got {
			if !slices.Contains(may, line) {
				t.Errorf("%s: %s comes", late, line)
			}
		}
		closed(t, f, late, &s)
	}
}
