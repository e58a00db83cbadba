package feed

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/winnow-scan/winnow/scanner/internal/detach"
)

// planning is the progress of the planner and of the scans that follow it.
type planning struct {
	begun        int   // scans have begun the row groups before this one
	planned      int   // requests are out for the row groups before this one
	more         bool  // the planner goes on to the next row group, and waits for nothing
	stalled      bool  // the planner waits until scans read prefetched bytes
	stopped      bool  // no further calls
	plannerPanic error // the planner's panic, which Begin rethrows
}

// runPlanner runs the planner to its end and keeps its panic for Begin.
func (a *Prefetcher) runPlanner(ctx context.Context, plan func(context.Context)) {
	fault := detach.Catch(func() error {
		plan(ctx)
		return nil
	})
	a.mu.Lock()
	defer a.mu.Unlock()
	a.plannerPanic, a.planned = fault, math.MaxInt
	a.pause()
	a.change.Broadcast()
}

// Expect is called by the planner before it enqueues the calls of a row group: a number of row groups
// after it may have as many bytes.
func (a *Prefetcher) Expect(groups int, calls [][]Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.expected = 0
	for _, requests := range calls {
		a.expected += int64(groups) * bytesOf(requests)
	}
}

// Planned is called by the planner when it has requested what the row groups before
// group need.
func (a *Prefetcher) Planned(group int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.planned = group
	a.change.Broadcast()
}

// Wait is called by the planner. It blocks until the scans are near enough to plan a row
// group, or there is room for its pages. It returns false if nothing more is to be planned.
func (a *Prefetcher) Wait(ctx context.Context, group int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for !a.stopped && ctx.Err() == nil && group >= a.begun+a.maxGroups && (a.maxGroups == 1 || len(a.queue) > 0 || a.heldBytes >= a.mostBytes(a.meter.Pace())) {
		if !a.pause() {
			a.change.Wait()
		}
	}
	a.more = true
	return !a.stopped && ctx.Err() == nil
}

// pause starts what is queued, unless it has: the planner enqueues no more soon.
func (a *Prefetcher) pause() (starts bool) {
	if starts, a.more = a.more, false; starts {
		a.startQueued(false)
		a.change.Broadcast()
	}
	return starts
}

// stopAsking makes further requests without effect, and wakes all that wait.
func (a *Prefetcher) stopAsking() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopped, a.queue = true, nil
	a.change.Broadcast()
}

// Begin is called before a scan reads a row group. It waits until the planner has
// requested what the row group needs, and pauses, or has no room for it. It panics if the planner has.
func (a *Prefetcher) Begin(group int) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begun = max(a.begun, group+1)
	a.change.Broadcast()
	for a.scans > 0 && !a.stopped && !a.stalled && (a.planned <= group || a.more) {
		a.change.Wait()
	}
	_ = detach.Rethrow(a.plannerPanic)
}

// End is called when a scan has finished a row group. It drops its prefetches.
func (a *Prefetcher) End(group int) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.scans == 0 {
		return
	}
	a.doneGroups[group] = true
	delete(a.likely, group)
	from, end := a.queueOf(group)
	a.queue = slices.Delete(a.queue, from, end)
	a.remove(a.prefetches, func(p *prefetch) bool { return p.group == group })
	maps.DeleteFunc(a.readUpTo, func(p owner, _ int64) bool { return p.group == group })
}
