package feed

import (
	"cmp"
	"math"
	"slices"

	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/ioplan"
)

// line is what a Prefetcher has still to request.
//
//	queue       [ row group 0 ][ row group 1     ][ row group 2 ]
//	requests    [  1   ][  2   ][  3   ][  4   ]    as long as each other, once the source has room for them
type line struct {
	queue    []queued // calls that are not started yet, by row group
	expected int64    // bytes of calls that the planner will enqueue later, as far as it can tell
	inFlight int64    // bytes of requests
}

// queued is a call that is started when there is room, or when a scan reads its bytes.
type queued struct {
	group    int
	requests []Request // by offset
	length   int64     // of requests
	needed   bool      // a scan will read it next
	waited   bool      // a scan has come to read it
	soon     bool      // it is short, so that it comes before others: no request has bytes after it
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
		requests = a.withGaps(requests)
		of[i] = queued{group: group, requests: requests, length: bytesOf(requests), needed: next}
	}
	if len(of) > 1 {
		of[0].soon = of[0].length < of[1].length/2
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

// startQueued starts requests of the queued calls as far as the source and the memory have room for
// them, those of calls that a scan waits for first; after a start with little, other calls only if a
// scan has come to read one of them.
func (a *Prefetcher) startQueued(read bool) {
	for len(a.queue) > 0 && !a.stopped {
		i := max(slices.IndexFunc(a.queue, func(q queued) bool { return q.waited }), 0)
		q, most := a.queue[i], int64(math.MaxInt64)
		if !q.waited && !read && a.little() {
			return
		}
		free, pace := a.meter.Free(q.waited || q.needed, a, a.startMore)
		if free <= 0 {
			return
		}
		var again func()
		if !q.waited { // else its call waits for slots
			most, again = a.mostBytes(pace), a.startMore
		}
		if free = a.requests.Room(free, again); free == 0 {
			return
		}
		part, length := a.nextRequests(i, pace, free)
		if length == 0 {
			return
		}
		if a.takeRoom(length, most) {
			a.start(part, length)
		} else if !q.waited {
			return
		}
		a.unqueue(i, length)
	}
}

// startMore is called when requests have ended that startQueued has waited for.
func (a *Prefetcher) startMore() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.startQueued(false)
	a.change.Broadcast()
}

// mostBytes returns how many prefetched bytes the Prefetcher may hold: more than the source was
// believed to need if it serves many requests at once.
func (a *Prefetcher) mostBytes(p ioplan.Pace) int64 {
	if a.fixed || a.little() {
		return a.maxBytes
	}
	return max(a.maxBytes, min(p.Room(), maxHeld))
}

// maxHeld bounds the prefetched bytes that a Prefetcher holds, however many requests a source serves at once.
const maxHeld = 256 << 20

// nextRequests returns the first bytes of the queued calls from i on that are worth one request, or
// as many requests for short ranges that are apart as are free. Bytes that touch are divided evenly:
// those of the next row groups, too, if the planner is about to enqueue them, which length 0 waits for.
func (a *Prefetcher) nextRequests(i int, p ioplan.Pace, free int) (part []Request, length int64) {
	pending := a.inFlight + a.expected
	for _, q := range a.queue {
		pending += q.length
	}
	// Three fit into a bound of the host: one is read while the others are on their way.
	size := min(p.RequestBytes(min(pending, a.mostBytes(p))), max(a.CallBytes()*8/3, callStep))
collect:
	for k := i; k < len(a.queue) && (k == i || !a.little() && !a.queue[k-1].soon); k++ {
		for _, w := range a.queue[k].requests {
			if n := len(part); n > 0 && part[n-1].End() != w.Off {
				if free--; free == 0 || k > i || length+w.Len > size {
					break collect
				}
			}
			part = append(part, w)
			if length += w.Len; length >= 4*size {
				break collect
			}
		}
	}
	if q := &a.queue[i]; a.more && !q.waited && !q.needed && length < 4*size {
		return nil, 0
	}
	over := length
	if length = size; over < 4*size {
		length = ioplan.FirstOf(over, size)
	}
	over -= length
	for last := len(part) - 1; over > 0; last-- {
		n := min(over, part[last].Len)
		if part[last].Len, over = part[last].Len-n, over-n; part[last].Len == 0 {
			part = part[:last]
		}
	}
	return part, length
}

// unqueue removes the first bytes of the queued calls from i on.
func (a *Prefetcher) unqueue(i int, length int64) {
	for length > 0 {
		q := &a.queue[i]
		w := &q.requests[0]
		n := min(w.Len, length)
		w.Off, w.Len, q.length, length = w.Off+n, w.Len-n, q.length-n, length-n
		if w.Len == 0 {
			q.requests = q.requests[1:]
		}
		if len(q.requests) == 0 {
			a.queue = slices.Delete(a.queue, i, i+1)
		}
	}
}

// startRead makes the queued calls of a row group that have bytes of r, which a scan now reads, the
// first ones, even if that makes the Prefetcher hold more than it may otherwise.
func (a *Prefetcher) startRead(group int, r fetch.Range) {
	from, end := a.queueOf(group)
	more, waited := false, false
	for i := range a.queue[from:end] {
		q := &a.queue[from+i]
		if q.waited || !q.has(r) {
			continue
		}
		if !q.needed {
			a.maxBytes, more = min(2*a.maxBytes, a.growTo), true
		}
		q.waited, waited = true, true
	}
	if waited {
		a.startQueued(more)
	}
}

// withGaps adds the gaps between requests that are worth reading, as requests that are kept. So the
// bytes are there if a scan comes to want them.
func (a *Prefetcher) withGaps(requests []Request) []Request {
	ranges := make([]fetch.Range, len(requests))
	for i, w := range requests {
		ranges[i] = w.Range
	}
	for _, gap := range a.cost.Gaps(ranges) {
		i, _ := slices.BinarySearchFunc(requests, gap.Off, func(w Request, off int64) int { return cmp.Compare(w.Off, off) })
		of := requests[i-1]
		requests = slices.Insert(requests, i, Request{gap, of.RowGroup, of.Leaf, true})
	}
	return requests
}
