package scanner

import (
	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/pageindex"
)

// Values of PageReport.Page in place of the number of a data page.
const (
	OtherPages     = -1 // all pages of the chunk without a report of their own
	DictionaryPage = -2
)

// PageReport says what became of a page, when Options.Pages is called. Each page that
// is not Unread has a report. An Unread page has one of its own if an offset index lists it
// and its reason differs from that of the whole chunk.
type PageReport struct {
	File     string
	RowGroup int
	Leaf     *schema.Node
	Page     int   // a data page of the chunk, OtherPages or DictionaryPage
	Offset   int64 // in the file, of the header; 0 of OtherPages
	Bytes    int64 // with the header; 0 of OtherPages
	Fate     Fate
	Why      Reason // of an Unread page
}

// report calls Options.Pages, if there is one, with the place of c.
func (l *leaf) report(c *Chunk, p PageReport) {
	if l.scan.opts.Pages == nil {
		return
	}
	p.File, p.RowGroup, p.Leaf = c.file.name, c.RowGroup, l.node
	l.scan.opts.Pages(p)
}

// reportTouched reports a page of the current chunk that the cursor has left.
func (l *leaf) reportTouched(ordinal int, offset, size int64, b column.Bucket) {
	if b == column.Unread {
		return // reportUntouched knows why
	}
	if ordinal < 0 {
		l.report(l.chunk, PageReport{Page: DictionaryPage, Offset: l.start + offset, Bytes: size, Fate: Decoded})
		return
	}
	if l.counted.touched == nil {
		l.counted.touched = map[int]bool{}
	}
	l.counted.touched[ordinal] = true
	l.report(l.chunk, PageReport{Page: ordinal, Offset: l.start + offset, Bytes: size, Fate: Fate(b)})
}

// reportUntouched reports the pages of a unit that were not touched: those that the offset
// index lists one by one, others as the rest of the chunk.
func (l *leaf) reportUntouched(at *unit, last, unclaimed bool, reason func(from, to int64) (Reason, bool)) {
	if l.scan.opts.Pages == nil {
		return
	}
	whole, same := reason(0, l.rows)
	same = same && !l.counted.opened // all pages have the same reason
	switch used := l.returned || l.filters; {
	case !used || unclaimed:
		whole = Unwanted
	case !same:
		whole = Dropped
	}
	if last {
		l.report(l.chunk, PageReport{Page: OtherPages, Why: whole})
	}
	for i, p := range l.offsets {
		from, to := pageindex.PageRows(l.offsets, i, l.rows)
		if !at.owns(from) || l.counted.touched[i] {
			continue
		}
		why := whole
		if !same {
			if r, all := reason(from, to); all {
				why = r
			} else {
				why = Dropped
			}
		}
		if why != whole || !last {
			l.report(l.chunk, PageReport{Page: i, Offset: p.Offset, Bytes: int64(p.CompressedSize), Why: why})
		}
	}
	clear(l.counted.touched)
}
