package pageindex

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// pages is a page index that was checked.
type pages struct {
	column  *Column
	index   thrift.ColumnIndex
	offsets *thrift.OffsetIndex
	rows    int64
	levels  []int64 // sums of a block's histograms
}

// askIndexes asks for the page index of each leaf with a test that is not
// settled. One half without the other is of no use.
func (j *Judge) askIndexes() {
	j.visit(j.root, j.rows, func(s *state, t *filter.Test) {
		l := s.leaf
		if l == nil || l.asked {
			return
		}
		l.asked = true
		f := l.chunk.Footer
		if !f.HasColumnIndex || !f.HasOffsetIndex || l.fault != nil {
			return
		}
		offsetAt, err := j.ask(l, OffsetIndex, f.OffsetIndexOffset, int64(f.OffsetIndexLength))
		if err != nil {
			j.invalid(l, OffsetIndex, err)
			return
		}
		columnAt, err := j.ask(l, ColumnIndex, f.ColumnIndexOffset, int64(f.ColumnIndexLength))
		if err != nil {
			j.invalid(l, ColumnIndex, err)
		}
		l.offsetAt, l.columnAt = offsetAt, columnAt
	})
}

// readIndexes reads and checks the page indexes that were supplied.
func (j *Judge) readIndexes() {
	for at, l := range j.owners {
		if at != l.offsetAt || j.needs[at].Part != OffsetIndex {
			continue
		}
		if part, err := l.readIndex(j.supplied(l.offsetAt), j.supplied(l.columnAt), j.group.Rows, j.group.End); err != nil {
			j.invalid(l, part, err)
		}
	}
}

// byPages judges a test page by page.
func (s *state) byPages(j *Judge, t *filter.Test, open vector.Ranges) {
	if s.leaf.pages == nil {
		return
	}
	none, all := s.leaf.pages.judge(t, open)
	s.none, s.all = s.none.Or(none), s.all.Or(all)
}

// readIndex takes the page index of a leaf, or tells which part is wrong. What
// is nil was not read.
func (l *leaf) readIndex(offsets, index []byte, rows, end int64) (Part, error) {
	if offsets == nil {
		return OffsetIndex, nil
	}
	o := &thrift.OffsetIndex{}
	if _, err := thrift.ReadOffsetIndex(offsets, o); err != nil {
		return OffsetIndex, corrupt.Within(err, "offset index", 0)
	}
	if err := CheckOffsets(o, rows, end); err != nil {
		return OffsetIndex, err
	}
	l.offsets = o
	if index == nil {
		return ColumnIndex, nil
	}
	p := &pages{column: &l.chunk.Column, offsets: o, rows: rows}
	if _, err := thrift.ReadColumnIndex(index, &p.index); err != nil {
		return ColumnIndex, corrupt.Within(err, "column index", 0)
	}
	if err := p.column.CheckIndex(&p.index, o, rows); err != nil {
		return ColumnIndex, err
	}
	p.levels = make([]int64, l.node.MaxDef+1)
	l.pages = p
	return 0, nil
}

// fan is in how many blocks a block of pages is cut.
const fan = 16

// judge returns the rows of pages that are proven not to pass, and to pass.
// Pages without open rows are not looked at.
func (p *pages) judge(t *filter.Test, open vector.Ranges) (none, all vector.Ranges) {
	v := verdicts{pages: p, test: t, byLevels: t.Pred.Kind == pred.Null && t.Pred.Level > 0}
	done := 0
	for _, r := range open {
		from, to := max(PageOf(p.offsets, r.From), done), PageOf(p.offsets, r.To-1)+1
		if from < to {
			v.cut(from, to)
			done = to
		}
	}
	return v.none, v.all
}

// verdicts is the work of judging a test.
type verdicts struct {
	*pages
	test      *filter.Test
	byLevels  bool
	none, all vector.Ranges
}

// cut judges pages in blocks, and cuts those blocks of which the bounds of all
// their pages prove nothing:
//
//	x > 50, with bounds   0-9 5-19 │ 20-80 60-99 │ 90-95 91-99
//	as blocks             0-19     │ 20-99       │ 90-99
//	verdicts              none     │ cut: some,  │ all
//	                               │ all         │
//
// Where pages are clustered, sorted or not, few of them are judged. That a
// writer calls them sorted is of no matter.
func (v *verdicts) cut(from, to int) {
	step := (to - from + fan - 1) / fan
	for ; from < to; from += step {
		end := min(from+step, to)
		b := v.block(from, end)
		first, _ := PageRows(v.offsets, from, v.rows)
		_, last := PageRows(v.offsets, end-1, v.rows)
		switch v.test.Verdict(&b) {
		case filter.None:
			v.none = v.none.Append(first, last)
		case filter.All:
			v.all = v.all.Append(first, last)
		default:
			if end-from > 1 {
				v.cut(from, end)
			}
		}
	}
}

// block returns the bounds of some pages together.
func (v *verdicts) block(from, to int) filter.Bounds {
	out := filter.Bounds{Sure: true}
	if v.byLevels {
		clear(v.levels)
		out.Levels = v.levels
	}
	bounded, filled := true, false // whether all pages with values have bounds, and there are such pages
	for i := from; i < to; i++ {
		b := v.page(i, &out)
		out.Slots = addKnown(out.Slots, b.Slots)
		out.Nulls = addKnown(out.Nulls, b.Nulls)
		out.NaNs = addKnown(out.NaNs, b.NaNs)
		switch b.Why {
		case AllNulls, AllNaNs:
			continue
		case Usable:
		default:
			bounded = false
			continue
		}
		if !filled || v.column.Compare(b.Min, out.Min) < 0 {
			out.Min = b.Min
		}
		if !filled || v.column.Compare(b.Max, out.Max) > 0 {
			out.Max = b.Max
		}
		out.Sure = out.Sure && b.Sure
		filled = true
	}
	out.HasMin, out.HasMax = bounded && filled, bounded && filled
	return out
}

// page returns the bounds of a page with all that is known of its slots, and
// adds its levels to those of the block.
func (v *verdicts) page(i int, block *filter.Bounds) Bounds {
	b := v.column.Page(&v.index, i)
	leaf := v.column.Leaf
	start, end := PageRows(v.offsets, i, v.rows)
	if leaf.MaxRep == 0 {
		b.Slots = end - start
	}
	levels := reconcile(leaf, end-start,
		histogram(v.index.RepetitionHistograms, i, leaf.MaxRep+1),
		histogram(v.index.DefinitionHistograms, i, leaf.MaxDef+1), &b.Slots, &b.Nulls)
	switch {
	case levels == nil:
		block.Levels = nil
	case block.Levels != nil:
		for l, n := range levels {
			block.Levels[l] = addKnown(block.Levels[l], n)
		}
	}
	if b.Why == AllNulls {
		switch {
		case b.Slots < 0 && b.Nulls < 0:
			// How many there are is not known, that they are all is.
			b.Slots, b.Nulls = end-start, end-start
		case b.Slots < 0:
			b.Slots = b.Nulls
		case b.Nulls < 0:
			b.Nulls = b.Slots
		}
		b.NaNs = 0
		if b.Slots != b.Nulls {
			b.Why = NoBounds // the histogram tells of values
		}
	}
	if b.Why == AllNaNs && b.Slots >= 0 && b.Nulls >= 0 {
		b.NaNs = b.Slots - b.Nulls
	}
	return b
}

// histogram returns the counts of a page, which are so many; nil if there are none.
func histogram(all []int64, page, each int) []int64 {
	if len(all) == 0 {
		return nil
	}
	return all[page*each : (page+1)*each]
}

// addKnown adds counts, either of which may be Unknown.
func addKnown(a, b int64) int64 {
	if a < 0 || b < 0 || a+b < 0 {
		return Unknown
	}
	return a + b
}
