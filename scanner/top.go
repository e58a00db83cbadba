package scanner

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/rank"
	"github.com/winnow-scan/winnow/scanner/internal/window"
	"github.com/winnow-scan/winnow/thrift"
)

// Order is an order of rows by a leaf column outside of lists, given its path: ascending
// or descending.
type Order struct {
	By         string
	Descending bool
}

// Top returns what ORDER BY with LIMIT o.Limit OFFSET o.Offset does: the first
// Limit rows in that order of those that pass, after the first Offset, in
// batches that are in order. Values compare as for Min; after them come rows with NaN, and
// last those with NULL, in either direction. Which of several rows with equal values
// are returned is undefined; those that are keep the file's order.
//
// To find the rows, Top reads only the column of the order and those of Filter. Row groups
// and pages with the best bounds come first; those whose bounds are no better than the
// last of the rows found so far are skipped. Then Top reads the rows. It holds all of
// them in memory at once: every row of the file if Limit is 0. A chunk may be
// read more than once, and counts in Stats each time. Plan is ignored.
func (f *File) Top(ctx context.Context, by Order, o Options) iter.Seq2[*vector.Batch, error] {
	return func(yield func(*vector.Batch, error) bool) {
		o := o
		w := f.watch(ctx, &o)
		defer w.end(nil)
		yield = w.yields(yield)
		x, err := f.rank(ctx, by, o)
		if err != nil {
			yield(nil, err)
			return
		}
		found := o
		found.Filter, found.Runtime, found.Plan, found.Offset, found.Limit, found.Limited = nil, nil, nil, 0, 0, false
		rank.Batches(x.Rows, o.Offset, o.batchRows(), o.batchBytes(), func(of []rank.FileRows) iter.Seq2[*vector.Batch, error] {
			found.Rows = of[0].Rows
			return f.Scan(ctx, found)
		}, func(b *vector.Batch, err error) bool { return yield(b, f.wrap(-1, "", -1, err)) })
	}
}

// Ranked is a row in the result of TopRows.
type Ranked struct {
	RowGroup int
	Row      int64         // within the row group
	Key      vector.Scalar // its value of the order's column
}

// TopRows returns the rows that Top would read, in order and including the first o.Offset.
// A host can merge the rows of several files by their keys, and read them with Options.Rows.
func (f *File) TopRows(ctx context.Context, by Order, o Options) ([]Ranked, error) {
	x, err := f.rank(ctx, by, o)
	if err != nil {
		return nil, err
	}
	rows := make([]Ranked, len(x.Rows))
	for i := range rows {
		r := &x.Rows[i]
		rows[i] = Ranked{r.Group, r.Row, x.Value(r)}
	}
	return rows, nil
}

// topSearch finds the first rows of an order.
//
//	bounds of pages    [2 5] [3 9] [7 8] [8 9]      ascending, two rows
//	first read          ^                           finds 2 and 4: pages from 4 on are skipped
//	second read              ^                      rows below 4 only
type topSearch struct {
	search
	rank.Ranking
	runtime      filter.Runtime
	published    bool // publishedRow is set
	publishedRow rank.Row
	values       vector.Vector
}

// candidate is rows of a row group, and the best place that one of them may have. If
// it is unknown, the rows are read after those with known values.
type candidate struct {
	rows  vector.Ranges
	known bool
	first rank.Row
}

// rank finds the first o.Offset + o.Limit rows of an order.
func (f *File) rank(ctx context.Context, by Order, o Options) (_ *rank.Ranking, err error) {
	defer f.watch(ctx, &o).end(&err)
	if err := o.check(); err != nil {
		return nil, f.wrap(-1, "", -1, err)
	}
	x := &topSearch{}
	x.Most = math.MaxInt
	if offset := min(o.Offset, math.MaxInt32); o.limited() && o.Limit < math.MaxInt32-offset {
		x.Most = int(offset + o.Limit)
	}
	if o.Unnest != "" {
		return nil, f.wrap(-1, "", -1, errors.New("rows with an order cannot be unnested"))
	}
	o.noColumns, o.RowNumber, o.FileName, o.Plan, o.Offset, o.Limit, o.Limited, o.Dictionaries = true, "", "", nil, 0, 0, false, nil
	o.Runtime = append(slices.Clip(o.Runtime), &x.runtime)
	s, err := f.newScan(ctx, o)
	if err != nil {
		return nil, err
	}
	nodes, err := f.nodesAlong(by.By, &o)
	if err != nil {
		return nil, err
	}
	node := nodes[len(nodes)-1]
	if node.Kind != schema.Leaf || node.MaxRep > 0 {
		return nil, f.wrap(-1, node.String(), -1, errors.New("rows are ordered by a column with one value a row: no list, map or struct, and nothing in a list"))
	}
	x.Side = rank.Least
	if by.Descending {
		x.Side = rank.Greatest
	}
	if x.search, err = s.newSearch(node, x.Side); err != nil {
		return nil, err
	}
	x.Column, x.Path = x.column, by.By
	if x.Most <= 0 {
		return &x.Ranking, nil
	}
	if err := f.unchanged(-1, x.run()); err != nil {
		return nil, err
	}
	x.Cut()
	return &x.Ranking, nil
}

// run searches the row groups, those with the best bounds first.
func (x *topSearch) run() error {
	s := x.scan
	defer s.close()
	type group struct {
		number int
		candidate
	}
	var groups []group
	err := s.eachUnit(func(at unit, wanted vector.Ranges) error {
		i := at.group
		b, err := x.bound(i)
		why := pageindex.Usable
		if b.none {
			why = pageindex.AllNaNs // or NULLs
		}
		groups = append(groups, group{i, x.candidate(wanted, why, b.known, b.plain)})
		return err
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(groups, func(a, b group) int { return x.Compare(&a.first, &b.first) })
	for _, g := range groups {
		if !x.mayCount(&g.candidate) {
			s.skipGroup(g.number, ByStatistics)
			continue
		}
		if err := x.searchGroup(g.number, g.candidate); err != nil {
			return err
		}
	}
	return nil
}

// searchGroup reads the pages of a row group, those with the best bounds first: as many as
// may be enough, then four times as many each time, since every read starts at the
// first row of the row group.
func (x *topSearch) searchGroup(i int, whole candidate) error {
	candidates, err := x.pageCandidates(i, whole)
	if err != nil {
		return err
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return x.Compare(&a.first, &b.first) })
	candidates = slices.DeleteFunc(candidates, func(p candidate) bool { return !x.mayCount(&p) })
	for least := 1; len(candidates) > 0; least *= 4 {
		var ranges []vector.Range
		n, rows := 0, int64(0)
		for n < len(candidates) && (n < least || !x.Full && rows < int64(x.Most)) {
			ranges = append(ranges, candidates[n].rows...)
			rows += candidates[n].rows.Len()
			n++
		}
		slices.SortFunc(ranges, func(a, b vector.Range) int { return cmp.Compare(a.From, b.From) })
		var wanted vector.Ranges
		for _, r := range ranges {
			wanted = wanted.Append(r.From, r.To)
		}
		if err := x.rankRows(i, wanted); err != nil {
			return err
		}
		candidates = slices.DeleteFunc(candidates[n:], func(p candidate) bool { return !x.mayCount(&p) })
	}
	return nil
}

// pageCandidates returns the pages of a row group as candidates, or whole if their bounds are not known.
func (x *topSearch) pageCandidates(i int, whole candidate) ([]candidate, error) {
	s := x.scan
	c, err := s.file.chunk(s.ctx, i, x.leaf.node.FirstLeaf)
	if err != nil {
		return nil, err
	}
	numRows := s.file.footer.RowGroups[i].NumRows
	entry := pageindex.Chunk{Column: x.column.In(&c.ColumnChunk), Footer: &c.ColumnChunk}
	index, offsets, err := s.pageIndex(c, &entry, numRows)
	if err != nil {
		return nil, err
	}
	if index == nil {
		return []candidate{whole}, nil
	}
	var candidates []candidate
	for p := range offsets.Pages {
		from, to := pageindex.PageRows(offsets.Pages, p, numRows)
		rows := s.rows[i].Clip(from, to)
		if len(rows) == 0 {
			continue
		}
		b := entry.Column.Page(index, p)
		known, _, plain := x.bestOf(&b)
		candidates = append(candidates, x.candidate(rows, b.Why, known, plain))
	}
	return candidates, nil
}

// pageIndex returns a chunk's column index and offset index, nil if there is no valid one.
func (s *scan) pageIndex(c *Chunk, entry *pageindex.Chunk, rows int64) (*thrift.ColumnIndex, *thrift.OffsetIndex, error) {
	if !c.HasColumnIndex || !c.HasOffsetIndex || s.opts.knobs.NoPageIndex || c.locked != nil {
		return nil, nil, nil
	}
	ranges := []fetch.Range{
		{Off: c.ColumnIndexOffset, Len: int64(c.ColumnIndexLength)},
		{Off: c.OffsetIndexOffset, Len: int64(c.OffsetIndexLength)},
	}
	for _, r := range ranges {
		if s.file.checkRange(r) != nil {
			return nil, nil, nil
		}
	}
	parts, err := s.run.metadata(c.RowGroup, ranges)
	if err != nil {
		return nil, nil, c.wrap(ranges[0].Off, err)
	}
	for i, module := range []page.Module{page.ColumnIndex, page.OffsetIndex} {
		if parts[i], err = page.Open(c.cipher, module, -1, nil, parts[i]); err != nil {
			return nil, nil, c.wrap(ranges[i].Off, err)
		}
	}
	offsets, err := entry.ReadOffsets(parts[1], rows, s.file.footerStart)
	if err != nil {
		return nil, nil, nil
	}
	index, err := entry.ReadIndex(parts[0], offsets, rows)
	if err != nil {
		return nil, nil, nil
	}
	return index, offsets, nil
}

// candidate returns rows with the best place that their bound allows.
func (x *topSearch) candidate(rows vector.Ranges, why pageindex.Reason, known bool, bound []byte) candidate {
	p := candidate{rows: rows, known: true, first: rank.Row{Class: rank.NaN}}
	switch {
	case why == pageindex.AllNulls:
		p.first.Class = rank.Null
	case why == pageindex.AllNaNs:
	case known:
		p.first = x.Bound(bound)
	default:
		p.known = false
	}
	return p
}

// mayCount reports whether a row of p may be among the first rows of the order.
func (x *topSearch) mayCount(p *candidate) bool {
	return !x.Full || !p.known || x.Compare(&p.first, &x.Last) < 0
}

// rankRows reads and ranks wanted rows of a row group.
func (x *topSearch) rankRows(i int, wanted vector.Ranges) error {
	s := x.scan
	var numbers []int64
	return s.eachRows(i, wanted, x.leaf, func(rows window.Rows) error {
		build.Reset(&x.values, x.leaf.node.Type)
		if err := x.leaf.cursor.Read(rows.Sel, &x.values); err != nil {
			return x.leaf.wrap(err)
		}
		numbers = appendNumbers(numbers[:0], rows)
		if err := x.Take(0, i, numbers, &x.values); err != nil {
			return x.leaf.wrap(err)
		}
		s.pool.bodies.Release(&x.values)
		if len(x.Rows) > x.Most || !x.Full && len(x.Rows) == x.Most {
			x.Cut()
			x.publish()
		}
		return nil
	})
}

// publish gives the scan a runtime filter that drops rows after the last row that counts.
func (x *topSearch) publish() {
	e := x.InFront()
	if e == nil || x.published && x.Compare(&x.Last, &x.publishedRow) == 0 {
		return
	}
	x.published, x.publishedRow = true, x.Last
	if _, err := x.scan.bindExpr(e); err != nil {
		return // no literal can express the value: the scan drops no rows, and they are ranked
	}
	x.runtime.Publish(e)
}
