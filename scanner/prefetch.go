package scanner

import (
	"context"
	"slices"

	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/estimate"
	"github.com/winnow-scan/winnow/scanner/internal/feed"
	"github.com/winnow-scan/winnow/scanner/internal/ioplan"
	"github.com/winnow-scan/winnow/scanner/internal/slots"
)

// readAhead returns how many prefetched bytes a scan may hold, 0 if the source is not worth
// prefetching.
func (f *File) readAhead(o *Options) int64 {
	if o.ReadAhead != 0 {
		return max(o.ReadAhead, 0)
	}
	if !f.far {
		return 0
	}
	t := f.src.Traits()
	known := f.meter.Cost(ioplan.Cost{Latency: t.Latency, Bandwidth: t.Bandwidth})
	return max(fetch.Traits{Latency: known.Latency, Bandwidth: known.Bandwidth}.ReadAhead(), leastReadAhead)
}

// leastReadAhead is three of the longest requests: a source that serves one at a time never idles.
const leastReadAhead = 24 << 20

// newPrefetcher returns the Prefetcher of scans with options o; nil if the source is not
// worth prefetching.
func (f *File) newPrefetcher(o *Options, q *workQueue) *feed.Prefetcher {
	most := f.readAhead(o)
	if most == 0 {
		return nil
	}
	groups, endsSoon := 4, o.hasFilter() && o.limited()
	if len(o.Runtime) > 0 || endsSoon {
		groups = 1 // plan late: by then, runtime filters and the limit may rule the row group out
	}
	ahead := feed.NewPrefetcher(q.source(f, o, -1), &f.meter, most, o.ReadAhead != 0, o.Resources.made().bytes, q.inFlight, groups)
	if endsSoon {
		ahead.StartWithLittle()
	}
	return ahead
}

// prefetch starts the planner. leave ends it and counts the bytes that no scan read.
func (s *scan) prefetch() (leave func()) {
	if s.queue.prefetcher == nil {
		return func() {}
	}
	o := s.opts
	o.Stats, o.Log, o.Trace, o.memory, o.Resources, o.Threads = nil, nil, nil, s.pool, nil, 0
	if s.mayClaim() {
		_ = s.joinBudget(s.nextGroup()) // if the scan has ended, its first unit reports that
	}
	stop := s.queue.prefetcher.Use(s.ctx, &s.pool.windows, int(s.queue.nextUnit.Load()), func(ctx context.Context) { s.file.planAhead(ctx, s.queue.prefetcher, o) })
	return func() {
		waste := stop()
		total := s.opts.Stats
		if total == nil {
			return
		}
		var added Stats
		for leaf, n := range waste {
			if leaf == nil {
				added.Metadata += n
			} else {
				added.Columns = append(added.Columns, ColumnStats{Leaf: leaf, Fetched: n})
			}
		}
		total.add(&added)
	}
}

// planAhead is the planner: a scan that reads metadata only. For each row group ahead of
// the scans it prefetches the metadata, and then the pages that these prove to be needed:
// of the filter's columns, and of returned columns where rows are known to pass, or have
// nearly always passed.
func (f *File) planAhead(ctx context.Context, ahead *feed.Prefetcher, o Options) {
	s, err := f.newScan(ctx, o)
	if err != nil {
		return
	}
	defer s.releaseReaders()
	indexed := 0 // row groups before it have their indexes
	for i := range s.rows {
		if !ahead.Wait(ctx, i) {
			return
		}
		if i >= indexed {
			indexed = s.prefetchIndexes(ahead, i)
		}
		var calls [][]feed.Request
		if s.queue.limitLeft.Load() > 0 && len(s.rows[i]) > 0 && f.checkGroup(i) == nil {
			s.planner = ahead.PlanningSource(i)
			calls = s.run.requests(ahead, i)
		}
		ahead.Expect(len(s.rows)-1-i, calls)
		ahead.Enqueue(i, calls, false)
		ahead.Planned(i + 1)
	}
}

// prefetchIndexes requests the indexes that row group first and some after it need, in one
// call, and returns the row group after these.
func (s *scan) prefetchIndexes(ahead *feed.Prefetcher, first int) (next int) {
	var requests []feed.Request
	total := int64(0)
	add := func(group int, r fetch.Range) {
		if s.file.checkRange(r) == nil && s.file.indexes.Get(r) == nil && s.file.metadata.Get(r) == nil {
			requests = append(requests, feed.Request{Range: r, RowGroup: group})
			total += r.Len
		}
	}
	for next = first; next < len(s.rows) && total < ahead.CallBytes() && (next == first || !s.opts.limited()); next++ {
		rows := s.rows[next]
		if len(rows) == 0 || s.file.checkGroup(next) != nil || s.filter == nil && rows.Covers(0, s.file.footer.RowGroups[next].NumRows) {
			continue
		}
		if s.filter != nil && s.opts.Plan == nil {
			needs, some, err := s.filter.IndexNeeds(next, rows)
			if err != nil || !some {
				continue
			}
			for _, n := range needs {
				add(next, fetch.Range{Off: n.Off, Len: n.Len})
			}
		}
		for _, l := range s.leaves {
			if l.bindChunk(next) == nil && l.chunk.HasOffsetIndex && l.chunk.locked == nil {
				add(next, fetch.Range{Off: l.chunk.OffsetIndexOffset, Len: int64(l.chunk.OffsetIndexLength)})
			}
		}
	}
	if len(requests) > 0 {
		ahead.PrefetchPlanned(requests)
	}
	return next
}

// source returns the source of a leaf's pages, or of metadata if l is nil.
func (s *scan) source(l *leaf) fetch.Source {
	switch ahead := s.queue.prefetcher; {
	case s.planner != nil:
		return s.planner
	case ahead == nil && s.file.far && s.opts.Resources != nil:
		return slots.Source{Source: s.queue.source(s.file, &s.opts, s.run.group), Requests: s.queue.inFlight, Turn: &s.turn}
	case ahead == nil:
		q := &s.sequential
		q.Source, q.Pool, q.Budget = s.queue.source(s.file, &s.opts, s.run.group), &s.pool.windows, s.readBudget
		if q.Budget == nil && s.worker.Scan != nil { // it is not admitted yet: nothing may be read ahead
			q.Took = true
			return q.Source
		}
		return q
	case l == nil:
		return ahead.Source(s.run.group, nil, 0, &s.turn)
	default:
		return ahead.Source(s.run.group, l.node, l.start, &s.turn)
	}
}

// requests returns the ranges of a row group that a scan will certainly read. They are
// divided into calls, each of which has about the same rows of all columns.
func (r *unitRun) requests(ahead *feed.Prefetcher, group int) [][]feed.Request {
	s := r.scan
	defer r.forgetPages()
	if r.start(unit{group: group}, s.rows[group]) != nil || len(r.wanted) == 0 {
		return nil // the scan reports the error
	}
	seeks := s.filter != nil || !r.wanted.Covers(0, r.numRows())
	if seeks && r.readOffsetIndexes(s.leaves) != nil {
		return nil
	}
	passes, untested := r.wanted, r.untestedRows()
	if s.filter != nil {
		passes = r.wanted.And(s.filter.Passing())
	}
	var columns []feed.Wanted
	for _, l := range s.leaves {
		pages, err := l.pagesToPrefetch()
		if err != nil {
			continue
		}
		w := feed.Wanted{ChunkPages: pages}
		// A test may need no read if another test settles its rows; it is prefetched anyway.
		if l.filters {
			w.Certain = r.wanted.AndNot(untested[l])
		}
		if l.returned {
			w.Certain, w.Likely = w.Certain.Or(passes), r.wanted
		}
		columns = append(columns, w)
	}
	return ahead.Calls(columns, r.eachPagePasses)
}

// eachPagePasses reports whether nearly all pages of the wanted rows are expected to have rows that
// pass: many do if values are spread evenly, and bounds of pages rule out that they lie together.
func (r *unitRun) eachPagePasses() bool {
	s := r.scan
	if s.filter == nil || len(s.opts.Runtime) > 0 || slices.ContainsFunc(s.leaves, func(l *leaf) bool { return l.filters && !l.chunk.HasColumnIndex }) {
		return false
	}
	passes, err := estimate.EachPagePasses(s.filter.Program().Root, s.file.boundsIn(r.group), r.rowsOfPage())
	return err == nil && passes
}

// pagesToPrefetch returns the pages of the leaf's chunk.
func (l *leaf) pagesToPrefetch() (p feed.ChunkPages, err error) {
	p = feed.ChunkPages{RowGroup: l.chunk.RowGroup, Leaf: l.node, Rows: l.rows, Offsets: l.offsets}
	p.Range, p.Slack, err = l.chunk.Range()
	return p, err
}

// prefetchSurvivors requests the pages of all returned columns with survivors of the window,
// and those after it that are worth a guess.
func (r *unitRun) prefetchSurvivors(t *tested) {
	s := r.scan
	ahead := s.queue.prefetcher
	if !ahead.Running() {
		return
	}
	var columns []feed.ChunkPages
	for _, l := range s.leaves {
		if !l.returned {
			continue
		}
		if pages, err := l.pagesToPrefetch(); err == nil {
			columns = append(columns, pages)
		}
	}
	ahead.PrefetchSurvivors(columns, feed.Tested{From: t.From, To: t.To, Survivors: t.Sel.Bits})
}
