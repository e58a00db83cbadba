package column

import (
	"math"

	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/invariants"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
)

// Bodies is memory for page bodies that cursors may share.
type Bodies = values.Bodies

// Options say how a cursor hands out values.
type Options struct {
	// Codes lets Read return vectors in Dictionary form where all pages that
	// it touches are dictionary-encoded.
	Codes bool
	// Returned says that the column is read after it was filtered: values that
	// a filter has to decode are kept for the survivors.
	Returned bool
	// NoValues makes ReadLevels append levels alone: values are not decoded,
	// nor decompressed if they stand after the levels.
	NoValues bool
	// HeaderJudge decides tests by the statistics in page headers; nil to ignore these.
	HeaderJudge HeaderJudge
	// EmptyLevels returns the definition levels, as bits, that no slot of a page with these rows
	// has, by the metadata that some of the rows were chosen by. A page that has one is an error.
	// nil if no rows were chosen.
	EmptyLevels func(ordinal int, rows vector.Range) uint64
	// Own, if it is not empty, limits Counters to the pages that start in its rows.
	// Cursors of other rows count the others; if this cursor decompresses one of
	// those, it counts as Redecompressed.
	Own vector.Range
	// ReadAt, if it is not nil, fills dst with the chunk's bytes from an offset on. The
	// cursor uses it to read the values of pages that are not compressed directly into
	// vectors, if all of them are wanted: then it asks the feed only for the levels. Pages
	// whose bodies have fewer than ReadAtSize bytes are left to the feed.
	ReadAt     func(dst []byte, from int64) error
	ReadAtSize int32
	// Cold says that the feed's bytes may be in no processor cache yet, as those of a
	// mapping are.
	Cold bool
	// Bodies is memory for page bodies that cursors share; nil for a cursor's own.
	Bodies *Bodies
	// EachPage, if it is not nil, is called for each page that Counters count and that is
	// not Unread: its number, -1 for the dictionary, and its place in the chunk with its header.
	EachPage func(ordinal int, offset, size int64, f Fate)
	// HoldsDictionary, if it is not nil, is called with the memory of a dictionary that was decoded.
	HoldsDictionary func(bytes int64)
	// Force fixes choices that the cursor otherwise makes by cost.
	Force Force
}

// Cursor reads a column chunk on a window of rows that moves forward:
//
//	0 <= at <= to <= Rows
//
// The zero Cursor becomes ready by Open. It belongs to one goroutine. After an
// error it stays at that error until it is opened again.
type Cursor struct {
	chunk   *Chunk
	src     *Source // the chunk's, or indexed
	indexed Source  // the chunk's, with an index that came later
	feed    Feed
	opts    Options
	err     error

	window
	listing
	pages []*leafPage // that may meet the window, and perhaps one after it
	spare []*leafPage

	bodies    *Bodies
	ownBodies Bodies             // if the options give none
	dict      *values.Dictionary // once it was needed
	tests     []dictionaryTest

	demand   demand
	prefixes prefixes

	counters Counters // of the chunk

	scratch scratch
}

// window is the rows [at, to) of the row group.
type window struct {
	at, to       int64
	windowNumber int // counts windows: a page knows for which one it is prepared
}

// listing is how far the chunk's pages were listed.
type listing struct {
	walker   page.Walker
	nextRow  int64     // the first row that starts after the pages listed so far
	nextPage int       // the ordinal of the next page
	nextAt   int64     // where it starts, if nothing else is known
	slots    int64     // that the pages listed so far have
	dictPage page.Page // without a size until it was found
}

// demand is the rows that the current call wants, and those that later calls will want.
type demand struct {
	asked        *Selection // of the call; nil: all rows of the window
	tested       int        // how many rows the call tests; 0 if it reads them
	expected     *Selection // of rows from expectedFrom on
	expectedFrom int64
}

// scratch is memory that each call uses anew.
type scratch struct {
	segment, rowSel          []uint64 // by rows
	slotSel, starts, itemSel []uint64 // by slots
	partValid                []uint64
	valueSel, passed, before []uint64 // by values
	vec                      vector.Vector
	in                       values.Input
	decrypted                []byte // a body that is still compressed
}

// Open starts at the front of a chunk, with an empty window. It closes the chunk
// that c was on.
func (c *Cursor) Open(chunk *Chunk, feed Feed, o Options) {
	c.Close()
	c.chunk, c.src, c.feed, c.opts = chunk, &chunk.source, feed, o
	c.walker.Reset(c.src.Pages)
	c.counters = Counters{}
	c.at, c.to, c.err = 0, 0, nil
	c.nextRow, c.nextPage, c.nextAt, c.slots = 0, 0, 0, 0
	c.dictPage, c.dict = page.Page{}, nil
	c.demand.asked, c.demand.expected = nil, nil
	if c.bodies = o.Bodies; c.bodies == nil {
		c.bodies = &c.ownBodies
	}
	c.windowNumber++
}

// Close leaves the chunk, and counts its remaining pages as unread.
func (c *Cursor) Close() {
	if c.chunk == nil {
		return
	}
	for _, p := range c.pages {
		c.drop(p)
	}
	c.pages = c.pages[:0]
	c.countUnread()
	c.tests = c.tests[:0]
	// An idle cursor keeps nothing of its scan alive.
	c.chunk, c.src, c.feed, c.indexed, c.dict, c.opts, c.demand = nil, nil, nil, Source{}, nil, Options{}, demand{}
}

// Release frees the bodies that v's strings point into, see Bodies. v must be Reset before
// it is used again.
func (c *Cursor) Release(v *vector.Vector) { c.bodies.Release(v) }

// Counters returns the counters of the chunk that the cursor is on, or was on last. They are
// complete after Close.
func (c *Cursor) Counters() Counters { return c.counters }

// Locate gives the cursor the offset index of a chunk that was opened without one,
// for pages that are not listed yet. It reports whether the index fits the pages
// listed so far; if not, it is not used. Columns below a list refuse it.
func (c *Cursor) Locate(index []thrift.PageLocation) bool {
	s := *c.src
	s.Index = index
	if s.repeated() || s.checkIndex() != nil || c.nextPage > len(index) {
		return false
	}
	row, from := s.Rows, int64(math.MaxInt64)
	if c.nextPage < len(index) {
		next := &index[c.nextPage]
		row, from = next.FirstRow, next.Offset-s.Start
	}
	if row != c.nextRow || from < c.nextAt {
		return false
	}
	c.indexed = s
	c.src = &c.indexed
	return true
}

// At returns the first row of the window.
func (c *Cursor) At() int64 { return c.at }

// Window makes the rows from At up to to, which is not beyond the row group's
// end, the window.
func (c *Cursor) Window(to int64) {
	invariants.Assert(c.at <= to && to <= c.src.Rows, "column: window beyond the row group")
	c.to = to
}

// Advance makes to, at or after At, the first row of an empty window. It
// costs nothing: pages in between are skipped when something is read.
func (c *Cursor) Advance(to int64) {
	invariants.Assert(c.at <= to && to <= c.src.Rows, "column: cursor goes back, or beyond the row group")
	if to == c.at {
		return
	}
	c.at, c.to = to, to
	c.windowNumber++
	c.dropPassed()
}

// dropPassed drops the pages in front of the window.
func (c *Cursor) dropPassed() {
	keep := 0
	for keep < len(c.pages) && c.inFront(c.pages[keep]) {
		c.drop(c.pages[keep])
		keep++
	}
	if keep == 0 {
		return
	}
	done := c.pages[keep-1].end
	c.pages = append(c.pages[:0], c.pages[keep:]...)
	c.feed.Done(done)
}

// inFront reports whether no row of p is in or after the window's start.
func (c *Cursor) inFront(p *leafPage) bool {
	return p.endRow() <= c.at
}

// drop counts p, frees its body unless a vector points into it, and keeps p for reuse.
func (c *Cursor) drop(p *leafPage) {
	if c.owns(p.first) {
		c.counters.page(p.fate, p.end-p.offset)
		if c.opts.EachPage != nil {
			c.opts.EachPage(p.ordinal, p.offset, p.end-p.offset, p.fate)
		}
	} else if p.fate >= Undecoded {
		c.counters.Redecompressed++
	}
	switch p.body.memory {
	case lentOut:
		c.bodies.Leave(p.body.parts.Values)
	case ofCursor:
		c.bodies.Put(p.body.bytes)
	}
	p.body.bytes = nil
	if d, ok := p.values.decoder.(values.Owner); ok && p.values.ready {
		d.Leave()
	}
	p.header.Statistics = thrift.Statistics{}
	clear(p.judged)
	c.spare = append(c.spare, p)
}

// rowsOn returns the rows [from, to) of the window, counted from its start, that
// have slots on p.
func (c *Cursor) rowsOn(p *leafPage) (from, to int) {
	first, end := max(p.first, c.at), min(p.endRow(), c.to)
	if first >= end {
		return 0, 0
	}
	return int(first - c.at), int(end - c.at)
}

// hasSelected reports whether rows of p are selected.
func (c *Cursor) hasSelected(p *leafPage, sel *Selection) bool {
	from, to := c.rowsOn(p)
	return from < to && (sel == nil || bits.Any(sel.Bits, from, to))
}

// assert checks what holds between calls: pages follow each other in rows and
// bytes, none lies in front of the window, and nextRow is after them all.
//
//	pages    [first      end)[first      end)        nextRow
//	window         [at               to)
func (c *Cursor) assert() {
	end, row := int64(0), int64(0)
	for i, p := range c.pages {
		last := p.endRow()
		invariants.Assert(p.offset >= end && p.end > p.offset, "column: pages overlap")
		invariants.Assert(p.first >= row-1 && p.rows >= 0 && last >= p.first, "column: rows of pages overlap")
		invariants.Assert(i == 0 || p.rows == 0 || last > c.at, "column: a page in front of the window")
		end, row = p.end, last
	}
	invariants.Assert(0 <= c.at && c.at <= c.to && c.to <= c.src.Rows, "column: window")
	invariants.Assert(row <= c.nextRow, "column: a page that was not listed")
}

// fail keeps the first error.
func (c *Cursor) fail(err error) error {
	if err != nil && c.err == nil {
		c.err = err
		c.prefixes.largest = 0 // a page that fails earns the next ones no trust
	}
	return err
}
