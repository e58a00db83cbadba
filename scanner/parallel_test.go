package scanner

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

func TestThreadsKeepTheOrder(t *testing.T) {
	f := filterable(t, someRows(9500))
	e, err := filter.Parse("n > 50 OR id > 7000")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{}, {Filter: e}, {Filter: e, Limit: 70, Offset: 3}, {Limit: 3000, Offset: 500}} {
		o.Select, o.BatchRows = []string{"tags", "id", "s"}, 300
		want := passed(t, f, o)
		for _, o.Threads = range []int{2, 4, 100} {
			if got := passed(t, f, o); !slices.Equal(got, want) {
				t.Errorf("%d threads: %d rows, want %d", o.Threads, len(got), len(want))
			}
		}
	}
}

// A host's share of processors may come to nothing, and a filter that it
// never made may be among those that it passes.
func TestPartitionsAreAtLeastOne(t *testing.T) {
	f := filterable(t, someRows(950))
	o := Options{Select: []string{"tags", "id", "s"}, Filter: scannertest.Parsed(t, "n > 10"), Runtime: []*filter.Runtime{nil}, BatchRows: 100}
	want := passed(t, f, o)
	for _, n := range []int{0, -1, math.MinInt} {
		parts := f.Partitions(t.Context(), o, n)
		if len(parts) != 1 {
			t.Fatalf("Partitions(%d) returned %d", n, len(parts))
		}
		rows := 0
		for b, err := range parts[0] {
			if err != nil {
				t.Fatal(err)
			}
			rows += b.Len
		}
		if rows != len(want) {
			t.Errorf("Partitions(%d): %d rows, want %d", n, rows, len(want))
		}
	}
}

func TestThreadsStop(t *testing.T) {
	f := filterable(t, someRows(9500))
	for stopAt := 1; stopAt < 40; stopAt += 7 {
		var stats Stats
		n := 0
		for _, err := range f.Scan(t.Context(), Options{Threads: 3, BatchRows: 100, Stats: &stats}) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == stopAt {
				break
			}
		}
		// The workers have ended: their counters are there.
		if stats.Batches < int64(stopAt) || len(stats.Columns) == 0 {
			t.Errorf("stopped at batch %d: counted %d", stopAt, stats.Batches)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for _, err := range f.Scan(ctx, Options{Threads: 3, BatchRows: 100}) {
		last = err
		cancel()
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("cancelled: error %v", last)
	}
}

func TestPartitions(t *testing.T) {
	f := filterable(t, someRows(9500))
	e, err := filter.Parse("n > 50 OR id > 7000")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{}, {Filter: e}} {
		o.Select = []string{"tags", "id", "s"}
		want := passed(t, f, o)
		var mu sync.Mutex
		var got []string
		var wait sync.WaitGroup
		for _, part := range f.Partitions(t.Context(), o, 4) {
			wait.Go(func() {
				for b, err := range part {
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					got = append(got, linesOf(b)...)
					mu.Unlock()
					b.Release()
				}
			})
		}
		wait.Wait()
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%d rows, want %d", len(got), len(want))
		}
	}
	// What is left out and what is handed out is counted together.
	var rows atomic.Int64
	var wait sync.WaitGroup
	for _, part := range f.Partitions(t.Context(), Options{Filter: e, Offset: 100, Limit: 900}, 3) {
		wait.Go(func() {
			for b, err := range part {
				if err != nil {
					t.Error(err)
					return
				}
				rows.Add(int64(b.Len))
			}
		})
	}
	if wait.Wait(); rows.Load() != 900 {
		t.Errorf("%d rows, the limit is 900", rows.Load())
	}
}
