package cli

import (
	"bytes"
	"context"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/internal/cli/advice"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

// leafValues sums up the values of a chunk, of each page and of all.
type leafValues struct {
	chunk   *scanner.Chunk
	bounds  *bounds
	offsets *thrift.OffsetIndex // nil: none that is valid
	columns *thrift.ColumnIndex
	bloom   bloom.Filter

	all    span
	pages  []span // empty if it is not known which rows are theirs
	page   int    // the one that the next row is in
	hashes []uint64
	absent []byte // a value that the Bloom filter does not have
	buffer [8]byte
}

// span is the values of some rows.
type span struct {
	page        *pageAt // nil: they are those of all pages
	first, rows int64
	slots       int64 // by headers of pages

	values, nans int64
	least, most  []byte // but for NaN; nil: there are none
}

// read decodes the column, and sums up the leaves that have a reader.
func (v *verification) read(ctx context.Context, readers []*leafValues) error {
	rows := make(vector.RowSet, v.group+1)
	rows[v.group] = vector.All(v.f.Footer().RowGroups[v.group].NumRows)
	o := scanner.Options{Select: []string{schema.FormatPath([]string{v.top.Name})}, Rows: rows, IgnoreCRC: true} // layout checks them
	v.progress.watch(&o)
	row := int64(0)
	for b, err := range v.f.Scan(ctx, o) {
		if err != nil {
			return err
		}
		leaf := 0
		eachLeaf(b.Columns[0], nil, nil, func(l *vector.Vector, lists [][]int32, structs []*vector.Vector) {
			if x := readers[leaf]; x != nil {
				x.add(l, lists, structs, row, int64(b.Len))
			}
			leaf++
		})
		row += int64(b.Len)
		b.Release()
	}
	return nil
}

// eachLeaf visits the leaves of a vector, in the order of the schema. lists are the offsets of
// the lists around a leaf, the outermost first, structs the structs within the innermost.
func eachLeaf(v *vector.Vector, lists [][]int32, structs []*vector.Vector, visit func(leaf *vector.Vector, lists [][]int32, structs []*vector.Vector)) {
	v.Flatten()
	switch v.Layout {
	case vector.Leaf:
		visit(v, lists, structs)
		return
	case vector.Struct:
		structs = append(slices.Clip(structs), v)
	default:
		lists, structs = append(slices.Clip(lists), v.Offsets), nil // a NULL list has no items
	}
	for _, child := range v.Children {
		eachLeaf(child, lists, structs, visit)
	}
}

// add sums up n rows, from row on.
func (x *leafValues) add(v *vector.Vector, lists [][]int32, structs []*vector.Vector, row, n int64) {
	slot := func(at int64) int {
		i := int(at - row)
		for _, offsets := range lists {
			i = int(offsets[i])
		}
		return i
	}
	for from, end := row, row+n; from < end; {
		of, to := &x.all, end
		if len(x.pages) > 0 {
			for x.page+1 < len(x.pages) && x.pages[x.page].first+x.pages[x.page].rows <= from {
				x.page++
			}
			of = &x.pages[x.page]
			if last := of.first + of.rows; last > from {
				to = min(end, last)
			}
		}
		for i, last := slot(from), slot(to); i < last; i++ {
			isNull := func(of *vector.Vector) bool { return of.IsNull(i) }
			if !v.IsNull(i) && !slices.ContainsFunc(structs, isNull) {
				x.value(of, advice.PlainOf(x.buffer[:0], v, i))
			}
		}
		from = to
	}
}

// value adds a value to a span.
func (x *leafValues) value(of *span, plain []byte) {
	of.values++
	if x.bloom != nil && x.absent == nil {
		hashes, known := bloom.AppendHashes(x.hashes[:0], x.chunk.Leaf.Type, plain)
		if x.hashes = hashes; known && !slices.ContainsFunc(hashes, x.bloom.Contains) {
			x.absent = bytes.Clone(plain)
		}
	}
	c := &x.bounds.column
	if c.IsNaN(plain) {
		of.nans++
		return
	}
	if !c.Ordered() {
		return
	}
	switch {
	case of.least == nil:
		of.least, of.most = append([]byte{}, plain...), append([]byte{}, plain...)
	case c.Compare(plain, of.least) < 0:
		of.least = append(of.least[:0], plain...)
	case c.Compare(plain, of.most) > 0:
		of.most = append(of.most[:0], plain...)
	}
}

// merge adds the values of a page to those of all.
func (x *leafValues) merge(p *span) {
	x.all.values += p.values
	x.all.nans += p.nans
	c := &x.bounds.column
	if p.least != nil && (x.all.least == nil || c.Compare(p.least, x.all.least) < 0) {
		x.all.least = p.least
	}
	if p.most != nil && (x.all.most == nil || c.Compare(p.most, x.all.most) > 0) {
		x.all.most = p.most
	}
}

// compare holds statistics, indexes and the Bloom filter against the values.
func (v *verification) compare(x *leafValues) {
	c, column := x.chunk, &x.bounds.column
	for i := range x.pages {
		p := &x.pages[i]
		x.merge(p)
		if p.page.HasStatistics {
			v.within(x, p, "page statistics", p.page.Offset, column.PageStatistics(&p.page.Statistics, p.slots))
		}
		if x.columns != nil && i < len(x.columns.NullPages) {
			v.within(x, p, "column index", c.ColumnIndexOffset, column.Page(x.columns, i))
		}
	}
	if s := &c.Meta.Statistics; c.Meta.HasStatistics {
		b := column.Statistics(s, x.all.slots)
		v.within(x, &x.all, "statistics", -1, b)
		if nulls := x.all.slots - x.all.values; s.HasNullCount && b.Nulls == pageindex.Unknown && s.NullCount != nulls {
			v.flaw(c, -1, -1, "statistics: ", s.NullCount, " nulls, which nobody may believe, there are ", nulls)
		}
	}
	if x.absent != nil {
		v.fault(c, -1, c.Meta.BloomFilterOffset, "Bloom filter: without the value ", x.text(x.absent))
	}
}

func (x *leafValues) text(plain []byte) string { return string(x.bounds.valuer.appendText(nil, plain)) }

// within holds bounds and counts against the values of a span.
func (v *verification) within(x *leafValues, s *span, where string, offset int64, b pageindex.Bounds) {
	c, column := x.chunk, &x.bounds.column
	number := -1
	if s.page != nil {
		number = s.page.Number
	}
	fault := func(parts ...any) {
		v.fault(c, number, offset, append([]any{where, ": "}, parts...)...)
	}
	nulls := s.slots - s.values
	switch {
	case b.Nulls >= 0 && b.Nulls != nulls:
		fault(b.Nulls, " nulls, there are ", nulls)
	case b.Why == pageindex.AllNulls && s.values > 0:
		fault("no values, there are ", s.values)
	}
	if b.NaNs >= 0 && b.NaNs != s.nans {
		fault(b.NaNs, " NaNs, there are ", s.nans)
	}
	switch b.Why {
	case pageindex.Misfit, pageindex.Inverted, pageindex.NaNBound:
		fault(b.Why.String())
	}
	if s.least == nil || column.DirtyHighBits(b.Sure) {
		return
	}
	switch {
	case !b.HasMin:
	case column.Compare(s.least, b.Min) < 0:
		fault("min ", x.text(b.Min), ", there is ", x.text(s.least))
	case b.MinExact && column.Compare(s.least, b.Min) != 0:
		fault("min ", x.text(b.Min), ", which is exact, it says; the least value is ", x.text(s.least))
	}
	switch {
	case !b.HasMax:
	case column.Compare(s.most, b.Max) > 0:
		fault("max ", x.text(b.Max), ", there is ", x.text(s.most))
	case b.MaxExact && column.Compare(s.most, b.Max) != 0:
		fault("max ", x.text(b.Max), ", which is exact, it says; the greatest value is ", x.text(s.most))
	}
}
