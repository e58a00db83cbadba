package feed

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/budget"
	"github.com/winnow-scan/winnow/scanner/internal/ioplan"
)

// distant is a source of zeros that takes a while.
type distant struct{ latency time.Duration }

func (distant) Size() int64            { return 1 << 40 }
func (d distant) Traits() fetch.Traits { return fetch.Traits{Latency: d.latency, Bandwidth: 100e6} }

func (d distant) ReadRanges(_ context.Context, ranges []fetch.Range, _ fetch.Alloc) ([][]byte, error) {
	time.Sleep(d.latency)
	got := make([][]byte, len(ranges))
	for i, r := range ranges {
		got[i] = make([]byte, r.Len)
	}
	return got, nil
}

// However long the requests are that suit the source, a bound of the host holds, and several
// requests fit into it.
func TestRequestsFitTheBound(t *testing.T) {
	const most = 1 << 20
	var limits [budget.Uses]int64
	limits[budget.Prefetching] = most
	for _, tc := range []struct {
		name   string
		most   int64
		fixed  bool
		budget *budget.Budget
	}{{"ReadAhead", most, true, nil}, {"Budget", 24 << 20, false, budget.New(limits)}} {
		synctest.Test(t, func(t *testing.T) {
			a := NewPrefetcher(distant{time.Second}, new(ioplan.Meter), tc.most, tc.fixed, tc.budget, nil, 4)
			leave := a.Use(t.Context(), new(column.Bodies), 0, func(context.Context) {})
			defer leave()
			a.Enqueue(0, [][]Request{{{Range: fetch.Range{Len: 16 << 20}}}}, false)
			a.mu.Lock()
			defer a.mu.Unlock()
			if a.heldBytes > most || len(a.prefetches) < 2 {
				t.Errorf("%s: %d bytes in %d requests", tc.name, a.heldBytes, len(a.prefetches))
			}
		})
	}
}

// The planner of a scan of a store that serves many requests at once goes on while the scan holds
// more than it could of another.
func TestPlannerHasRoomOfAWideStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m ioplan.Meter
		var ends []func()
		for range 64 { // none delays another
			_, end := m.Begin(t.Context(), []fetch.Range{{Len: 1 << 20}})
			ends = append(ends, func() { end(true)() })
		}
		time.Sleep(100 * time.Millisecond)
		for _, end := range ends {
			end()
		}
		const most, pages, index = 24 << 20, 40 << 20, 1 << 10
		a := NewPrefetcher(distant{time.Second}, &m, most, false, nil, nil, 4)
		if room := m.Pace().Room(); room < pages+index {
			t.Fatalf("room for %d bytes", room)
		}
		planned := false
		leave := a.Use(t.Context(), new(column.Bodies), 0, func(context.Context) {
			a.PrefetchPlanned([]Request{{Range: fetch.Range{Len: pages}}})
			a.PrefetchPlanned([]Request{{Range: fetch.Range{Off: 1 << 30, Len: index}}})
			planned = true
		})
		defer leave()
		if synctest.Wait(); !planned {
			t.Error("the planner waits for room")
		}
	})
}
