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
	"github.com/winnow-scan/winnow/scanner/internal/detach"
)

// Prefetcher asks a source far away for what scans are going to need. Scans read
// through its Sources: what was asked for comes from memory, once it is there, all
// else from the file.
//
//	file      ..[ index ]....[ page ][ page ]....[ page ]....
//	asked       [  1    ]    [       2      ]    [  2   ]       calls 1 and 2
//	read                     [  ] done, [        ] from memory
//
// A planner, which runs in a goroutine of the Prefetcher, looks at the row groups
// in front of those that scans are at, and calls Ask. All scans that share work share
// one Prefetcher. It runs while one of them does. A nil Prefetcher prefetches nothing.
// Safe for concurrent use.
type Prefetcher struct {
	src       fetch.Source
	maxBytes  int64 // bytes that were asked for and not read yet
	maxGroups int   // row groups that are planned in front of the one that was begun last
	pool      *Pool

	mu           sync.Mutex
	change       sync.Cond
	scans        int                // scans that run
	cancel       context.CancelFunc // the planner and all calls
	goroutines   sync.WaitGroup
	parts        []*part         // by offset; they do not overlap, but for those that were removed
	removedParts int             // of parts: that were removed, and wait until it is worth to close up
	heldBytes    int64           // bytes of them
	calls        int             // that have not come back
	readUpTo     map[owner]int64 // how far chunks were read: what is in front is not asked for
	doneGroups   map[int]bool    // row groups that are done with

	planning
	wasted map[*schema.Node]int64 // bytes that nobody read; of metadata: nil
}

// planning is how far a planner has come.
type planning struct {
	begun        int   // row groups in front of it were begun by a scan
	planned      int   // and in front of this, what they need was asked for
	stalled      bool  // the planner waits for somebody to read
	stopped      bool  // nothing more is asked for
	plannerPanic error // what the planner panicked with, for the scan that begins next
}

// part is a range that was asked for.
type part struct {
	fetch.Range
	owner
	keepUntilEnd bool          // even when what is behind it is read: it has the dictionary
	ready        chan struct{} // closed when the call is back
	data         []byte        // then; nil if it failed
	pooled       bool          // b is of the pool
	unread       int64         // bytes that nobody read
	readers      int           // that copy of it

	removed bool // nobody may read it any more
}

// owner is where a part belongs: the leaf of a row group, or its metadata.
type owner struct {
	group int
	leaf  *schema.Node
}

// maxCalls is how many calls there are at once.
const maxCalls = 4

// NewPrefetcher returns a Prefetcher that asks src for at most so many bytes that are not
// read yet, and plans so many row groups in front of the one that was begun last.
func NewPrefetcher(src fetch.Source, most int64, groups int) *Prefetcher {
	p := &Prefetcher{
		src: src, maxBytes: most, maxGroups: groups,
		readUpTo: map[owner]int64{}, doneGroups: map[int]bool{}, wasted: map[*schema.Node]int64{},
	}
	p.change.L = &p.mu
	return p
}

// Use starts the planner, unless it runs for another scan. First is the row group
// that will be begun first. Leave is called when the scan ends; the last
// call waits for the planner, and returns the bytes that nobody read by leaf, those of
// metadata under nil.
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
		a.pool = pool
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
	waste, a.wasted = a.wasted, map[*schema.Node]int64{}
	return waste
}

// planAll runs the planner.
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

// Planned is called by the planner: all that row groups in front of one need was asked for.
func (a *Prefetcher) Planned(group int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.planned = group
	a.change.Broadcast()
}

// Wait is called by the planner, and returns true once it is time to plan a row
// group that no scan has come to; false if nothing more is to be planned.
func (a *Prefetcher) Wait(ctx context.Context, group int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for !a.stopped && ctx.Err() == nil && group >= a.begun+a.maxGroups {
		a.change.Wait()
	}
	return !a.stopped && ctx.Err() == nil
}

// CallBytes is how much to ask for at once, so that there is always more on its way.
func (a *Prefetcher) CallBytes() int64 { return max(a.maxBytes/maxCalls, 1) }

// finish says that nothing more is asked for.
func (a *Prefetcher) stopAsking() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopped = true
	a.change.Broadcast()
}

// Begin is called before a scan starts with a row group. It returns when what
// that needs was asked for, or when there is no room for it.
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

// End is called when a scan is done with a row group.
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

// Running reports whether Ask is of any use.
func (a *Prefetcher) Running() bool {
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.scans > 0 && !a.stopped
}

// Request is a range that a scan is going to read: pages of a leaf, or metadata if Leaf is nil.
type Request struct {
	fetch.Range
	RowGroup int
	Leaf     *schema.Node
	Keep     bool // even when what is behind it is read: it has the dictionary
}

// Ask has ranges read, in one call, but what was read or asked for already. If
// wait is set, it returns once there is room for them, and else asks for them
// only if there is.
func (a *Prefetcher) Ask(ctx context.Context, requests []Request, wait bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	length := int64(0)
	for _, w := range requests {
		length += w.Len
	}
	full := func() bool { return a.heldBytes > 0 && a.heldBytes+length > a.maxBytes || wait && a.calls >= maxCalls }
	for wait && full() && !a.stopped && ctx.Err() == nil {
		// Calls come back by themselves; room only comes of those who read.
		a.stalled = a.heldBytes > 0 && a.heldBytes+length > a.maxBytes
		a.change.Broadcast()
		a.change.Wait()
	}
	if wait { // else it is the planner who says whether it waits
		a.stalled = false
	}
	if a.scans == 0 || a.stopped || ctx.Err() != nil || full() {
		return
	}
	parts, ranges := a.addParts(requests)
	if len(parts) == 0 {
		return
	}
	a.calls++
	a.goroutines.Go(func() { a.fetchParts(ctx, parts, ranges) })
}

// open makes parts of what is to be read of ranges, and is not yet.
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

// call reads what Ask asks for.
func (a *Prefetcher) fetchParts(ctx context.Context, parts []*part, ranges []fetch.Range) {
	var own, got [][]byte
	err := detach.Catch(func() (err error) { // who reads the same, instead, can tell the host
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

// read reads pages of a leaf, or else parts of metadata, of which those that are near
// each other are read as one.
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

// release gives back the memory of a part that was removed, once nobody copies of it.
func (a *Prefetcher) recycle(p *part) {
	if !p.removed || p.readers > 0 {
		return
	}
	if p.pooled {
		a.pool.Give(p.data)
	}
	p.data, p.pooled = nil, false
}

// search returns the first of the parts that reaches beyond off.
func (a *Prefetcher) search(off int64) int {
	i, _ := slices.BinarySearchFunc(a.parts, off, func(p *part, off int64) int { return cmp.Compare(p.End(), off+1) })
	return i
}

// remove lets go of those parts that match: all of them, or those that a caller knows
// of, for there may be ten thousands of columns.
func (a *Prefetcher) remove(parts []*part, match func(*part) bool) {
	for _, p := range parts {
		if p.removed || !match(p) {
			continue
		}
		p.removed = true
		a.removedParts++
		a.wasted[p.leaf] += p.unread
		a.heldBytes -= p.Len
		a.recycle(p)
	}
	a.closeUp(len(a.parts) / 2)
	a.change.Broadcast()
}

// closeUp forgets the parts that were removed, if there are more than so many.
func (a *Prefetcher) closeUp(most int) {
	if a.removedParts > most {
		a.parts = slices.DeleteFunc(a.parts, func(p *part) bool { return p.removed })
		a.removedParts = 0
	}
}
