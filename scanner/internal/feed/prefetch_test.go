package feed

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// A scan that asks for pages which it comes to is not who waits for room: others must go
// on as if it had not asked, for they are who makes room.
func TestReadAheadStaysStalled(t *testing.T) {
	a := NewPrefetcher(fetch.FromBytes(nil), 10, nil, 4)
	a.heldBytes, a.scans, a.planned = 10, 1, 1
	ctx, cancel := context.WithCancel(t.Context())
	var planner sync.WaitGroup
	defer planner.Wait()
	defer a.stopAsking()
	defer cancel()
	planner.Go(func() { a.Prefetch(ctx, []Request{{Range: fetch.Range{Len: 5}}}, true) })
	stalled := func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.stalled
	}
	for !stalled() {
		runtime.Gosched()
	}
	if a.Prefetch(ctx, nil, false); !stalled() {
		t.Error("nobody knows any more that the planner waits for room")
	}
}
