package pageindex

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// pages is what a page index says that was checked, page by page.
type pages struct {
	column  *Column
	index   thrift.ColumnIndex
	offsets *thrift.OffsetIndex
	rows    int64

	why    []Reason // of the bounds in index
	slots  []int64  // below lists; else a page has as many as rows
	nulls  []int64  // Unknown, as the others, if it is not known
	nans   []int64  // nil: none
	levels []int64  // how many slots have each definition level, for all pages; nil if that is not known
	sums   []int64  // of the levels of a block
}

// askIndexes asks for the page index of each leaf with a test that it may
// settle. One half without the other is of no use.
func (j *Judge) askIndexes() {
	j.visit(j.root, j.rows, func(s *state, t *filter.Test) {
		l := s.leaf
		if l == nil || l.asked || !l.indexHelps(t, !j.options.NoStatistics) {
			return
		}
		l.asked = true
		f := l.chunk.Footer
		var err error
		if l.offsetAt, err = j.ask(l, OffsetIndex, f.OffsetIndexOffset, int64(f.OffsetIndexLength)); err != nil {
			j.invalid(l, OffsetIndex, err)
			return
		}
		if l.columnAt, err = j.ask(l, ColumnIndex, f.ColumnIndexOffset, int64(f.ColumnIndexLength)); err != nil {
			j.invalid(l, ColumnIndex, err)
		}
	})
}

// twoPages is the least length of an offset index of two pages: three bytes
// around them, three numbers and four other bytes for each.
const twoPages = 3 + 2*7

// indexHelps reports whether a page index may say more about a test than the
// chunk's statistics do, if these count.
func (l *leaf) indexHelps(t *filter.Test, known bool) bool {
	f, b := l.chunk.Footer, &l.bounds
	if !f.HasColumnIndex || !f.HasOffsetIndex || l.fault != nil {
		return false
	}
	bounded := t.Bounded() && l.chunk.Column.why == Usable
	nulls := l.node.MaxDef > 0
	if known {
		nulls = nulls && b.Nulls != 0
		if b.HasMin && b.HasMax {
			bounded = bounded && l.chunk.Column.Compare(b.Min, b.Max) < 0
			if f.OffsetIndexLength < twoPages && b.Nulls >= 0 && t.Pred.Kind != pred.Null {
				return false
			}
		}
	}
	return bounded || nulls
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
	if s.leaf == nil || s.leaf.pages == nil {
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
	p.digest()
	l.pages = p
	return 0, nil
}

// digest finds out what is certain about each page.
func (p *pages) digest() {
	n, leaf := len(p.offsets.Pages), p.column.Leaf
	p.why = make([]Reason, n)
	p.nulls = room(p.index.NullCounts, n)
	if p.column.nan {
		p.nans = room(p.index.NaNCounts, n)
	}
	if leaf.MaxRep > 0 {
		p.slots = make([]int64, n)
	}
	repeats, defines := leaf.MaxRep+1, leaf.MaxDef+1
	p.levels, p.sums = p.index.DefinitionHistograms, make([]int64, defines)
	for i := range n {
		b := p.column.Page(&p.index, i)
		start, end := PageRows(p.offsets, i, p.rows)
		if b.Slots = end - start; leaf.MaxRep > 0 {
			b.Slots = Unknown
		}
		if len(p.index.DefinitionHistograms) > 0 || leaf.MaxRep > 0 {
			var repetitions, definitions []int64
			if all := p.index.RepetitionHistograms; len(all) > 0 {
				repetitions = all[i*repeats : (i+1)*repeats]
			}
			if all := p.index.DefinitionHistograms; len(all) > 0 {
				definitions = all[i*defines : (i+1)*defines]
			}
			if reconcile(leaf, end-start, repetitions, definitions, &b.Slots, &b.Nulls) == nil {
				p.levels = nil
			}
		}
		switch b.Why {
		case AllNulls:
			b.onlyNulls(end - start)
		case AllNaNs:
			if b.Slots >= 0 && b.Nulls >= 0 {
				b.NaNs = b.Slots - b.Nulls
			}
		}
		p.why[i], p.nulls[i] = b.Why, b.Nulls
		if p.slots != nil {
			p.slots[i] = b.Slots
		}
		if p.nans != nil {
			p.nans[i] = b.NaNs
		}
	}
}

// onlyNulls settles the counts of a page of nulls, of so many rows.
func (b *Bounds) onlyNulls(rows int64) {
	b.NaNs = 0
	switch {
	case b.Slots < 0 && b.Nulls < 0: // how many there are is not known, that they are all is
		b.Slots, b.Nulls = rows, rows
	case b.Slots < 0:
		b.Slots = b.Nulls
	case b.Nulls < 0:
		b.Nulls = b.Slots
	case b.Nulls != b.Slots:
		b.Why = NoBounds // the levels tell of values
	}
}

// room returns a list of n counts, in the memory of one that is no longer
// needed once it is overwritten.
func room(counts []int64, n int) []int64 {
	if len(counts) == n {
		return counts
	}
	return make([]int64, n)
}

// fan is in how many blocks a block of pages is cut.
const fan = 16

// judge returns the rows of pages that are proven not to pass, and to pass.
// Pages without open rows are not looked at.
func (p *pages) judge(t *filter.Test, open vector.Ranges) (none, all vector.Ranges) {
	v := verdicts{pages: p, test: t, byLevels: t.Pred.Kind == pred.Null}
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
	byLevels  bool // bounds do not matter
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
	out := filter.Bounds{Sure: v.column.sure}
	first, _ := PageRows(v.offsets, from, v.rows)
	_, last := PageRows(v.offsets, to-1, v.rows)
	if out.Slots = last - first; v.slots != nil {
		out.Slots = sum(v.slots[from:to])
	}
	out.Nulls, out.NaNs = sum(v.nulls[from:to]), 0
	if v.nans != nil {
		out.NaNs = sum(v.nans[from:to])
	}
	if v.byLevels {
		if v.levels != nil {
			out.Levels = v.sumLevels(from, to)
		}
		return out
	}
	for i, why := range v.why[from:to] {
		low, high := v.index.MinValues[from+i], v.index.MaxValues[from+i]
		switch {
		case why == AllNulls || why == AllNaNs:
		case why != Usable:
			out.HasMin, out.HasMax = false, false
			return out
		case !out.HasMin:
			out.Min, out.Max, out.HasMin, out.HasMax = low, high, true, true
		default:
			if v.column.Compare(low, out.Min) < 0 {
				out.Min = low
			}
			if v.column.Compare(high, out.Max) > 0 {
				out.Max = high
			}
		}
	}
	return out
}

// sumLevels returns how many slots of some pages have each level.
func (v *verdicts) sumLevels(from, to int) []int64 {
	each := len(v.sums)
	clear(v.sums)
	for i, n := range v.levels[from*each : to*each] {
		v.sums[i%each] = addKnown(v.sums[i%each], n)
	}
	return v.sums
}

// sum adds counts, Unknown if one of them is.
func sum(counts []int64) (n int64) {
	for _, c := range counts {
		n = addKnown(n, c)
	}
	return n
}

// addKnown adds counts, either of which may be Unknown.
func addKnown(a, b int64) int64 {
	if a < 0 || b < 0 || a+b < 0 {
		return Unknown
	}
	return a + b
}
