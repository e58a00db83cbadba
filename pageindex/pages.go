package pageindex

import (
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// pages is a leaf's page index after its checks, with derived counts for each page.
type pages struct {
	column  *Column
	index   *thrift.ColumnIndex
	offsets *thrift.OffsetIndex
	rows    int64

	why         []Reason // why the bounds in index are unusable, else Usable
	slots       []int64  // for leaves in lists; nil otherwise, where a page has one slot for each row
	nulls       []int64  // Unknown, like the other counts, where not certain
	nans        []int64  // nil for types without NaN
	levelCounts []int64  // slots by definition level, page after page; nil unless certain for all pages
	levelSums   []int64  // result of sumLevels, for the last block
}

// readIndex parses and checks the page index of a leaf. It keeps the offset index
// where only the column index is missing (nil) or invalid. With an error, it
// returns the part that is invalid.
func (l *leaf) readIndex(offsets, index []byte, rows, end int64) (MetadataPart, error) {
	if offsets == nil {
		return OffsetIndex, nil
	}
	o, err := l.chunk.ReadOffsets(offsets, rows, end)
	if err != nil {
		return OffsetIndex, err
	}
	l.offsets = o
	if index == nil {
		return ColumnIndex, nil
	}
	x, err := l.chunk.ReadIndex(index, o, rows)
	if err != nil {
		return ColumnIndex, err
	}
	l.pages = &pages{column: &l.chunk.Column, index: x, offsets: o, rows: rows}
	l.pages.derive()
	return 0, nil
}

// ReadOffsets parses the chunk's offset index and checks it: see CheckOffsets.
func (c *Chunk) ReadOffsets(b []byte, rows, end int64) (*thrift.OffsetIndex, error) {
	o := &thrift.OffsetIndex{}
	if _, err := thrift.ReadOffsetIndex(b, o); err != nil {
		return nil, corrupt.Within(err, "offset index", 0)
	}
	return o, c.CheckOffsets(o, rows, end)
}

// ReadIndex parses the chunk's column index and checks it against o, an offset index
// of ReadOffsets.
func (c *Chunk) ReadIndex(b []byte, o *thrift.OffsetIndex, rows int64) (*thrift.ColumnIndex, error) {
	x := &thrift.ColumnIndex{}
	if _, err := thrift.ReadColumnIndex(b, x); err != nil {
		return nil, corrupt.Within(err, "column index", 0)
	}
	return x, c.Column.CheckIndex(x, o, rows)
}

// PagesStart returns the offset of a chunk's first page, as its entry in the footer says.
// An offset of 0 means none: for the dictionary, in files that do have one at the data
// page's offset; for the data pages, in chunks without values. A dictionary offset after
// the first data page is invalid.
func PagesStart(m *thrift.ColumnMetaData) int64 {
	if d := m.DictionaryOffset; m.HasDictionaryOffset && d > 0 && (d < m.DataPageOffset || m.DataPageOffset == 0) {
		return d
	}
	return m.DataPageOffset
}

// checkPagesWithin returns an error if the pages of an offset index lie outside the
// chunk: the footer may name the index of another. The index must have passed
// checkOffsets.
func (c *Chunk) checkPagesWithin(o *thrift.OffsetIndex) error {
	m := &c.Footer.Meta
	if len(o.Pages) == 0 || m.CompressedSize <= 0 {
		return nil
	}
	start := PagesStart(m)
	first, last := o.Pages[0].Offset, &o.Pages[len(o.Pages)-1]
	if end := last.Offset + int64(last.CompressedSize); first < start || end-start > m.CompressedSize {
		return corrupt.At(-1, "pages from offset ", first, " to ", end, " are not those of the chunk, which has ",
			m.CompressedSize, " bytes from ", start)
	}
	return nil
}

// derive fills in the counts that are certain for each page.
func (p *pages) derive() {
	n, leaf := len(p.offsets.Pages), p.column.Leaf
	p.why, p.nulls = make([]Reason, n), make([]int64, n)
	if p.column.hasNaN {
		p.nans = make([]int64, n)
	}
	if leaf.MaxRep > 0 {
		p.slots = make([]int64, n)
	}
	repetitionLevels, definitionLevels := leaf.MaxRep+1, leaf.MaxDef+1
	p.levelCounts, p.levelSums = p.index.DefinitionHistograms, make([]int64, definitionLevels)
	for i := range n {
		b := p.column.Page(p.index, i)
		start, end := PageRows(p.offsets.Pages, i, p.rows)
		if b.Slots = end - start; leaf.MaxRep > 0 {
			b.Slots = Unknown
		}
		if len(p.index.DefinitionHistograms) > 0 || leaf.MaxRep > 0 {
			var repetitions, definitions []int64
			if all := p.index.RepetitionHistograms; len(all) > 0 {
				repetitions = all[i*repetitionLevels : (i+1)*repetitionLevels]
			}
			if all := p.index.DefinitionHistograms; len(all) > 0 {
				definitions = all[i*definitionLevels : (i+1)*definitionLevels]
			}
			if reconcile(leaf, end-start, repetitions, definitions, &b.Slots, &b.Nulls) == nil {
				p.levelCounts = nil
			}
		}
		if b.countNaNs(); b.Why == AllNulls {
			b.onlyNulls(end - start)
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

// onlyNulls completes the counts of a page that has nulls only, in so many rows.
func (b *Bounds) onlyNulls(rows int64) {
	b.NaNs = 0
	switch {
	case b.Slots < 0 && b.Nulls < 0: // any equal counts say "all are null"
		b.Slots, b.Nulls = rows, rows
	case b.Slots < 0:
		b.Slots = b.Nulls
	case b.Nulls < 0:
		b.Nulls = b.Slots
	case b.Nulls != b.Slots:
		b.Why = NoBounds // by its levels, the page has values
	}
}

// block returns the common bounds of the pages [from, to), or only their counts.
func (p *pages) block(from, to int, countsOnly bool) compile.Bounds {
	out := compile.Bounds{Sure: p.column.orderNamed}
	first, last := p.span(from, to)
	if out.Slots = last - first; p.slots != nil {
		out.Slots = sum(p.slots[from:to])
	}
	out.Nulls, out.NaNs = sum(p.nulls[from:to]), 0
	if p.nans != nil {
		out.NaNs = sum(p.nans[from:to])
	}
	if countsOnly {
		if p.levelCounts != nil {
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

// span returns the rows [first, last) of the pages [from, to).
func (p *pages) span(from, to int) (first, last int64) {
	first, _ = PageRows(p.offsets.Pages, from, p.rows)
	_, last = PageRows(p.offsets.Pages, to-1, p.rows)
	return first, last
}

// sumLevels returns the slots of the pages [from, to) by definition level. The
// result is valid until the next call.
func (p *pages) sumLevels(from, to int) []int64 {
	perPage := len(p.levelSums)
	clear(p.levelSums)
	for i, n := range p.levelCounts[from*perPage : to*perPage] {
		p.levelSums[i%perPage] = addKnown(p.levelSums[i%perPage], n)
	}
	return p.levelSums
}

// sum returns the sum of counts, Unknown if one of them is.
func sum(counts []int64) (n int64) {
	for _, c := range counts {
		n = addKnown(n, c)
	}
	return n
}

// addKnown returns a+b, Unknown if one of them is or the sum overflows.
func addKnown(a, b int64) int64 {
	if a < 0 || b < 0 || a+b < 0 {
		return Unknown
	}
	return a + b
}
