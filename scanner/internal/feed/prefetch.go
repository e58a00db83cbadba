package feed

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/budget"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
	"github.com/winnow-scan/winnow/scanner/internal/ioplan"
)

// Prefetcher reads ranges of a remote source before scans need them. Scans read
// through its Sources, which serve prefetched bytes from memory and read all other
// bytes from the source.
//
//	file      ..[ index ]....[ page ][ page ]....[ page ]....
//	asked       [  1    ]    [       2      ]    [  2   ]       calls 1 and 2
//	read                     [  ] done, [        ] from memory
//
// A planner, in a goroutine of the Prefetcher, goes through the row groups ahead of those
// that the scans read, and puts calls for their pages into a queue. A call is started when
// there is room for its bytes, or when a scan reads one of them. All scans that share work
// share one Prefetcher, which runs as long as one of them. A nil Prefetcher prefetches
// nothing. Safe for concurrent use.
type Prefetcher struct {
	origin
	maxGroups int // how many row groups after the last begun one are planned
	pool      *Pool

	mu         sync.Mutex
	change     sync.Cond
	scans      int                // running scans
	ctx        context.Context    // of the planner and all calls
	cancel     context.CancelFunc // ends ctx
	goroutines sync.WaitGroup
	prefetches []*prefetch     // by offset; prefetches that are not removed do not overlap
	numRemoved int             // removed prefetches that are still in prefetches
	calls      int             // calls of the source in flight
	queue      []queued        // calls that are not started yet, by row group
	readUpTo   map[owner]int64 // how far chunks were read: bytes before are not prefetched
	doneGroups map[int]bool    // row groups that a scan has finished

	room
	planning
	speculation
	wasted map[*schema.Node]int64 // prefetched bytes that no scan read, by leaf; nil: metadata
}

// origin is the source that a Prefetcher reads.
type origin struct {
	src   fetch.Source
	meter *ioplan.Meter // learns the cost of its requests
	cost  ioplan.Cost   // of a request, as far as it was known when the scan began
}

// room is the memory that a Prefetcher may take, and takes.
type room struct {
	maxBytes  int64          // bound of heldBytes
	growTo    int64          // maxBytes doubles up to growTo, with each call that a scan waits for
	budget    *budget.Budget // bounds heldBytes, too; nil: none
	held      *budget.Holder // of heldBytes, while scans run
	heldBytes int64          // bytes of the prefetches that are not removed
}

// prefetch is a range that was requested before a scan needs it.
type prefetch struct {
	fetch.Range
	owner
	keepUntilEnd bool          // also when bytes after it were read: it has the dictionary
	ready        chan struct{} // closed when the call has returned
	data         []byte        // set then; nil if the call failed
	memory       *pooled       // the memory of the pool that data is in, nil if it is another's
	unread       int64         // bytes that no scan has read
	readers      int           // goroutines that copy from data

	removed bool // no longer readable
}

// pooled is memory of the pool that prefetches share.
type pooled struct {
	bytes []byte
	users int
}

// owner is a column chunk, or the metadata of a row group if leaf is nil.
type owner struct {
	group int
	leaf  *schema.Node
}

// maxCalls bounds the calls in flight that the planner starts.
const maxCalls = 64

// NewPrefetcher returns a Prefetcher of src, whose requests cost as much as m knows, or src
// states. most and b, if it is not nil, bound the prefetched bytes that it holds; groups is
// how many row groups after the last begun one the planner may plan.
func NewPrefetcher(src fetch.Source, m *ioplan.Meter, most int64, b *budget.Budget, groups int) *Prefetcher {
	t := src.Traits()
	p := &Prefetcher{
		origin: origin{src, m, m.Cost(ioplan.Cost{Latency: t.Latency, Bandwidth: t.Bandwidth}).Known()}, room: room{maxBytes: most, growTo: most, budget: b}, maxGroups: groups,
		readUpTo: map[owner]int64{}, doneGroups: map[int]bool{}, wasted: map[*schema.Node]int64{},
		speculation: speculation{likely: map[int][]Wanted{}},
	}
	p.change.L = &p.mu
	return p
}

// firstLittle is how many bytes a Prefetcher that starts with little may hold at first.
const firstLittle = 64 << 10

// StartWithLittle makes a Prefetcher prefetch little, and more each time a scan has used it
// up: the scan may end soon. It must be called before the first scan.
func (a *Prefetcher) StartWithLittle() {
	a.limited, a.maxBytes = true, min(a.maxBytes, firstLittle)
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
		a.ctx, a.cancel, a.stopped, a.stalled, a.plannerPanic = ctx, cancel, false, false, nil
		a.begun, a.planned = first, first
		a.pool, a.held = pool, a.budget.Join(budget.Prefetching)
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
	a.stopped, a.queue = true, nil
	a.change.Broadcast()
	a.mu.Unlock()
	a.goroutines.Wait()
	a.mu.Lock()
	a.scans--
	a.remove(a.prefetches, func(*prefetch) bool { return true })
	a.held.Leave()
	waste, a.wasted = a.wasted, map[*schema.Node]int64{}
	return waste
}

// CallBytes returns the size of a call that keeps several calls in flight.
func (a *Prefetcher) CallBytes() int64 { return max(min(a.growTo, a.held.Share())/8, 1) }

// Running reports whether requests have an effect.
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

// PrefetchPlanned starts one call of the source that reads the requests, without the bytes
// that were already requested or read. Only the planner may call it: it first waits until
// there is room for them.
func (a *Prefetcher) PrefetchPlanned(requests []Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	length := bytesOf(requests)
	for a.scans > 0 && !a.stopped {
		room := true
		if a.calls < maxCalls {
			if room = a.takeRoom(length, a.growTo); room {
				a.start(requests, length)
				break
			}
		}
		// Calls return by themselves, but only a scan that reads makes room.
		a.stalled = !room
		a.change.Broadcast()
		a.change.Wait()
	}
	a.stalled = false
}

// queued is a call that is started when there is room, or when a scan reads its bytes.
type queued struct {
	group    int
	requests []Request // by offset
	length   int64     // of requests
	needed   bool      // a scan will read it next
}

// has reports whether a call reads some of a range.
func (q *queued) has(r fetch.Range) bool {
	i, _ := slices.BinarySearchFunc(q.requests, r.Off, func(w Request, off int64) int { return cmp.Compare(w.End(), off+1) })
	return i < len(q.requests) && q.requests[i].Off < r.End()
}

// Enqueue starts calls that read requests of a row group as soon as there is room, those of the
// first row groups first, or when a scan comes to read them; with next, before the other calls of
// the row group, since a scan reads them next.
func (a *Prefetcher) Enqueue(group int, calls [][]Request, next bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.scans == 0 || a.stopped {
		return
	}
	at, end := a.queueOf(group)
	if !next {
		at = end
	}
	of := make([]queued, len(calls))
	for i, requests := range calls {
		slices.SortFunc(requests, func(a, b Request) int { return cmp.Compare(a.Off, b.Off) })
		of[i] = queued{group, requests, bytesOf(requests), next}
	}
	a.queue = slices.Insert(a.queue, at, of...)
	a.startQueued(false)
}

// queueOf returns where the calls of a row group are in the queue.
func (a *Prefetcher) queueOf(group int) (from, end int) {
	find := func(group int) int {
		i, _ := slices.BinarySearchFunc(a.queue, group, func(q queued, group int) int { return cmp.Compare(q.group, group) })
		return i
	}
	return find(group), find(group + 1)
}

// startQueued starts the queued calls that there is room for; after a start with little, only
// if a scan has come to read one of them.
func (a *Prefetcher) startQueued(read bool) {
	for len(a.queue) > 0 && !a.stopped && (read || !a.little()) {
		q := a.queue[0]
		if !a.takeRoom(q.length, a.maxBytes) {
			return
		}
		a.start(q.requests, q.length)
		a.queue = slices.Delete(a.queue, 0, 1)
	}
}

// startRead starts the queued calls of a row group that have bytes of r, which a scan now
// reads, even if that makes the Prefetcher hold more than it may otherwise.
func (a *Prefetcher) startRead(group int, r fetch.Range) {
	from, end := a.queueOf(group)
	more := false
	for i := from; i < end; i++ {
		q := a.queue[i]
		if !q.has(r) {
			continue
		}
		if !q.needed {
			a.maxBytes, more = min(2*a.maxBytes, a.growTo), true
		}
		if a.takeRoom(q.length, math.MaxInt64) {
			a.start(q.requests, q.length)
		}
		a.queue = slices.Delete(a.queue, i, i+1)
		i, end = i-1, end-1
	}
	if more {
		a.startQueued(true)
	}
}

// little reports whether a scan may end soon, and has not used up much yet.
func (a *Prefetcher) little() bool { return a.maxBytes < a.growTo }

// start starts a call that reads requests, for which length bytes of the budget are taken.
func (a *Prefetcher) start(requests []Request, length int64) {
	before := a.heldBytes
	prefetches := a.addPrefetches(requests)
	a.requested += a.heldBytes - before
	a.held.Give(length - (a.heldBytes - before)) // some bytes were requested before
	if len(prefetches) == 0 {
		return
	}
	prefetches = a.addGaps(prefetches)
	a.calls++
	ctx := a.ctx
	a.goroutines.Go(func() { a.fetchAll(ctx, prefetches) })
}

// takeRoom takes length bytes of the budget, and reports whether they may be requested. A
// Prefetcher that holds nothing may always request something.
func (a *Prefetcher) takeRoom(length, most int64) bool {
	if a.heldBytes == 0 {
		a.held.Take(length)
		return true
	}
	return a.heldBytes+length <= most && a.held.TryTake(length)
}

// addPrefetches adds prefetches for the bytes of requests that are in no prefetch yet.
func (a *Prefetcher) addPrefetches(requests []Request) (prefetches []*prefetch) {
	a.closeUp(0)
	ready := make(chan struct{})
	for _, w := range requests {
		at, whose := w.Off, owner{w.RowGroup, w.Leaf}
		if w.Leaf != nil {
			at = max(at, a.readUpTo[whose])
		}
		for at < w.End() && !a.doneGroups[w.RowGroup] {
			i, end := a.search(at), w.End()
			if i < len(a.prefetches) {
				if next := a.prefetches[i]; next.Off <= at {
					at = next.End()
					continue
				} else {
					end = min(end, next.Off)
				}
			}
			r := fetch.Range{Off: at, Len: end - at}
			at = end
			a.heldBytes += r.Len
			if k := len(prefetches) - 1; k >= 0 && prefetches[k].End() == r.Off && prefetches[k].owner == whose && !prefetches[k].keepUntilEnd {
				prefetches[k].Len += r.Len
				prefetches[k].unread += r.Len
				continue
			}
			p := &prefetch{Range: r, owner: whose, keepUntilEnd: w.Keep, ready: ready, unread: r.Len}
			a.prefetches = slices.Insert(a.prefetches, i, p)
			prefetches = append(prefetches, p)
		}
	}
	return prefetches
}

// addGaps adds prefetches for the gaps between new prefetches that are worth reading. So the bytes are
// there if a scan comes to want them. It returns all of them, sorted.
func (a *Prefetcher) addGaps(prefetches []*prefetch) []*prefetch {
	slices.SortFunc(prefetches, func(a, b *prefetch) int { return cmp.Compare(a.Off, b.Off) })
	ranges := make([]fetch.Range, len(prefetches))
	for i, p := range prefetches {
		ranges[i] = p.Range
	}
	for _, gap := range a.cost.Gaps(ranges) {
		i := a.search(gap.Off)
		if i < len(a.prefetches) && a.prefetches[i].Off < gap.End() || a.heldBytes+gap.Len > a.maxBytes || !a.held.TryTake(gap.Len) {
			continue // some of it is requested already, or there is no room
		}
		before := a.prefetches[i-1]
		p := &prefetch{Range: gap, owner: before.owner, keepUntilEnd: true, ready: before.ready, unread: gap.Len}
		a.heldBytes += gap.Len
		a.prefetches = slices.Insert(a.prefetches, i, p)
		prefetches = append(prefetches, p)
	}
	slices.SortFunc(prefetches, func(a, b *prefetch) int { return cmp.Compare(a.Off, b.Off) })
	return prefetches
}

// fetchAll reads prefetches, which are sorted, and publishes their bytes, or the failure.
func (a *Prefetcher) fetchAll(ctx context.Context, prefetches []*prefetch) {
	ranges := make([]fetch.Range, len(prefetches))
	for i, p := range prefetches {
		ranges[i] = p.Range
	}
	requests := ioplan.Join(ranges)
	length := int64(0)
	for _, r := range requests {
		length += r.Len
	}
	start := a.meter.Begin(length)
	var own, got [][]byte
	err := detach.Catch(func() (err error) { // the scan that reads the same range reports the error
		got, err = a.src.ReadRanges(ctx, requests, func(n int) []byte {
			b := a.pool.Take(n)
			own = append(own, b)
			return b
		})
		return err
	})
	a.meter.End(start, length, err == nil)
	a.mu.Lock()
	defer a.mu.Unlock()
	memory := make([]*pooled, len(got)) // of the pool, unless the source has its own
	for i := range memory {
		if len(own) == len(got) && len(own[i]) == len(got[i]) && &got[i][0] == &own[i][0] {
			memory[i] = &pooled{bytes: got[i]}
		}
	}
	k := 0
	for _, p := range prefetches {
		if err != nil {
			break
		}
		if p.Off >= requests[k].End() {
			k++
		}
		at := p.Off - requests[k].Off
		p.data = got[k][at : at+p.Len]
		if p.memory = memory[k]; p.memory != nil {
			p.memory.users++
		}
	}
	for _, p := range prefetches {
		a.recycle(p)
	}
	close(prefetches[0].ready)
	a.calls--
	a.change.Broadcast()
}

// recycle returns the memory of a removed prefetch to the pool once it has no readers.
func (a *Prefetcher) recycle(p *prefetch) {
	if !p.removed || p.readers > 0 {
		return
	}
	if m := p.memory; m != nil {
		if m.users--; m.users == 0 {
			a.pool.Give(m.bytes)
		}
	}
	p.data, p.memory = nil, nil
}

// search returns the index of the first prefetch that ends after off.
func (a *Prefetcher) search(off int64) int {
	i, _ := slices.BinarySearchFunc(a.prefetches, off, func(p *prefetch, off int64) int { return cmp.Compare(p.End(), off+1) })
	return i
}

// remove removes those of prefetches that match. A caller that knows which prefetches can match
// passes only these: with ten thousands of columns, going through all is slow.
func (a *Prefetcher) remove(prefetches []*prefetch, match func(*prefetch) bool) {
	for _, p := range prefetches {
		if p.removed || !match(p) {
			continue
		}
		p.removed = true
		a.numRemoved++
		a.wasted[p.leaf] += p.unread
		a.heldBytes -= p.Len
		a.held.Give(p.Len)
		a.recycle(p)
	}
	a.closeUp(len(a.prefetches) / 2)
	a.startQueued(false)
	a.change.Broadcast()
}

// closeUp deletes the removed prefetches from a.prefetches if there are more than most.
func (a *Prefetcher) closeUp(most int) {
	if a.numRemoved > most {
		a.prefetches = slices.DeleteFunc(a.prefetches, func(p *prefetch) bool { return p.removed })
		a.numRemoved = 0
	}
}
