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
	"github.com/winnow-scan/winnow/scanner/internal/reorder"
	"github.com/winnow-scan/winnow/scanner/internal/slots"
)

// workQueue is the common state of scans that divide one scan's work: each unit is claimed
// by one of them, and Offset and Limit count the rows of all.
type workQueue struct {
	nextUnit   atomic.Int64 // the first unit that no scan has claimed
	scans      int          // how many divide the work; 0 counts as 1
	once       sync.Once
	units      []unit       // nil: each row group is a unit
	offsetLeft atomic.Int64 // rows that pass and are still to be skipped
	answered   map[int]bool // row groups that an answer needs no unit of, and whose pages are counted
	limitLeft  atomic.Int64 // rows that are still to be returned; math.MaxInt64: all

	prefetcher        *feed.Prefetcher // nil: bytes are read when they are needed
	reread            bool             // an earlier scan has read pages of the file
	workers, inFlight *slots.Share     // of Options.Resources: workers, and requests in flight; nil: no limit

	calls, ranges, bytes atomic.Int64 // of the source, that no closed scan has counted

	mu      sync.Mutex     // guards the fields below
	done    []int          // row groups that closed scans have counted
	counted []*schema.Node // columns that closed scans have counted
}

// newQueue returns the state that scans with options o share.
func (f *File) newQueue(o *Options) *workQueue {
	l := o.Resources.made()
	q := &workQueue{reread: f.pagesRead.Load(), workers: l.workers.NewShare()}
	if f.far {
		q.inFlight = l.requests.NewShare()
	}
	q.prefetcher = f.newPrefetcher(o, q)
	q.limitLeft.Store(math.MaxInt64)
	if o.hasFilter() {
		q.offsetLeft.Store(o.Offset)
		if o.limited() {
			q.limitLeft.Store(o.Limit)
		}
	}
	return q
}

// countsRows reports whether an offset or a limit still applies to the rows that pass.
func (q *workQueue) countsRows() bool {
	return q.offsetLeft.Load() > 0 || q.limitLeft.Load() < math.MaxInt64
}

// claimFrom makes s divide the work of a queue with other scans.
func (s *scan) claimFrom(q *workQueue) { s.queue, s.turn.Share = q, q.workers }

// claimUnit returns the index of the next unit, which is the caller's to read.
func (q *workQueue) claimUnit() int { return int(q.nextUnit.Add(1) - 1) }

// claimRows applies Offset and Limit to n rows that pass: it returns how many at the
// front are skipped, and how many of the others are returned.
func (q *workQueue) claimRows(n int) (skipped, returned int64) {
	skipped = takeUpTo(&q.offsetLeft, int64(n))
	return skipped, takeUpTo(&q.limitLeft, int64(n)-skipped)
}

// takeUpTo subtracts up to n from left and returns how much. math.MaxInt64 is unlimited
// and stays.
func takeUpTo(left *atomic.Int64, n int64) int64 {
	for {
		have := left.Load()
		n = min(n, have)
		if have == math.MaxInt64 || left.CompareAndSwap(have, have-n) {
			return n
		}
	}
}

// Partitions returns n iterators over disjoint parts of the rows of Scan. Together they
// return each row once. Each iterator may run in a goroutine of its own. It claims one row
// group after the other, or a part of one where there are fewer row groups than iterators.
// When a loop breaks, the remaining rows of its row group are lost, and the other
// iterators read all further row groups. Offset and Limit count the rows of all
// iterators; with a filter, the order in which they count is undefined. An n below 1
// counts as 1.
func (f *File) Partitions(ctx context.Context, o Options, n int) []iter.Seq2[*vector.Batch, error] {
	all := o
	all.watch = &watch{ctx: ctx} // of what is prefetched for all
	queue := f.newQueue(&all)
	queue.scans = max(1, n)
	parts := make([]iter.Seq2[*vector.Batch, error], queue.scans)
	for i := range parts {
		parts[i] = func(yield func(*vector.Batch, error) bool) {
			o := o
			w := f.watch(ctx, &o)
			defer w.end(nil)
			yield = w.yields(yield)
			s, err := f.newScan(ctx, o)
			if err != nil {
				yield(nil, err)
				return
			}
			s.claimFrom(queue)
			s.yieldBatches(yield)
		}
	}
	return parts
}

// farThreads is how many row groups of a far source a filtered scan reads at the same time:
// in each, the survivors' pages wait for those of the filter.
const farThreads = 16

// threads returns how many goroutines a scan can use. An offset or limit on rows that
// pass a filter allows one: each row group has to know how many rows passed before it.
func (f *File) threads(o *Options) int {
	switch {
	case o.hasFilter() && (o.Offset > 0 || o.limited()):
		return 1
	case o.hasFilter() && len(o.Runtime) == 0 && f.readAhead(o) > 0:
		most := int64(farThreads)
		if bytes := o.Resources.largest(); bytes > 0 {
			most = min(most, bytes/(32<<20))
		}
		return max(o.threads(), int(most))
	}
	return o.threads()
}

// parallel is Scan with several threads. It yields the batches in the caller's goroutine.
func (f *File) parallel(ctx context.Context, o Options, threads int, yield func(*vector.Batch, error) bool) {
	first, err := f.newScan(ctx, o)
	if err != nil {
		yield(nil, err)
		return
	}
	first.queue.scans = threads
	first.splitUnits()
	threads = min(threads, first.units())
	if threads <= 1 {
		first.yieldBatches(yield)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	o.memory = f.memoryFor(&o)
	scans, err := first.sharedBy(ctx, o, threads)
	if err != nil {
		cancel()
		yield(nil, err)
		return
	}
	scans[0].stats.Metadata = first.stats.Metadata
	l := reorder.New(ctx, scans[0].units(), o.Resources.made().bytes)
	defer l.Leave()
	yield = first.gives(yield)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	defer l.Stop()
	for _, s := range scans {
		workers.Go(func() { s.work(l) })
	}
	for {
		b, err := l.Pop()
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

// work reads units into the reorder buffer until none is left.
func (s *scan) work(l *reorder.Buffer) {
	defer s.close()
	defer s.prefetch()()
	for s.mayClaim() {
		number := s.queue.claimUnit()
		if number >= s.units() {
			return
		}
		err := detach.Catch(func() error {
			return s.doUnit(number, func(at unit, wanted vector.Ranges) error {
				return s.scanUnit(at, wanted, func(b *vector.Batch, _ error) (goOn bool) {
					s.turn.Away(s.ctx, func() { goOn = l.Put(number, b) })
					return goOn
				})
			})
		})
		l.Finish(number, err)
		if err != nil {
			return
		}
	}
}

// sharedBy returns scans with options o, as many as given, which divide the work of s.
func (s *scan) sharedBy(ctx context.Context, o Options, number int) (scans []*scan, err error) {
	for range number {
		more, err := s.file.newScan(ctx, o)
		if err != nil {
			return nil, err
		}
		more.claimFrom(s.queue)
		more.worker.Scan = s.worker.Scan
		scans = append(scans, more)
	}
	return scans, nil
}

// together lets scans work at the same time, one of which is alone if there are no others. After an
// error none claims another unit. It returns the error of the first row group that has one.
func together(scans []*scan, work func(*scan) error) error {
	if len(scans) == 1 {
		return work(scans[0])
	}
	var (
		workers sync.WaitGroup
		mu      sync.Mutex
		fault   error
		group   int // row group of fault
	)
	for _, s := range scans {
		workers.Go(func() {
			err := detach.Catch(func() error { return work(s) })
			mu.Lock()
			defer mu.Unlock()
			if err != nil && (fault == nil || s.run.group < group) {
				fault, group = err, s.run.group
				s.queue.nextUnit.Store(int64(s.units()))
			}
		})
	}
	workers.Wait()
	return detach.Rethrow(fault)
}
