package scanner

import (
	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
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
func (l *leaf) reportTouched(ordinal int, offset, size int64, f column.Fate) {
	if f == column.Unread {
		return // account knows why
	}
	if ordinal < 0 {
		l.report(l.chunk, PageReport{Page: DictionaryPage, Offset: l.start + offset, Bytes: size, Fate: Decoded})
		return
	}
	if l.counted().touched == nil {
		l.counted().touched = map[int]bool{}
	}
	l.counted().touched[ordinal] = true
	l.report(l.chunk, PageReport{Page: ordinal, Offset: l.start + offset, Bytes: size, Fate: Fate(f)})
}
