package feed

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/budget"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
	"github.com/winnow-scan/winnow/scanner/internal/ioplan"
	"github.com/winnow-scan/winnow/scanner/internal/slots"
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
	pool      *column.Bodies

	mu         sync.Mutex
	change     sync.Cond
	scans      int                // running scans
	ctx        context.Context    // of the planner and all calls
	cancel     context.CancelFunc // ends ctx
	goroutines sync.WaitGroup
	prefetches []*prefetch     // by offset; prefetches that are not removed do not overlap
	numRemoved int             // removed prefetches that are still in prefetches
	readUpTo   map[owner]int64 // how far chunks were read: bytes before are not prefetched
	doneGroups map[int]bool    // row groups that a scan has finished

	line
	room
	planning
	speculation
	wasted map[*schema.Node]int64 // prefetched bytes that no scan read, by leaf; nil: metadata
}

// origin is the source that a Prefetcher reads.
type origin struct {
	src      fetch.Source
	meter    *ioplan.Meter // learns the cost of its requests, and bounds those in flight
	cost     ioplan.Cost   // of a request, as far as it was known when the scan began
	requests *slots.Share  // that the scans may have in flight; nil: there is no limit
}

// room is the memory that a Prefetcher may take, and takes.
type room struct {
	maxBytes  int64          // bound of heldBytes
	fixed     bool           // the host has set maxBytes
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

// NewPrefetcher returns a Prefetcher of src, whose requests cost as much as m knows, or src
// states. most and b, if it is not nil, bound the prefetched bytes that it holds; if most is not fixed,
// it holds more of a source that serves many requests at once. groups is how many row groups after
// the last begun one the planner may plan.
func NewPrefetcher(src fetch.Source, m *ioplan.Meter, most int64, fixed bool, b *budget.Budget, requests *slots.Share, groups int) *Prefetcher {
	t := src.Traits()
	p := &Prefetcher{
		origin: origin{src, m, m.Cost(ioplan.Cost{Latency: t.Latency, Bandwidth: t.Bandwidth}).Known(), requests}, room: room{maxBytes: most, fixed: fixed, growTo: most, budget: b}, maxGroups: groups,
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
func (a *Prefetcher) Use(ctx context.Context, pool *column.Bodies, first int, plan func(context.Context)) (leave func() (waste map[*schema.Node]int64)) {
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
	defer a.pause()
	for a.scans > 0 && !a.stopped {
		if a.takeRoom(length, max(a.growTo, a.mostBytes(a.meter.Pace()))) {
			a.start(requests, length)
			break
		}
		a.pause()
		a.stalled = true // only a scan that reads makes room
		a.change.Broadcast()
		a.change.Wait()
	}
	a.stalled = false
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
	slices.SortFunc(prefetches, func(a, b *prefetch) int { return cmp.Compare(a.Off, b.Off) })
	ranges := make([]fetch.Range, len(prefetches))
	for i, p := range prefetches {
		ranges[i] = p.Range
	}
	ctx, requested := a.ctx, ioplan.Join(ranges)
	a.inFlight += a.heldBytes - before
	done := func(bool) (wake func()) { return func() {} }
	src := slots.Source{Source: a.src, Requests: a.requests, Taken: a.requests.TryTake(len(requested))}
	if free, _ := a.meter.Free(true, nil, nil); src.Taken == len(requested) && free >= len(requested) {
		ctx, done = a.meter.Begin(ctx, requested) // before startQueued asks whether there is room for another
	} else {
		src.Source = ioplan.Metered{Source: a.src, Meter: a.meter}
	}
	a.goroutines.Go(func() { a.fetchAll(ctx, src, requested, prefetches, done) })
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

// fetchAll reads prefetches, which are sorted, by requests, and publishes their bytes, or the failure.
// It calls done before, and what that returns after, without a lock.
func (a *Prefetcher) fetchAll(ctx context.Context, src fetch.Source, requests []fetch.Range, prefetches []*prefetch, done func(ok bool) (wake func())) {
	var own, got [][]byte
	err := detach.Catch(func() (err error) { // the scan that reads the same range reports the error
		got, err = src.ReadRanges(ctx, requests, func(n int) []byte {
			b := a.pool.Take(n)
			own = append(own, b)
			return b
		})
		return err
	})
	defer done(err == nil)()
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range requests {
		a.inFlight -= r.Len
	}
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
	a.change.Broadcast()
}

// recycle returns the memory of a removed prefetch to the pool once it has no readers.
func (a *Prefetcher) recycle(p *prefetch) {
	if !p.removed || p.readers > 0 {
		return
	}
	if m := p.memory; m != nil {
		if m.users--; m.users == 0 {
			a.pool.Put(m.bytes)
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
