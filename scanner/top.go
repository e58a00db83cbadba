package scanner

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner/internal/rank"
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

// rank finds the first o.Offset + o.Limit rows of an order.
func (f *File) rank(ctx context.Context, by Order, o Options) (_ *rank.Ranking, err error) {
	defer f.watch(ctx, &o).end(&err)
	if err := o.check(); err != nil {
		return nil, f.wrap(-1, "", -1, err)
	}
	most := math.MaxInt
	if offset := min(o.Offset, math.MaxInt32); o.limited() && o.Limit < math.MaxInt32-offset {
		most = int(offset + o.Limit)
	}
	if o.Unnest != "" {
		return nil, f.wrap(-1, "", -1, errors.New("rows with an order cannot be unnested"))
	}
	o.noColumns, o.RowNumber, o.FileName, o.Plan, o.Offset, o.Limit, o.Limited, o.Dictionaries = true, "", "", nil, 0, 0, false, nil
	x := &search{Ranking: rank.Ranking{Path: by.By, Side: rank.Least, Most: most}}
	if by.Descending {
		x.Side = rank.Greatest
	}
	if f.readAhead(&o) == 0 { // else rows are read before others could drop them
		x.runtime = new(filter.Runtime)
		o.Runtime = append(slices.Clip(o.Runtime), x.runtime)
	}
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
	if err := x.run(s, node); err != nil {
		return nil, err
	}
	return &x.Ranking, nil
}
