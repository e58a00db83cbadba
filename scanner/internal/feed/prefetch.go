package feed

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/budget"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
)

// Prefetcher reads ranges of a remote source before scans need them. Scans read
// through its Sources, which serve prefetched bytes from memory and read all other
// bytes from the source.
//
//	file      ..[ index ]....[ page ][ page ]....[ page ]....
//	asked       [  1    ]    [       2      ]    [  2   ]       calls 1 and 2
//	read                     [  ] done, [        ] from memory
//
// A planner, in a goroutine of the Prefetcher, goes through the row groups ahead of
// those that the scans read, and calls Ask. All scans that share work share one
// Prefetcher, which runs as long as one of them. A nil Prefetcher prefetches nothing.
// Safe for concurrent use.
type Prefetcher struct {
	src       fetch.Source
	maxBytes  int64          // bound of heldBytes
	budget    *budget.Budget // bounds heldBytes, too; nil: none
	held      *budget.Holder // of heldBytes, while scans run
	maxGroups int            // how many row groups after the last begun one are planned
	pool      *Pool

	mu           sync.Mutex
	change       sync.Cond
	scans        int                // running scans
	cancel       context.CancelFunc // ends the planner and all calls
	goroutines   sync.WaitGroup
	parts        []*part         // by offset; parts that are not removed do not overlap
	removedParts int             // removed parts that are still in parts
	heldBytes    int64           // bytes of the parts that are not removed
	calls        int             // calls of the source in flight
	readUpTo     map[owner]int64 // how far chunks were read: bytes before are not prefetched
	doneGroups   map[int]bool    // row groups that a scan has finished

	planning
	wasted map[*schema.Node]int64 // prefetched bytes that no scan read, by leaf; nil: metadata
}

// planning is the progress of the planner and of the scans that follow it.
type planning struct {
	begun        int   // scans have begun the row groups before this one
	planned      int   // requests are out for the row groups before this one
	stalled      bool  // the planner waits until scans read prefetched bytes
	stopped      bool  // no further calls
	plannerPanic error // the planner's panic, which Begin rethrows
}

// part is a prefetched range.
type part struct {
	fetch.Range
	owner
	keepUntilEnd bool          // also when bytes after it were read: it has the dictionary
	ready        chan struct{} // closed when the call has returned
	data         []byte        // set then; nil if the call failed
	pooled       bool          // data is memory of the pool
	unread       int64         // bytes that no scan has read
	readers      int           // goroutines that copy from data

	removed bool // no longer readable
}

// owner is a column chunk, or the metadata of a row group if leaf is nil.
type owner struct {
	group int
	leaf  *schema.Node
}

// maxCalls bounds the calls in flight that the planner starts.
const maxCalls = 4

// NewPrefetcher returns a Prefetcher of src. most and b, if it is not nil, bound the
// prefetched bytes that it holds; groups is how many row groups after the last begun one the
// planner may plan.
func NewPrefetcher(src fetch.Source, most int64, b *budget.Budget, groups int) *Prefetcher {
	p := &Prefetcher{
		src: src, maxBytes: most, budget: b, maxGroups: groups,
		readUpTo: map[owner]int64{}, doneGroups: map[int]bool{}, wasted: map[*schema.Node]int64{},
	}
	p.change.L = &p.mu
	return p
}

// Use registers a scan, and starts the planner for the first one. first is the first row
// group that a scan will begin. The caller calls leave when its scan ends. The last
// leave waits for the planner, and returns the prefetched bytes that no scan read, by
// leaf; those of metadata are under nil.
func (a *Prefetcher) Use(ctx context.Context, pool *Pool, first int, plan func(context.Context)) (leave func() (waste map[*schema.Node]int64)) {
	if a == nil {
		return func() map[*schema.Node]int64 { return nil }
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.scans++; a.scans == 1 {
		ctx, cancel := context.WithCancel(ctx)
		a.cancel, a.stopped, a.stalled, a.plannerPanic = cancel, false, false, nil
		a.begun, a.planned = first, first
		a.pool, a.held = pool, a.budget.Join(budget.Prefetch)
		clear(a.readUpTo)
		clear(a.doneGroups)
		a.goroutines.Go(func() { a.runPlanner(ctx, plan) })
		a.goroutines.Go(func() {
			<-ctx.Done()
			a.stopAsking()
		})
	}
	return a.leave
}

func (a *Prefetcher) leave() (waste map[*schema.Node]int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.scans > 1 {
		a.scans--
		return nil
	}
	a.cancel()
	a.mu.Unlock()
	a.goroutines.Wait()
	a.mu.Lock()
	a.scans--
	a.remove(a.parts, func(*part) bool { return true })
	a.held.Leave()
	waste, a.wasted = a.wasted, map[*schema.Node]int64{}
	return waste
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
	a.change.Broadcast()
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
// group. It returns false if nothing more is to be planned.
func (a *Prefetcher) Wait(ctx context.Context, group int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for !a.stopped && ctx.Err() == nil && group >= a.begun+a.maxGroups {
		a.change.Wait()
	}
	return !a.stopped && ctx.Err() == nil
}

// CallBytes returns the size of a call that keeps several calls in flight.
func (a *Prefetcher) CallBytes() int64 { return max(min(a.maxBytes, a.held.Share())/maxCalls, 1) }

// stopAsking turns further calls of Ask into no-ops and wakes all that wait.
func (a *Prefetcher) stopAsking() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopped = true
	a.change.Broadcast()
}

// Begin is called before a scan reads a row group. It waits until the planner has
// requested what the row group needs, or has no room for it. It panics if the planner has.
func (a *Prefetcher) Begin(group int) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begun = max(a.begun, group+1)
	a.change.Broadcast()
	for a.scans > 0 && !a.stopped && !a.stalled && a.planned <= group {
		a.change.Wait()
	}
	_ = detach.Rethrow(a.plannerPanic)
}

// End is called when a scan has finished a row group. It drops its parts.
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
	a.remove(a.parts, func(p *part) bool { return p.group == group })
	maps.DeleteFunc(a.readUpTo, func(p owner, _ int64) bool { return p.group == group })
}

// Running reports whether Ask has an effect.
func (a *Prefetcher) Running() bool {
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.scans > 0 && !a.stopped
}

// Request is a range to prefetch: pages of a leaf, or metadata if Leaf is nil.
type Request struct {
	fetch.Range
	RowGroup int
	Leaf     *schema.Node
	Keep     bool // also when bytes after it were read: it has the dictionary
}

// Prefetch starts one call of the source that reads the requests, without the bytes that were
// already requested or read. With wait, it first blocks until there is room for them;
// without, it does nothing if there is no room.
func (a *Prefetcher) Prefetch(ctx context.Context, requests []Request, wait bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	length := int64(0)
	for _, w := range requests {
		length += w.Len
	}
	took := false
	for a.scans > 0 && !a.stopped && ctx.Err() == nil {
		room := true
		if !wait || a.calls < maxCalls {
			room = a.takeRoom(length)
			took = room
		}
		if took || !wait {
			break
		}
		// Calls return by themselves, but only a scan that reads makes room.
		a.stalled = !room
		a.change.Broadcast()
		a.change.Wait()
	}
	if wait { // only the planner waits, and owns stalled
		a.stalled = false
	}
	if !took {
		return
	}
	before := a.heldBytes
	parts, ranges := a.addParts(requests)
	a.held.Give(length - (a.heldBytes - before)) // some bytes were requested before
	if len(parts) == 0 {
		return
	}
	a.calls++
	a.goroutines.Go(func() { a.fetchParts(ctx, parts, ranges) })
}

// takeRoom takes length bytes of the budget, and reports whether they may be requested. A
// Prefetcher that holds nothing may always request something.
func (a *Prefetcher) takeRoom(length int64) bool {
	if a.heldBytes == 0 {
		a.held.Take(length)
		return true
	}
	return a.heldBytes+length <= a.maxBytes && a.held.TryTake(length)
}

// addParts adds parts for the bytes of requests that are in no part yet.
func (a *Prefetcher) addParts(requests []Request) (parts []*part, ranges []fetch.Range) {
	a.closeUp(0)
	ready := make(chan struct{})
	for _, w := range requests {
		at, whose := w.Off, owner{w.RowGroup, w.Leaf}
		if w.Leaf != nil {
			at = max(at, a.readUpTo[whose])
		}
		for at < w.End() && !a.doneGroups[w.RowGroup] {
			i, end := a.search(at), w.End()
			if i < len(a.parts) {
				if next := a.parts[i]; next.Off <= at {
					at = next.End()
					continue
				} else {
					end = min(end, next.Off)
				}
			}
			r := fetch.Range{Off: at, Len: end - at}
			at = end
			a.heldBytes += r.Len
			if k := len(parts) - 1; k >= 0 && ranges[k].End() == r.Off && parts[k].owner == whose && !parts[k].keepUntilEnd {
				ranges[k].Len += r.Len
				parts[k].Range = ranges[k]
				parts[k].unread += r.Len
				continue
			}
			p := &part{Range: r, owner: whose, keepUntilEnd: w.Keep, ready: ready, unread: r.Len}
			a.parts = slices.Insert(a.parts, i, p)
			parts, ranges = append(parts, p), append(ranges, r)
		}
	}
	return parts, ranges
}

// fetchParts reads the ranges of parts and publishes the bytes, or the failure.
func (a *Prefetcher) fetchParts(ctx context.Context, parts []*part, ranges []fetch.Range) {
	var own, got [][]byte
	err := detach.Catch(func() (err error) { // the scan that reads the same range reports the error
		got, err = a.readSource(ctx, parts[0].leaf, ranges, func(n int) []byte {
			b := a.pool.Take(n)
			own = append(own, b)
			return b
		})
		return err
	})
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, p := range parts {
		if err != nil {
			break
		}
		if len(own) == len(got) && len(got[i]) > 0 && len(got[i]) == len(own[i]) && &got[i][0] == &own[i][0] {
			p.pooled = true
		}
		p.data = got[i]
		a.recycle(p)
	}
	close(parts[0].ready)
	a.calls--
	a.change.Broadcast()
}

// readSource reads ranges from the source: pages of a leaf as they are, and metadata, if
// leaf is nil, with nearby ranges as one.
func (a *Prefetcher) readSource(ctx context.Context, leaf *schema.Node, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if leaf != nil {
		return a.src.ReadRanges(ctx, ranges, alloc)
	}
	between := int64(0)
	for _, r := range ranges {
		between -= r.Len
	}
	got, err := CoalesceMetadata(Counted{a.src, &between}).ReadRanges(ctx, ranges, alloc)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wasted[nil] += between
	return got, err
}

// recycle returns the memory of a removed part to the pool once it has no readers.
func (a *Prefetcher) recycle(p *part) {
	if !p.removed || p.readers > 0 {
		return
	}
	if p.pooled {
		a.pool.Give(p.data)
	}
	p.data, p.pooled = nil, false
}

// search returns the index of the first part that ends after off.
func (a *Prefetcher) search(off int64) int {
	i, _ := slices.BinarySearchFunc(a.parts, off, func(p *part, off int64) int { return cmp.Compare(p.End(), off+1) })
	return i
}

// remove removes those of parts that match. A caller that knows which parts can match
// passes only these: with ten thousands of columns, going through all is slow.
func (a *Prefetcher) remove(parts []*part, match func(*part) bool) {
	for _, p := range parts {
		if p.removed || !match(p) {
			continue
		}
		p.removed = true
		a.removedParts++
		a.wasted[p.leaf] += p.unread
		a.heldBytes -= p.Len
		a.held.Give(p.Len)
		a.recycle(p)
	}
	a.closeUp(len(a.parts) / 2)
	a.change.Broadcast()
}

// closeUp deletes the removed parts from a.parts if there are more than most.
func (a *Prefetcher) closeUp(most int) {
	if a.removedParts > most {
		a.parts = slices.DeleteFunc(a.parts, func(p *part) bool { return p.removed })
		a.removedParts = 0
	}
}
