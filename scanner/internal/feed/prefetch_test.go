package feed

import (
	"runtime"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/ioplan"
)

// A scan that asks for pages which it comes to is not who waits for room: others must go
// on as if it had not asked, for they are who makes room.
func TestReadAheadStaysStalled(t *testing.T) {
	a := NewPrefetcher(fetch.FromBytes(nil), new(ioplan.Meter), 10, true, nil, nil, 4)
	a.heldBytes, a.scans, a.planned = 10, 1, 1
	var planner sync.WaitGroup
	defer planner.Wait()
	defer a.stopAsking()
	planner.Go(func() { a.PrefetchPlanned([]Request{{Range: fetch.Range{Len: 5}}}) })
	stalled := func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.stalled
	}
	for !stalled() {
		runtime.Gosched()
	}
	if a.Enqueue(0, nil, false); !stalled() {
		t.Error("nobody knows any more that the planner waits for room")
	}
}
