package pageindex

import (
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
	err := CheckOffsets(o, rows, end)
	if err == nil {
		err = l.chunk.holds(o)
	}
	if err != nil {
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

// holds tells whether the pages of an offset index that CheckOffsets found
// right are those of the chunk: it might be that of another.
func (c *Chunk) holds(o *thrift.OffsetIndex) error {
	m := &c.Footer.Meta
	if len(o.Pages) == 0 || m.CompressedSize <= 0 {
		return nil
	}
	start := m.DataPageOffset
	if d := m.DictionaryOffset; m.HasDictionaryOffset && d > 0 && (d < start || start == 0) {
		start = d
	}
	first, last := o.Pages[0].Offset, &o.Pages[len(o.Pages)-1]
	if end := last.Offset + int64(last.CompressedSize); first < start || end-start > m.CompressedSize {
		return corrupt.Within(corrupt.At(-1, "pages from offset ", first, " to ", end, " are not those of the chunk, which has ",
			m.CompressedSize, " bytes from ", start), "offset index", 0)
	}
	return nil
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

// block returns the bounds of some pages together, or only the counts of slots.
func (p *pages) block(from, to int, counts bool) filter.Bounds {
	out := filter.Bounds{Sure: p.column.sure}
	first, last := p.span(from, to)
	if out.Slots = last - first; p.slots != nil {
		out.Slots = sum(p.slots[from:to])
	}
	out.Nulls, out.NaNs = sum(p.nulls[from:to]), 0
	if p.nans != nil {
		out.NaNs = sum(p.nans[from:to])
	}
	if counts {
		if p.levels != nil {
			out.Levels = p.sumLevels(from, to)
		}
		return out
	}
	for i, why := range p.why[from:to] {
		low, high := p.index.MinValues[from+i], p.index.MaxValues[from+i]
		switch {
		case why == AllNulls || why == AllNaNs:
		case why != Usable:
			out.HasMin, out.HasMax = false, false
			return out
		case !out.HasMin:
			out.Min, out.Max, out.HasMin, out.HasMax = low, high, true, true
		default:
			if p.column.Compare(low, out.Min) < 0 {
				out.Min = low
			}
			if p.column.Compare(high, out.Max) > 0 {
				out.Max = high
			}
		}
	}
	return out
}

// span returns the rows of some pages.
func (p *pages) span(from, to int) (first, last int64) {
	first, _ = PageRows(p.offsets, from, p.rows)
	_, last = PageRows(p.offsets, to-1, p.rows)
	return first, last
}

// sumLevels returns how many slots of some pages have each level.
func (p *pages) sumLevels(from, to int) []int64 {
	each := len(p.sums)
	clear(p.sums)
	for i, n := range p.levels[from*each : to*each] {
		p.sums[i%each] = addKnown(p.sums[i%each], n)
	}
	return p.sums
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
