package scanner

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/estimate"
	"github.com/winnow-scan/winnow/scanner/internal/rank"
	"github.com/winnow-scan/winnow/scanner/internal/window"
	"github.com/winnow-scan/winnow/thrift"
)

// search finds the first rows of an order, or the first value.
//
//	bounds of pages    [2 5] [3 9] [7 8] [8 9]      ascending, two rows
//	first round         ^                           finds 2 and 4: pages from 4 on are skipped
//	second round             ^                      rows below 4 only
//
// Each round is a scan of the pages with the best bounds. Of a far file these are as many as are expected to
// have the rows, in all row groups that may, for a round is a trip or two.
type search struct {
	rank.Ranking
	values  bool            // the first of all values is wanted, also of lists, and neither rows nor NULL
	runtime *filter.Runtime // drops rows that cannot count any more; nil: none does

	scans   []*scan       // that divide the rounds; the first one is used alone besides
	rankers []*ranker     // one for each of scans
	rows    vector.RowSet // that are wanted
	round   vector.RowSet // those of the current round
	passing float64       // the share of rows that is expected to pass the filter

	mu           sync.Mutex // guards the fields below, and Ranking, in a round
	published    bool       // publishedRow is set
	publishedRow rank.Row   // the row that runtime is about
}

// candidate is rows of a row group, and the first and last places that these may have.
type candidate struct {
	group       int
	rows        vector.Ranges
	first, last rank.Row
	known, ends bool // first is known, last is; rows without are read after those with known values
	exact       bool // a row that is wanted is at first
}

// rankBy makes a leaf the scan's only column, for a search.
func (s *scan) rankBy(node *schema.Node) {
	l := s.leafOf(node)
	l.returned, l.needsValues = true, true
	s.opts.ranked, s.columns = node, []batchColumn{{leaves: []*leaf{l}}}
}

// run searches what s scans for the first rows by the values of a leaf.
func (x *search) run(s *scan, node *schema.Node) error {
	if x.Column = pageindex.ColumnOfFile(s.file.footer, s.file.writer, node); !x.Column.Ordered() && node.Type.Logical != vector.Null {
		return s.file.wrap(-1, node.String(), -1, errors.New("values of type "+node.Type.String()+" have no order"))
	}
	if x.Most <= 0 {
		return nil
	}
	s.rankBy(node)
	x.scans, x.rows = []*scan{s}, s.rows
	defer func() {
		for _, s := range x.scans {
			s.close()
		}
	}()
	if s.filter != nil && s.queue.countsRows() { // which rows count depends on how many passed before them
		x.round = x.rows
		return s.file.unchanged(-1, x.rankRows())
	}
	s.opts.Offset, s.opts.Limit, s.opts.Limited = 0, 0, false // x.rows are without the others
	var groups []candidate
	err := s.eachUnit(func(at unit, wanted vector.Ranges) error {
		c, err := x.groupCandidate(at.group, wanted)
		groups = append(groups, c)
		return err
	})
	if err == nil {
		x.round = make(vector.RowSet, len(x.rows))
		err = x.searchGroups(groups)
	}
	x.Cut()
	return s.file.unchanged(-1, err)
}

// searchGroups searches the row groups, those with the best bounds first.
func (x *search) searchGroups(groups []candidate) (err error) {
	s := x.scans[0]
	x.passing = 1
	far := s.queue.prefetcher != nil
	if root := s.opts.Filter; far && root != nil && len(groups) > 0 {
		if x.passing, err = estimate.ShareOf(s.filter.Program().Root, s.file.boundsIn(groups[0].group)); err != nil {
			return err
		}
	}
	x.sort(groups)
	for round := 0; len(groups) > 0; {
		g, n := &groups[0], 1
		switch {
		case !x.mayCount(g) || x.values && g.known && g.first.Class != rank.Value:
			s.skipGroup(g.group, ByStatistics)
		case x.values && g.exact:
			x.Rows = append(x.Rows, g.first)
			x.Cut()
			s.skipGroup(g.group, ByStatistics)
		default:
			if threads := max(s.opts.threads(), 1); far || threads > 1 {
				if n = x.enough(groups, round); !far {
					n = min(n, threads)
				}
			}
			pages, err := x.pageCandidates(groups[:n])
			if err == nil {
				err = x.searchPages(pages)
			}
			if err != nil {
				return err
			}
			round++
		}
		groups = groups[n:]
	}
	return nil
}

// searchPages reads the pages of some row groups, those with the best bounds first: as many as may be enough, then
// four times as many each time, since every read starts at the first row of the row group.
func (x *search) searchPages(pages []candidate) error {
	far := x.scans[0].queue.prefetcher != nil
	x.sort(pages)
	cannot := func(p candidate) bool { return !x.mayCount(&p) }
	for round := 0; ; round++ {
		pages = slices.DeleteFunc(pages, cannot)
		if len(pages) == 0 {
			return nil
		}
		n, rows := 0, int64(0)
		if far {
			n = x.enough(pages, round)
		}
		for !far && n < len(pages) && (n < 1<<min(2*round, 30) || !x.Full && rows < int64(x.Most)) {
			rows += pages[n].rows.Len()
			n++
		}
		slices.SortFunc(pages[:n], func(a, b candidate) int {
			return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.rows[0].From, b.rows[0].From))
		})
		for _, p := range pages[:n] {
			for _, r := range p.rows {
				x.round[p.group] = x.round[p.group].Append(r.From, r.To)
			}
		}
		if err := x.rankRows(); err != nil {
			return err
		}
		clear(x.round)
		pages = pages[n:]
	}
}

// sort sorts candidates by the first place that they may have.
func (x *search) sort(all []candidate) {
	slices.SortStableFunc(all, func(a, b candidate) int { return x.Compare(&a.first, &b.first) })
}

// enough returns how many of the candidates, which are sorted, a round needs if bounds are values: a candidate has
// a row at its first place, and if its last one is before that of others, all of its rows are before theirs. Each
// further round reads more, since the bounds, or what is expected of the filter, have been wrong.
func (x *search) enough(all []candidate, round int) (n int) {
	most := float64(x.Most) / x.passing * math.Pow(4, float64(round))
	ends := make([]*candidate, 0, len(all))
	for i := range all {
		if all[i].ends {
			ends = append(ends, &all[i])
		}
	}
	slices.SortFunc(ends, func(a, b *candidate) int { return x.Compare(&a.last, &b.last) })
	places, rows := int64(0), int64(0)
	for ; n < len(all) && float64(max(places, rows)) < most; n++ {
		if all[n].known {
			places++
		}
		for n+1 < len(all) && len(ends) > 0 && x.Compare(&ends[0].last, &all[n+1].first) <= 0 {
			rows += ends[0].rows.Len()
			ends = ends[1:]
		}
	}
	return n
}

// groupCandidate returns the wanted rows of a row group as a candidate, by the bounds of its statistics.
func (x *search) groupCandidate(i int, wanted vector.Ranges) (candidate, error) {
	s := x.scans[0]
	stats, err := s.file.bounds(s.ctx, i, x.Column.Leaf)
	if err != nil || s.opts.knobs.NoStatistics {
		return candidate{group: i, rows: wanted, first: rank.Row{Class: rank.NaN}}, err
	}
	c := x.candidate(i, wanted, &stats)
	c.exact = c.exact && stats.Sure && s.filter == nil && wanted.Covers(0, s.file.footer.RowGroups[i].NumRows)
	return c, nil
}

// candidate returns rows with the places that their bounds allow.
func (x *search) candidate(group int, rows vector.Ranges, b *pageindex.Bounds) candidate {
	c := candidate{group: group, rows: rows, known: true, first: rank.Row{Class: rank.NaN}, exact: b.MinExact, ends: b.HasMin && b.HasMax}
	known, first, last := b.HasMin, b.Min, b.Max
	if x.Side == rank.Greatest {
		known, c.exact, first, last = b.HasMax, b.MaxExact, b.Max, b.Min
	}
	switch {
	case b.Why == pageindex.AllNulls:
		c.first.Class = rank.Null
	case b.Why == pageindex.AllNaNs:
	case known:
		c.first = x.Bound(first)
	default:
		c.known = false
	}
	if c.ends {
		c.last = x.Bound(last)
	}
	return c
}

// mayCount reports whether a row of c may be among the first rows of the order.
func (x *search) mayCount(c *candidate) bool {
	return !x.Full || !c.known || x.Compare(&c.first, &x.Last) < 0
}

// pageCandidates returns the pages of row groups as candidates, or whole row groups if the bounds of their pages are
// not known, or not worth a look: a near file is read by row groups for a value.
func (x *search) pageCandidates(groups []candidate) (pages []candidate, err error) {
	s, node := x.scans[0], x.Column.Leaf
	if node.MaxRep > 0 || x.values && s.queue.prefetcher == nil {
		return slices.Clone(groups), nil
	}
	chunks := make([]*Chunk, len(groups))
	var ranges []fetch.Range
	for i, g := range groups {
		if chunks[i], err = s.file.chunk(s.ctx, g.group, node.FirstLeaf); err != nil {
			return nil, err
		}
		if of := s.indexRanges(chunks[i]); of == nil {
			chunks[i] = nil
		} else {
			ranges = append(ranges, of...)
		}
	}
	if len(ranges) == 0 {
		return slices.Clone(groups), nil
	}
	parts, err := s.run.metadata(groups[0].group, ranges)
	if err != nil {
		return nil, s.file.wrap(groups[0].group, node.String(), ranges[0].Off, err)
	}
	for i, g := range groups {
		c := chunks[i]
		if c == nil {
			pages = append(pages, g)
			continue
		}
		entry := pageindex.Chunk{Column: x.Column.In(&c.ColumnChunk), Footer: &c.ColumnChunk}
		numRows := s.file.footer.RowGroups[g.group].NumRows
		index, offsets, err := s.pageIndex(c, &entry, numRows, parts)
		if err != nil {
			return nil, err
		}
		if parts = parts[2:]; index == nil {
			pages = append(pages, g)
			continue
		}
		for p := range offsets.Pages {
			if rows := g.rows.Clip(pageindex.PageRows(offsets.Pages, p, numRows)); len(rows) > 0 {
				b := entry.Column.Page(index, p)
				pages = append(pages, x.candidate(g.group, rows, &b))
			}
		}
	}
	return pages, nil
}

// indexRanges returns the ranges of a chunk's column index and offset index, nil if there are none to use.
func (s *scan) indexRanges(c *Chunk) []fetch.Range {
	ranges := []fetch.Range{
		{Off: c.ColumnIndexOffset, Len: int64(c.ColumnIndexLength)},
		{Off: c.OffsetIndexOffset, Len: int64(c.OffsetIndexLength)},
	}
	if !c.HasColumnIndex || !c.HasOffsetIndex || s.opts.knobs.NoPageIndex || c.locked != nil || s.file.checkRange(ranges[0]) != nil || s.file.checkRange(ranges[1]) != nil {
		return nil
	}
	return ranges
}

// pageIndex returns a chunk's column index and offset index, whose bytes come first in parts, nil if they are not valid.
func (s *scan) pageIndex(c *Chunk, entry *pageindex.Chunk, rows int64, parts [][]byte) (*thrift.ColumnIndex, *thrift.OffsetIndex, error) {
	columns, err := page.Open(c.cipher, page.ColumnIndex, -1, nil, parts[0])
	if err != nil {
		return nil, nil, c.wrap(c.ColumnIndexOffset, err)
	}
	locations, err := page.Open(c.cipher, page.OffsetIndex, -1, nil, parts[1])
	if err != nil {
		return nil, nil, c.wrap(c.OffsetIndexOffset, err)
	}
	offsets, err := entry.ReadOffsets(locations, rows, s.file.footerStart)
	if err != nil {
		return nil, nil, nil
	}
	index, err := entry.ReadIndex(columns, offsets, rows)
	if err != nil {
		return nil, nil, nil
	}
	return index, offsets, nil
}

// rankRows reads and ranks the rows of a round, as a scan of them.
func (x *search) rankRows() error {
	first := x.scans[0]
	q := first.queue
	q.units = q.units[:0]
	for i, ranges := range x.round {
		if len(ranges) > 0 {
			q.units = append(q.units, unit{group: i})
		}
	}
	q.nextUnit.Store(0)
	threads := max(1, min(first.file.threads(&first.opts), len(q.units)))
	more, err := first.sharedBy(first.ctx, first.opts, max(0, threads-len(x.scans)))
	if err != nil {
		return err
	}
	x.scans = append(x.scans, more...)
	for i, s := range x.scans {
		s.rows, s.opts.Rows = x.round, x.round
		if i == len(x.rankers) {
			x.rankers = append(x.rankers, &ranker{search: x, leaf: s.columns[0].leaves[0]})
		}
	}
	return together(x.scans[:threads], func(s *scan) error {
		defer s.leaveBudget() // it may have no part in the next round
		defer s.prefetch()()
		r := x.rankers[slices.Index(x.scans, s)]
		return s.eachUnit(func(at unit, wanted vector.Ranges) error {
			return s.eachState(at, wanted, func(run *unitRun, current state) error {
				rows, err := run.nextRows(current, defaultBatchRows)
				if err == nil {
					err = run.moveTo(r.leaf, rows.From, rows.To)
				}
				if err != nil {
					return err
				}
				return r.take(at.group, rows)
			})
		})
	})
}

// ranker ranks the values that a scan reads.
type ranker struct {
	*search
	leaf    *leaf
	values  vector.Vector
	levels  column.Levels
	numbers []int64
}

// take reads and ranks rows that the leaf's cursor is at.
func (r *ranker) take(group int, rows window.Rows) error {
	l, v := r.leaf, &r.values
	if r.search.values {
		v = &r.levels.Values
		r.levels.Reset(l.node.Type)
		if err := l.cursor.ReadLevels(rows.Sel, &r.levels); err != nil {
			return l.wrap(err)
		}
		defer l.scan.pool.bodies.Release(v)
		at, err := rank.Extreme(v, r.Side, &r.Column)
		if err != nil || at < 0 {
			return l.wrap(err)
		}
		v = v.Scalar(at).Vector(1)
		v.Flatten()
		r.numbers = append(r.numbers[:0], rows.From)
	} else {
		build.Reset(v, l.node.Type)
		if err := l.cursor.Read(rows.Sel, v); err != nil {
			return l.wrap(err)
		}
		defer l.scan.pool.bodies.Release(v)
		r.numbers = appendNumbers(r.numbers[:0], rows)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.Take(0, group, r.numbers, v); err != nil {
		return l.wrap(err)
	}
	if len(r.Rows) > r.Most || !r.Full && len(r.Rows) == r.Most {
		r.Cut()
		r.publish()
	}
	return nil
}

// publish gives the scans a runtime filter that drops rows after the last row that counts.
func (x *search) publish() {
	e := x.InFront()
	if x.runtime == nil || e == nil || x.published && x.Compare(&x.Last, &x.publishedRow) == 0 {
		return
	}
	x.published, x.publishedRow = true, x.Last
	if _, err := x.scans[0].bindExpr(e); err != nil {
		return // no literal can express the value: the scans drop no rows, and they are ranked
	}
	x.runtime.Publish(e)
}
