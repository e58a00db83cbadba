package scanner

import (
	"context"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/feed"
)

// newPrefetcher returns the Prefetcher of scans with options o; nil if the source is not
// worth prefetching.
func (f *File) newPrefetcher(o *Options, s *share) *feed.Prefetcher {
	most := o.ReadAhead
	if most == 0 {
		most = f.src.Traits().ReadAhead()
	}
	if most <= 0 {
		return nil
	}
	groups := 4
	if len(o.Runtime) > 0 || o.hasFilter() && o.limited() {
		groups = 1 // plan late: by then, runtime filters and the limit may rule the row group out
	}
	return feed.NewPrefetcher(s.source(f, o, -1), most, o.Budget.shared(), groups)
}

// prefetch starts the planner. leave ends it and counts the bytes that no scan read.
func (s *scan) prefetch() (leave func()) {
	o := s.opts
	o.Stats, o.Log, o.Trace, o.Memory, o.Budget, o.Threads = nil, nil, nil, s.pool, nil, 0
	stop := s.share.prefetcher.Use(s.ctx, &s.pool.windows, int(s.share.nextUnit.Load()), func(ctx context.Context) { s.file.planAhead(ctx, s.share.prefetcher, o) })
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
// of the filter's columns, and of returned columns where rows are known to pass.
func (f *File) planAhead(ctx context.Context, ahead *feed.Prefetcher, o Options) {
	s, err := f.newScan(ctx, o)
	if err != nil {
		return
	}
	defer s.releaseReaders()
	for i := range s.rows {
		if !ahead.Wait(ctx, i) {
			return
		}
		var calls [][]feed.Request
		if s.share.limitLeft.Load() > 0 && len(s.rows[i]) > 0 && f.checkGroup(i) == nil {
			s.planner = ahead.PlanningSource(i)
			calls = s.run.requests(i)
		}
		if len(calls) > 0 {
			ahead.Prefetch(ctx, calls[0], true)
		}
		ahead.Planned(i + 1)
		for _, requests := range calls[min(1, len(calls)):] {
			ahead.Prefetch(ctx, requests, true)
		}
	}
}

// source returns the source of a leaf's pages, or of metadata if l is nil.
func (s *scan) source(l *leaf) fetch.Source {
	switch ahead := s.share.prefetcher; {
	case s.planner != nil:
		return s.planner
	case ahead == nil:
		return s.share.source(s.file, &s.opts, s.run.group)
	case l == nil:
		return ahead.Source(s.run.group, nil, 0)
	default:
		return ahead.Source(s.run.group, l.node, l.start)
	}
}

// requests returns the ranges of a row group that a scan will certainly read. They are
// divided into calls, each of which has about the same rows of all columns.
func (r *groupRun) requests(group int) [][]feed.Request {
	s := r.scan
	defer r.forgetPages()
	if r.start(unit{group: group}, s.rows[group]) != nil || len(r.wanted) == 0 {
		return nil // the scan reports the error
	}
	seeks := s.filter != nil || !r.wanted.Covers(0, r.numRows())
	if seeks && r.readOffsetIndexes(s.leaves) != nil {
		return nil
	}
	var byLeaf [][]feed.Request // by leaf
	total := int64(0)
	passes, untested := r.wanted, r.untestedRows()
	if s.filter != nil {
		passes = r.wanted.And(s.filter.Passing())
	}
	for _, l := range s.leaves {
		// A test may need no read if another test settles its rows; it is prefetched anyway.
		rows := vector.Ranges(nil)
		if l.returned {
			rows = passes
		}
		if l.filters {
			rows = rows.Or(r.wanted.AndNot(untested[l]))
		}
		requests := l.requestsFor(rows)
		byLeaf = append(byLeaf, requests)
		for _, w := range requests {
			total += w.Len
		}
	}
	return feed.CutIntoCalls(byLeaf, total, s.share.prefetcher.CallBytes())
}

// requestsFor returns the ranges of the pages with given rows.
func (l *leaf) requestsFor(rows vector.Ranges) (requests []feed.Request) {
	if len(rows) == 0 {
		return nil
	}
	r, slack, err := l.chunk.Range()
	if err != nil {
		return nil
	}
	if l.offsets == nil {
		if 2*rows.Len() < l.rows {
			return nil // the scan goes from header to header and skips most bodies
		}
		r.Len += slack
		return []feed.Request{{Range: r, RowGroup: l.chunk.RowGroup, Leaf: l.node}}
	}
	for i, w := range feed.PageRanges(l.offsets, r.Off, l.rows, rows) {
		w.Off += r.Off
		if i == 0 && w.Len > 0 {
			w.Len = dictionaryRead(w.Len, r)
		}
		if w.Len > 0 && r.Off <= w.Off && w.End() <= r.End() {
			requests = append(requests, feed.Request{Range: w, RowGroup: l.chunk.RowGroup, Leaf: l.node, Keep: i == 0})
		}
	}
	return requests
}

// dictionaryRead returns how many bytes a scan reads for a dictionary page of n bytes: its
// header may be read with bytes of the page after it.
func dictionaryRead(n int64, chunk fetch.Range) int64 {
	return min(max(n, page.HeaderGuess), chunk.Len)
}

// prefetchSurvivors requests the pages of all returned columns with survivors of the
// window, in one call. After consecutive windows with survivors it also requests the pages
// after them, for twice as many windows each time.
//
//	windows    [ 1 . 1 . ][ . 1 . . ][         ][         ]
//	requested  [ as needed          ][ a guess ]
func (r *groupRun) prefetchSurvivors() {
	s, p := r.scan, &r.survivors
	a := s.share.prefetcher
	if !a.Running() {
		return
	}
	guess := p.To + r.lookahead.Extend(r.group, p.From, p.To)*(p.To-p.From)
	most := a.CallBytes()
	var requests []feed.Request
	for _, l := range s.returned() {
		for i := max(pageindex.PageOf(l.offsets, p.From), 0); i < len(l.offsets) && l.offsets[i].FirstRow < guess; i++ {
			x := &l.offsets[i]
			first, end := pageindex.PageRows(l.offsets, i, l.rows)
			from, to := int(max(first, p.From)-p.From), int(min(end, p.To)-p.From)
			if from < to && bits.Any(p.Sel.Bits, from, to) || end > p.To && most > 0 && r.windows.Remaining.Meets(first, end) {
				requests = append(requests, feed.Request{Range: fetch.Range{Off: x.Offset, Len: int64(x.CompressedSize)}, RowGroup: r.group, Leaf: l.node})
				most -= int64(x.CompressedSize)
			}
		}
		if len(l.offsets) == 0 {
			continue
		}
		if chunk, _, err := l.chunk.Range(); err == nil && l.offsets[0].Offset > chunk.Off {
			chunk.Len = dictionaryRead(l.offsets[0].Offset-chunk.Off, chunk)
			requests = append(requests, feed.Request{Range: chunk, RowGroup: r.group, Leaf: l.node, Keep: true})
		}
	}
	a.Prefetch(s.ctx, requests, false)
}
