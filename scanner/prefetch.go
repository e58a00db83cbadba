package scanner

import (
	"cmp"
	"context"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/feed"
	"github.com/winnow-scan/winnow/thrift"
)

// newPrefetcher returns what prefetches for scans with options o; nil if that
// is not worth it.
func (f *File) newPrefetcher(o *Options) *feed.Prefetcher {
	most := o.ReadAhead
	if most == 0 {
		most = fetch.ReadAhead(f.Source())
	}
	if most <= 0 {
		return nil
	}
	groups := 4
	if len(o.Runtime) > 0 || o.hasFilter() && o.limited() {
		groups = 1 // more is known when it is the next
	}
	return feed.NewPrefetcher(f.src, o.budget(ofAhead, most), groups)
}

// prefetch starts the planner, for as long as the scan runs.
func (s *scan) prefetch() (leave func()) {
	o := s.opts
	o.Stats, o.Memory, o.Threads = nil, s.pool, 0
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

// planAhead goes through the row groups in front of those that scans are at. Of each
// it has the metadata read, and then what they prove to be needed: pages of the
// columns that the filter asks, and of those that are handed out where rows are
// known to pass. It is a scan that looks at no page.
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
			ahead.Ask(ctx, calls[0], true)
		}
		ahead.Planned(i + 1)
		for _, requests := range calls[min(1, len(calls)):] {
			ahead.Ask(ctx, requests, true)
		}
	}
}

// source returns what a scan reads a leaf's pages from, or metadata if that is nil.
func (s *scan) source(l *leaf) fetch.Source {
	switch ahead := s.share.prefetcher; {
	case s.planner != nil:
		return s.planner
	case ahead == nil:
		return s.file.src
	case l == nil:
		return ahead.Source(s.run.group, nil, 0)
	default:
		return ahead.Source(s.run.group, l.node, l.start)
	}
}

// needs returns what is going to be read of a row group for sure, in calls of
// which each has about the same rows of all columns.
func (r *groupRun) requests(group int) [][]feed.Request {
	s := r.scan
	defer r.forgetPages()
	if r.start(unit{group: group}, s.rows[group]) != nil || len(r.wanted) == 0 {
		return nil // the scan will tell what is wrong
	}
	seeks := s.filter != nil || !r.wanted.Covers(0, r.numRows())
	if seeks && r.readOffsetIndexes(s.leaves) != nil {
		return nil
	}
	var byLeaf [][]feed.Request // of each leaf
	total := int64(0)
	passes, untested := r.wanted, r.untestedRows()
	if s.filter != nil {
		passes = r.wanted.And(s.filter.Passing())
	}
	for _, l := range s.leaves {
		// For a test, a leaf is read for sure unless another one settles the matter.
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
	return cutIntoCalls(byLeaf, total, s.share.prefetcher.CallBytes())
}

// requests returns where the pages of rows lie.
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
			return nil // pages are looked for from header to header
		}
		r.Len += slack
		return []feed.Request{{Range: r, RowGroup: l.chunk.RowGroup, Leaf: l.node}}
	}
	for i, w := range feed.PageRanges(l.offsets, r.Off, l.rows, rows) {
		w.Off += r.Off
		if w.Len > 0 && r.Off <= w.Off && w.End() <= r.End() {
			requests = append(requests, feed.Request{Range: w, RowGroup: l.chunk.RowGroup, Leaf: l.node, Keep: i == 0})
		}
	}
	return requests
}

// parted cuts what leaves need, total bytes, into calls of about most bytes.
// Each has the same part of what each leaf needs.
func cutIntoCalls(byLeaf [][]feed.Request, total, callBytes int64) [][]feed.Request {
	n := (total + callBytes - 1) / callBytes
	calls := make([][]feed.Request, n)
	for _, requests := range byLeaf {
		length := int64(0)
		for _, w := range requests {
			length += w.Len
		}
		first := int64(0) // of the bytes up to the call's
		for k := range calls {
			end := min((length*int64(k+1)/n+callStep-1)/callStep*callStep, length)
			if k == len(calls)-1 {
				end = length
			}
			room := end - first
			for room > 0 {
				w := requests[0]
				if w.Len = min(w.Len, room); w.Len == requests[0].Len {
					requests = requests[1:]
				} else {
					requests[0].Off, requests[0].Len = w.End(), requests[0].Len-w.Len
				}
				calls[k] = append(calls[k], w)
				room -= w.Len
			}
			first = max(first, end)
		}
	}
	return calls
}

// ofCall is what a leaf's share of a call is a multiple of.
const callStep = 64 << 10

// prefetchSurvivors asks for the pages of all columns that are handed out which have
// rows that passed, at once. After windows in a row where rows did, it asks for pages
// behind them, too, for twice as many windows each time.
//
//	windows    [ 1 . 1 . ][ . 1 . . ][         ][         ]
//	asked      [ as needed          ][ a guess ]
func (r *groupRun) prefetchSurvivors() {
	s, p := r.scan, &r.survivors
	a := s.share.prefetcher
	if !a.Running() {
		return
	}
	guess := p.To + r.lookahead.extend(r.group, p.From, p.To)*(p.To-p.From)
	most := a.CallBytes()
	var requests []feed.Request
	for _, l := range s.returned() {
		i, _ := slices.BinarySearchFunc(l.offsets, p.From+1, func(x thrift.PageLocation, row int64) int { return cmp.Compare(x.FirstRow, row) })
		for i = max(i-1, 0); i < len(l.offsets) && l.offsets[i].FirstRow < guess; i++ {
			x, end := &l.offsets[i], l.rows
			if i+1 < len(l.offsets) {
				end = l.offsets[i+1].FirstRow
			}
			from, to := int(max(x.FirstRow, p.From)-p.From), int(min(end, p.To)-p.From)
			if from < to && bits.Any(p.Sel.Bits, from, to) || end > p.To && most > 0 && r.windows.Left.Meets(x.FirstRow, end) {
				requests = append(requests, feed.Request{Range: fetch.Range{Off: x.Offset, Len: int64(x.CompressedSize)}, RowGroup: r.group, Leaf: l.node})
				most -= int64(x.CompressedSize)
			}
		}
		if len(l.offsets) > 0 && l.offsets[0].Offset > l.start {
			requests = append(requests, feed.Request{Range: fetch.Range{Off: l.start, Len: l.offsets[0].Offset - l.start}, RowGroup: r.group, Leaf: l.node, Keep: true})
		}
	}
	a.Ask(s.ctx, requests, false)
}

// lookahead is how many windows behind one where rows passed are taken to be like it.
type lookahead struct {
	group   int
	end     int64 // of the last window where rows passed
	windows int64
}

func (b *lookahead) extend(group int, from, to int64) int64 {
	if group != b.group || from != b.end {
		b.windows = 0
	}
	n := b.windows
	b.group, b.end, b.windows = group, to, min(max(2*n, 1), 64)
	return n
}
