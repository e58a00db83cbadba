package scanner

import (
	"cmp"
	"sync"

	"github.com/winnow-scan/winnow/scanner/internal/budget"
	"github.com/winnow-scan/winnow/scanner/internal/slots"
)

// Resources bound what all scans that are given them take together, and keep memory that one scan has
// released for the next. A host makes one for all of its scans. The zero Resources bound nothing.
// Their fields must not change once a scan has them. Scans that wait cannot block each other, in
// whatever order a host goes through them, and whatever it keeps. Safe for concurrent use.
type Resources struct {
	// Bytes bounds the bytes that scans hold: those that were read and not decoded yet, batches
	// in the making or waiting for their turn, and memory that is kept for
	// reuse; and beside these the minima that scans need to go on. 0: there is no bound.
	// Before a scan holds more than metadata, it waits, first come first served, until the minima of
	// all admitted scans have room: by the footer, a page and the dictionary of each column, and a
	// batch of 64 KiB. Further goroutines of scans come last. A host that asks several scans by turns
	// may wait in the middle of admitted ones: if nobody asks these for rows for a second or
	// two, they do not count from then on while nobody asks.
	// The other uses have a share of the bytes each, which the admitted scans divide evenly.
	// Without room, a scan reads less ahead and makes smaller batches, and its
	// goroutines that are ahead of the host wait: until the host takes batches, other scans
	// end or go on, or the context ends.
	// For what they need next, scans may exceed their shares. Each goroutine of a scan may have one
	// page and the dictionary of each column and a batch of 64 KiB, or one row; a scan with several,
	// one batch that waits; and a scan that prefetches, one call of its source. Batches that the host
	// holds and metadata do not count. A page or dictionary larger than Bytes is an error: ErrMemory.
	Bytes int64

	// Reuse bounds the memory for reuse: of batches, of pages, and of dictionaries, as many bytes for
	// each. It comes beside Bytes. 0 stands for 64 MiB, or less out of Bytes.
	Reuse int64

	// Workers is how many goroutines of scans decode at once: those of scans that have fewer workers
	// come first. One that waits, for a source that states a latency, for Bytes, or for the host, has
	// none. Functions of the host, such as Trace, are called by goroutines that have one, and must
	// not scan with the same Resources, since they may wait for themselves. With
	// Options.Threads of 0, a scan has as many as its fair share when it begins. 0: there is no bound.
	Workers int

	// Requests is how many ranges are requested at once of sources that state a latency. What a scan
	// waits for comes first, then what is read ahead; in both, scans that have fewer in flight.
	// Requests that open a file do not count. 0: there is no bound but that of each file, for which
	// as many are in flight as its source has proved to serve.
	Requests int

	once   sync.Once
	counts shared
}

// shared is what Resources count. Nil stands for what is not bounded.
type shared struct {
	bytes             *budget.Budget
	memory            *idleMemory
	workers, requests *slots.Slots
}

// made returns what r counts, nothing if r is nil.
func (r *Resources) made() shared {
	if r == nil {
		return shared{}
	}
	r.once.Do(func() {
		reuse := r.Reuse
		if r.Bytes > 0 {
			share := func(sixteenths int64) int64 { return max(r.Bytes/16*sixteenths, 1) }
			// The memory for reuse takes four more sixteenths: of batches, page bodies, read bytes and
			// dictionaries. The others are for values being decoded and the open pages of each thread.
			r.counts.bytes = budget.New([budget.Uses]int64{budget.Waiting: share(4), budget.Prefetching: share(2), budget.Reading: share(2), budget.Making: share(2), budget.Minima: r.Bytes})
			reuse = cmp.Or(reuse, min(share(1), ownMemory))
		}
		r.counts.memory, r.counts.workers, r.counts.requests = newIdleMemory(cmp.Or(reuse, ownMemory)), slots.New(r.Workers), slots.New(r.Requests)
	})
	return r.counts
}

// Used returns how many of Bytes the scans hold now, and how many they held at most, without
// decoded pages and the memory that is kept for reuse.
func (r *Resources) Used() (now, peak int64) {
	if b := r.made().bytes; b != nil {
		return b.Used()
	}
	return 0, 0
}

// check returns an error if a bound is negative.
func (r *Resources) check() error {
	if r != nil && (r.Bytes < 0 || r.Reuse < 0 || r.Workers < 0 || r.Requests < 0) {
		return optionsError("Resources has a bound below 0")
	}
	return nil
}

// largest returns the size of the largest page that fits; 0 if any does.
func (r *Resources) largest() int64 {
	if r == nil {
		return 0
	}
	return r.Bytes
}

// threads returns how many goroutines a scan has.
func (o *Options) threads() int {
	if w := o.Resources.made().workers; o.Threads == 0 && w != nil {
		return w.Fair()
	}
	return o.Threads
}
