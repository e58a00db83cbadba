package scanner

import (
	"context"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// Sixty-four scans that share Stats, of one file or of several, count together what they
// count one after the other.
func TestStatsAreShared(t *testing.T) {
	const scans = 64
	rows := someRows(2500)
	near := filterable(t, rows)
	remote, err := OpenSource(t.Context(), "far.parquet", far{near.Source()})
	if err != nil {
		t.Fatal(err)
	}
	shared := Options{Filter: scannertest.Parsed(t, "n >= 30 AND s > 's2'"), Stats: new(Stats)}
	one := func(ctx context.Context, i int, s *Stats) error {
		o, f := shared, near
		o.Stats = s
		if i%2 == 1 {
			f = remote
		}
		switch i / 2 % 6 {
		case 0:
			return ways["Scan"](ctx, f, o)
		case 1:
			return ways["Scan with threads"](ctx, f, o)
		case 2:
			return ways["Partitions"](ctx, f, o)
		case 3:
			return ways["Count"](ctx, f, o)
		case 4:
			return ways["Max"](ctx, f, o)
		}
		return ways["Top"](ctx, f, o)
	}

	var alone Stats
	for i := range scans {
		if err := one(t.Context(), i, &alone); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	for i := range scans {
		all.Go(func() {
			if err := one(t.Context(), i, shared.Stats); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	want, got := sums(&alone), sums(shared.Stats)
	if want.Rows == 0 || len(want.columns) != 4 || len(want.tests) < 2 {
		t.Fatalf("one after the other: %+v", want)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("at the same time\n%+v\none after the other\n%+v", got, want)
	}
}

// counts are the counters that do not depend on time, and on who is first: filters are run
// in an order that is measured, and what is read ahead for nothing depends on who reads first.
type counts struct {
	Rows    int64
	columns map[string]PageCount // of all buckets and dictionaries
	tests   map[string]bool
}

func sums(s *Stats) counts {
	n := counts{Rows: s.Rows, columns: map[string]PageCount{}, tests: map[string]bool{}}
	for _, c := range s.Columns {
		name := c.Leaf.String()
		if _, known := n.columns[name]; known {
			name = "twice: " + name // both files' counters are to be one
		}
		sum := PageCount{0, c.DictionaryBytes}
		for i := range c.Pages {
			sum.add(PageCount{c.Pages[i], c.Bytes[i]})
		}
		n.columns[name] = sum
	}
	for _, test := range s.Tests {
		n.tests[test.Condition] = true
	}
	return n
}

// A snapshot may be taken while scans run, never goes back, and stays what it is.
func TestStatsSnapshot(t *testing.T) {
	f := filterable(t, someRows(1500))
	var stats Stats
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if err := ways["Scan"](t.Context(), f, Options{Filter: scannertest.Parsed(t, "n >= 30"), Stats: &stats}); err != nil {
				t.Error(err)
			}
		})
	}
	ended := make(chan bool)
	go func() {
		all.Wait()
		close(ended)
	}()
	last := &Stats{}
	for done := false; !done; {
		select {
		case <-ended:
			done = true
		case <-time.After(time.Millisecond):
		}
		s := stats.Snapshot()
		if s.Rows < last.Rows || len(s.Columns) < len(last.Columns) {
			t.Fatalf("%d rows behind %d", s.Rows, last.Rows)
		}
		last = s
	}
	if !reflect.DeepEqual(last, stats.Snapshot()) || last.Rows != stats.Rows || last.Rows == 0 {
		t.Errorf("the last snapshot has %d rows, of %d", last.Rows, stats.Rows)
	}
	before := last.Columns[0].Pages
	if err := ways["Scan"](t.Context(), f, Options{Filter: scannertest.Parsed(t, "n >= 30"), Stats: &stats}); err != nil {
		t.Fatal(err)
	}
	if last.Columns[0].Pages != before || stats.Columns[0].Pages == before {
		t.Error("a scan changed a snapshot, or nothing")
	}
}
