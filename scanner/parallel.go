package scanner

import (
	"context"
	"iter"
	"math"
	"sync"
	"sync/atomic"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
	"github.com/winnow-scan/winnow/scanner/internal/feed"
)

// share is what scans have in common that do one scan's work: each row group is
// taken by one of them, and rows are left out and counted for all.
type share struct {
	next  atomic.Int64 // the first unit that nobody has taken
	scans int          // how many are to do the work, if not one
	once  sync.Once
	units []unit       // nil: each row group is one
	skip  atomic.Int64 // rows that pass and are left out
	most  atomic.Int64 // rows that are handed out then

	ahead *feed.Prefetcher // nil: nothing is read before it is needed
	again bool             // pages of the file were read by another scan before this one

	mu      sync.Mutex     // of what follows
	done    []int          // row groups that are counted, by scans that are closed
	counted []*schema.Node // columns that they counted
}

// newShare returns the share of a scan with options o.
func (f *File) newShare(o *Options) *share {
	s := &share{ahead: f.newPrefetcher(o), again: f.looked.Load()}
	s.most.Store(math.MaxInt64)
	if o.asks() {
		s.skip.Store(o.Offset)
		if o.limited() {
			s.most.Store(o.Limit)
		}
	}
	return s
}

// counts reports whether rows that pass are counted, since not all are handed out.
func (s *share) counts() bool { return s.skip.Load() > 0 || s.most.Load() < math.MaxInt64 }

// nextGroup takes a unit.
func (s *share) nextGroup() int { return int(s.next.Add(1) - 1) }

// take returns of n rows that pass how many are left out at the front, and how
// many are handed out then.
func (s *share) take(n int) (skip, most int64) {
	skip = lower(&s.skip, int64(n))
	return skip, lower(&s.most, int64(n)-skip)
}

// lower takes up to n from what is left, and returns how much that is.
func lower(left *atomic.Int64, n int64) int64 {
	for {
		have := left.Load()
		n = min(n, have)
		if have == math.MaxInt64 || left.CompareAndSwap(have, have-n) {
			return n
		}
	}
}

// Partitions returns n iterators over parts of what Scan would return: together
// they have each row once. Each is for one goroutine, which may be any, and
// takes the next row group that nobody has taken when it is done with one, or where there
// are fewer row groups than iterators, the next part of one. A loop that breaks
// leaves the rest of what it took to nobody, and all else to
// the others. Offset and Limit count in the rows of all, in no order if there is a filter.
// An n below 1 counts as 1.
func (f *File) Partitions(ctx context.Context, o Options, n int) []iter.Seq2[*vector.Batch, error] {
	return f.partitions(ctx, o, max(1, n), f.newShare(&o))
}

// partitions is Partitions for scans that share work already.
func (f *File) partitions(ctx context.Context, o Options, n int, shared *share) []iter.Seq2[*vector.Batch, error] {
	shared.scans = n
	o.parts = n
	if o.Memory == nil && o.MemoryBudget > 0 {
		o.Memory = o.newMemory()
	}
	parts := make([]iter.Seq2[*vector.Batch, error], n)
	for i := range parts {
		parts[i] = func(yield func(*vector.Batch, error) bool) {
			s, err := f.newScan(ctx, o)
			if err != nil {
				yield(nil, err)
				return
			}
			s.share = shared
			s.handOut(yield)
		}
	}
	return parts
}

// threads returns how many a scan may make use of. Where rows are counted that
// pass, the order matters, and each has to wait for those in front of it.
func (f *File) threads(o *Options) int {
	if o.asks() && (o.Offset > 0 || o.limited()) {
		return 1
	}
	return o.Threads
}

// parallel is Scan with several threads.
func (f *File) parallel(ctx context.Context, o Options, threads int, yield func(*vector.Batch, error) bool) {
	first, err := f.newScan(ctx, o)
	if err != nil {
		yield(nil, err)
		return
	}
	shared := first.share
	shared.scans = threads
	first.prepare()
	threads = min(threads, first.units())
	if threads <= 1 {
		first.handOut(yield)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	if o.Memory == nil {
		o.Memory = o.newMemory()
	}
	o.parts = threads
	var scans []*scan
	for range threads {
		s, err := f.newScan(ctx, o)
		if err != nil {
			cancel()
			yield(nil, err)
			return
		}
		s.share = shared
		scans = append(scans, s)
	}
	scans[0].stats.Metadata = first.stats.Metadata
	l := &reorderBuffer{groups: make([]unitBatches, scans[0].units()), most: o.budget(ofWaiting, waiting)}
	l.change.L = &l.mu
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	defer l.stop()
	for _, s := range scans {
		workers.Go(func() { s.work(l) })
	}
	for {
		b, err := l.take()
		if err == nil && b != nil {
			err = first.check()
		}
		if err != nil {
			yield(nil, detach.Rethrow(err))
			return
		}
		if b == nil || !yield(b, nil) {
			return
		}
	}
}

// work reads row groups as long as there are any.
func (s *scan) work(l *reorderBuffer) {
	defer s.close()
	defer s.prefetch()()
	for {
		number := s.share.nextGroup()
		if number >= s.units() {
			return
		}
		err := detach.Catch(func() error {
			return s.oneUnit(number, func(at unit, wanted vector.Ranges) error {
				return s.run.handOut(at, wanted, func(b *vector.Batch, _ error) bool { return l.put(number, b) })
			})
		})
		l.finish(number, err)
		if err != nil {
			return
		}
	}
}
