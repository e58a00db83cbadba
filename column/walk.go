package column

import (
	"io"
	"sort"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/invariants"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
)

// listSelected lists pages until c.pages holds all slots of the selected rows. Pages in
// front of the window are skipped: unread if an index tells where they are, else by
// their header, or, if that does not tell their rows, by their repetition levels.
func (c *Cursor) listSelected(sel *Selection) error {
	if invariants.On {
		defer c.assert()
	}
	last := c.to
	if sel != nil {
		last = c.at + int64(bits.Last(sel.Bits, sel.N)) + 1
	}
	if last <= c.at {
		return nil
	}
	for c.nextRow < last {
		if err := c.listNext(); err != nil {
			return err
		}
	}
	if !c.src.repeated() || c.src.Index != nil {
		return nil
	}
	// The last row of a page may go on with the next page. The next page's first
	// level tells.
	for i := 0; i < len(c.pages); i++ {
		p := c.pages[i]
		if before := p.first - 1 - c.at; !p.frontKnown && before >= 0 && p.first <= last && (sel == nil || bits.Get(sel.Bits, int(before))) {
			if err := c.loadPage(p); err != nil {
				return err
			}
		}
		if i == len(c.pages)-1 && p.endRow() == last && (sel == nil || bits.Get(sel.Bits, int(last-c.at)-1)) {
			if err := c.listNext(); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

// listNext reads the next page's header and adds the page to c.pages, unless it ends
// before the window. At the end of the chunk it returns io.EOF if the pages have as
// many rows and values as promised.
func (c *Cursor) listNext() error {
	if c.src.Index != nil {
		return c.listIndexed()
	}
	h, err := c.header()
	if err != nil {
		if err == io.EOF {
			err = c.checkEnd(err)
		}
		return err
	}
	c.counters.Bytes[Undecompressed] += h.Offset - c.nextAt // index pages, and unknown ones
	if h.Header.Type == thrift.DictionaryPage {
		c.noteDictionary(h)
		c.nextAt = h.End()
		return nil
	}
	p := c.newPage()
	p.offset, p.end, p.ordinal = h.Offset, h.End(), h.Ordinal
	p.fate = Undecompressed
	c.takeHeader(p, h)
	p.first = c.nextRow
	n := int(p.header.NumValues)
	c.nextAt = p.end
	c.nextPage++
	c.slots += int64(n)
	err = p.checkCounts()
	if c.slots > c.src.Pages.Values && err == nil {
		err = c.tooManySlots(p, c.slots)
	}
	if err != nil {
		c.drop(p)
		return err
	}
	switch {
	case !c.src.repeated():
		p.rows, p.frontKnown = n, true
	case p.headerTellsRows():
		p.rows = int(p.header.NumRows)
	default:
		if err := c.countRows(p); err != nil {
			c.drop(p)
			return err
		}
	}
	c.nextRow = p.endRow()
	if err := c.checkRows(p); err != nil {
		c.drop(p)
		return err
	}
	if p.endRow() <= c.at && (p.frontKnown || p.first < c.at) {
		c.drop(p)
		c.feed.Done(p.end)
		return nil
	}
	c.pages = append(c.pages, p)
	return nil
}

// takeHeader keeps a page's header, with its statistics only if there is a HeaderJudge: they
// are views of the feed's memory, which stays as long as the page.
func (c *Cursor) takeHeader(p *leafPage, h *page.Page) {
	p.header, p.bodyAt = h.Header, h.BodyOffset()
	if c.opts.HeaderJudge == nil {
		p.header.Statistics = thrift.Statistics{}
	}
}

// headerTellsRows reports whether the header of a repeated column's page tells how many
// rows the page has. Several writers of v2 pages put the number of values there, so if
// both numbers are equal, the levels are counted. If they are right to be equal, the
// repetition levels are a single run, and counting them is cheap.
func (p *leafPage) headerTellsRows() bool {
	h := &p.header
	return h.Type == thrift.DataPageV2 && (h.NumRows < h.NumValues || h.NumValues == 0)
}

// checkCounts checks the counts of a header. That of NULLs is not used, and may be wrong.
func (p *leafPage) checkCounts() error {
	h := &p.header
	if h.NumRows > h.NumValues {
		return p.fault(corrupt.At(-1, "page header: ", h.NumValues, " values, ", h.NumRows, " rows"))
	}
	return nil
}

// tooManySlots is the error if the pages up to p have more slots than promised.
func (c *Cursor) tooManySlots(p *leafPage, slots int64) error {
	return p.fault(corrupt.At(-1, "up to here pages hold at least ", slots, " values, the metadata promises ", c.src.Pages.Values))
}

// checkRows checks the rows of the pages up to p against those of the row group.
func (c *Cursor) checkRows(p *leafPage) error {
	if c.nextRow > c.src.Rows {
		return p.fault(corrupt.At(-1, "up to here pages hold at least ", c.nextRow, " rows, the row group has ", c.src.Rows))
	}
	if p.end >= c.src.Pages.Length && c.src.Pages.Slack == 0 {
		return c.checkEnd(nil)
	}
	return nil
}

// checkEnd checks rows and values after the last page. If they are as promised it
// returns err.
func (c *Cursor) checkEnd(err error) error {
	switch {
	case c.nextRow != c.src.Rows:
		return chunkError("the pages hold ", c.nextRow, " rows, the row group has ", c.src.Rows)
	case c.slots != c.src.Pages.Values:
		return chunkError("the pages hold ", c.slots, " values, the metadata promises ", c.src.Pages.Values)
	}
	return err
}

// header returns the next page's header.
func (c *Cursor) header() (*page.Page, error) {
	for {
		h, need, err := c.walker.Next()
		switch {
		case h != nil || err == io.EOF:
			return h, err
		case err != nil:
			return nil, atPage(c.nextPage, c.nextAt, err)
		}
		b, err := c.feed.Read(need.From, need.To)
		if err != nil {
			return nil, atPage(c.nextPage, c.nextAt, err)
		}
		c.walker.Supply(need.From, b)
	}
}

// listIndexed is listNext with an offset index: it reads nothing, and skips all pages in
// front of the window at once.
func (c *Cursor) listIndexed() error {
	x := c.src.Index
	rowAfter := func(i int) int64 {
		if i+1 < len(x) {
			return x[i+1].FirstRow
		}
		return c.src.Rows
	}
	i := c.nextPage
	if c.nextRow < c.at {
		i += sort.Search(len(x)-i, func(k int) bool { return rowAfter(i+k) > c.at })
		for k := c.nextPage; k < i; k++ {
			if c.owns(x[k].FirstRow) {
				c.counters.page(Unread, int64(x[k].CompressedSize))
			}
		}
	}
	if i >= len(x) {
		return chunkError("the offset index ends before row ", c.at)
	}
	p := c.newPage()
	// parquet-go of xitongsys leaves headers out of the sizes, so a page is taken to
	// end where the next one starts. Nothing else stands there.
	p.offset, p.end = x[i].Offset-c.src.Start, c.src.Pages.Length
	if i+1 < len(x) {
		p.end = x[i+1].Offset - c.src.Start
	}
	p.ordinal, p.headerUnread, p.frontKnown = i, true, true
	p.first = x[i].FirstRow
	c.nextPage, c.nextRow = i+1, rowAfter(i)
	if n := c.nextRow - p.first; n != int64(int(n)) {
		return chunkError("page ", i, " of ", n, " rows")
	}
	p.rows = int(c.nextRow - p.first)
	c.pages = append(c.pages, p)
	return nil
}

// newPage returns an empty page, with the memory of an old one if there is one.
func (c *Cursor) newPage() *leafPage {
	if n := len(c.spare); n > 0 {
		p := c.spare[n-1]
		c.spare = c.spare[:n-1]
		p.reuse()
		return p
	}
	p := new(leafPage)
	p.reuse()
	return p
}

// readIndexedHeader reads the header of a page that is known by an index, checks it
// against the index, and returns the page's compressed body.
func (c *Cursor) readIndexedHeader(p *leafPage) (packed []byte, err error) {
	b, err := c.feed.Read(p.offset, p.end)
	if err != nil {
		return nil, p.fault(err)
	}
	c.walker.JumpTo(p.offset, p.ordinal)
	c.walker.Supply(p.offset, b)
	h, _, err := c.walker.Next()
	if h == nil {
		if err == nil || err == io.EOF {
			err = corrupt.At(-1, "offset index: no data page in ", len(b), " bytes")
		}
		return nil, p.fault(err)
	}
	p.fate = Undecompressed
	c.takeHeader(p, h)
	p.headerUnread = false
	rows := int(h.Header.NumValues)
	if c.src.repeated() {
		rows = p.rows
		if p.headerTellsRows() {
			rows = int(h.Header.NumRows)
		}
	}
	switch {
	case h.Offset != p.offset || h.End() > p.end:
		return nil, p.fault(corrupt.At(-1, "offset index: a page of ", p.end-p.offset, " bytes, its header says ", h.End()-h.Offset))
	case rows != p.rows:
		return nil, p.fault(corrupt.At(-1, "offset index: a page of ", p.rows, " rows, its header says ", rows))
	}
	if n := int64(p.header.NumValues); n > c.src.Pages.Values {
		return nil, c.tooManySlots(p, n)
	}
	p.end = h.End()
	return b[p.bodyAt-p.offset : p.end-p.offset], p.checkCounts()
}

// Listed returns the first row after the pages listed so far. A window that ends
// there makes the cursor load no others.
func (c *Cursor) Listed() int64 { return c.nextRow }

// ListPage lists pages up to the one in which the window starts, as reading that
// row would, without its body. If that fails, the next call returns the error.
func (c *Cursor) ListPage() {
	for c.err == nil && c.nextRow <= c.at && c.at < c.src.Rows {
		if err := c.listNext(); err != nil {
			c.fail(err)
		}
	}
}
