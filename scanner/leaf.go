package scanner

import (
	"errors"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/feed"
	"github.com/winnow-scan/winnow/thrift"
)

// leaf reads a leaf column in one row group after the other.
type leaf struct {
	scan              *scan
	node              *schema.Node
	filters, returned bool          // whether conditions read it, and whether batches contain it
	needsValues       bool          // not only its levels
	within            bool          // paths into a VARIANT may read it, see pathColumn
	open              bool          // in the current row group
	offsetsTried      bool          // offsets holds the result of reading the offset index
	countedBefore     bool          // a scan that shares the work, and has closed, has the leaf, too
	knownFrom         int           // how many row groups were done when the scan added the leaf
	counters          *leafCounters // nil until it is read or accounted for, see counted

	// In the current row group:
	chunk        *Chunk           // its memory serves one row group after the other
	footerEntry  *pageindex.Chunk // the order of its values, and the footer's entry of chunk
	rows         int64
	start        int64                 // offset in the file of the chunk's pages
	offsets      []thrift.PageLocation // page locations; nil if there is no valid offset index
	byLevels     vector.Ranges         // rows that numbers of NULLs or levels have decided a test on
	emptyOnPage  func(page int) uint64 // the definition levels that a page does not have, by its column index; nil if it was not read
	*chunkReader                       // nil until the first read
}

// leafCounters count the pages of a leaf's chunks.
type leafCounters struct {
	badIndexes int64
	opened     bool            // the chunk was opened in the unit
	unit       column.Counters // of the unit
	total      column.Counters // of all finished units
	touched    map[int]bool    // pages that were reported in the unit
	skipped    PageCount       // pages that no cursor reached
	untouched  [Reasons]PageCount
}

// counted returns the leaf's counters. A leaf that is never read has none.
func (l *leaf) counted() *leafCounters {
	if l.counters == nil {
		l.counters = new(leafCounters)
	}
	return l.counters
}

// bindChunk makes a row group the leaf's current one. It reads the footer's entry of the
// chunk, and no page.
func (l *leaf) bindChunk(rowGroup int) error {
	if l.chunk != nil && l.chunk.RowGroup == rowGroup {
		return nil
	}
	f := l.scan.file
	if l.chunk == nil {
		l.chunk = new(Chunk)
	}
	l.rows = f.footer.RowGroups[rowGroup].NumRows
	if err := l.chunk.read(l.scan.ctx, f, rowGroup, l.node.FirstLeaf); err != nil {
		l.chunk.RowGroup = -1
		return err
	}
	entry := &l.chunk.ColumnChunk
	if l.footerEntry == nil {
		l.footerEntry = &pageindex.Chunk{Column: pageindex.ColumnOfFile(f.footer, f.writer, l.node)}
	}
	x := l.footerEntry
	if x.Footer, x.Encrypted = entry, l.chunk.Encrypted(); len(f.writer) > 0 {
		x.Column = x.Column.In(entry)
	}
	return nil
}

// moveTo makes [from, to) the window of a leaf, and opens its chunk at the first call.
func (r *unitRun) moveTo(l *leaf, from, to int64) error {
	if !l.open {
		if err := r.open(l); err != nil {
			return err
		}
	} else if !l.offsetsTried && r.needsOffsets() {
		if err := r.readOffsetIndexes([]*leaf{l}); err != nil {
			return err
		}
	}
	l.cursor.Advance(from)
	l.cursor.Window(to)
	return nil
}

// needsOffsets reports whether reading offset indexes is worth its cost: whether whole
// pages may be skipped.
func (r *unitRun) needsOffsets() bool {
	return r.skipsPages || !r.wanted.Covers(0, r.numRows())
}

// open opens a leaf's chunk and puts the cursor at its first row.
func (r *unitRun) open(l *leaf) error {
	s := r.scan
	if l.chunkReader == nil {
		l.chunkReader = s.pool.takeReader(l.node)
	}
	c, o := l.chunk, &s.opts
	source, slack, err := s.columnSource(l)
	if err != nil {
		return err
	}
	l.start = source.Start
	place := fetch.Range{Off: source.Start, Len: source.Pages.Length}
	if !l.offsetsTried && (r.needsOffsets() || s.filter != nil && l.node.MaxRep > 0) {
		if err := r.readOffsetIndexes([]*leaf{l}); err != nil {
			return err
		}
	}
	source.Index = l.offsets
	pages := &l.pages
	if of := r.unit.split; of != nil {
		pages, err = of.chunk(source)
	} else {
		err = pages.Reset(source)
	}
	if err != nil && source.Index != nil {
		l.dropOffsets()
		source.Index = nil
		pages, err = &l.pages, l.pages.Reset(source)
	}
	if err != nil {
		return l.wrap(err)
	}
	place.Len += slack
	options := column.Options{Codes: s.dictionaries.Leaf(l.node) != vector.DictionaryNever, Bodies: &s.pool.bodies, Returned: l.returned, NoValues: !l.needsValues, Force: o.knobs.Column}
	var views *fetch.Views
	wanted := feed.PageRanges(source.Index, place.Off, l.rows, r.wanted)
	directly := r.readsDirectly(l)
	if s.usesMapping(c) {
		s.file.pagesRead.Store(true)
	}
	if directly {
		options.ReadAt, options.ReadAtSize = l.feed.ReadAt, directPageBytes
	} else {
		bytes := place.Len
		for i, r := range wanted {
			if bytes += r.Len; i == 0 {
				bytes = r.Len
			}
		}
		views = s.mappedViews(c, bytes)
		options.Cold = views != nil
	}
	l.feed.Open(feed.Options{
		Ctx: s.ctx, Source: s.source(l), Mapped: views, Pool: &s.pool.windows,
		Chunk: place, Wanted: wanted,
		Ahead: s.readAhead(), Budget: s.readBudget, Most: s.opts.Resources.largest(), Wary: s.filter != nil, HeadersOnly: directly,
	})
	l.feed.Locate(source.Index)
	if s.filter != nil && source.Index == nil && !o.knobs.NoStatistics {
		options.HeaderJudge = s.filter.HeaderJudge(l, l.footerEntry)
	}
	if len(l.byLevels) > 0 {
		options.EmptyLevels = l.emptyLevels()
	}
	if r.unit.split != nil {
		options.Own = r.unit.rows
	}
	if o.Pages != nil {
		options.EachPage = l.reportTouched
	}
	if s.dictBudget != nil {
		options.HoldsDictionary = func(bytes int64) { // it may be in the memory of another
			s.dictBudget.Take(max(bytes-l.held, 0))
			l.held = max(l.held, bytes)
		}
	}
	l.cursor.Open(pages, &l.feed, options)
	l.open = true
	return nil
}

// close closes the chunk, if it is open, and keeps its counters for account.
func (l *leaf) close() {
	n := l.counters
	if n != nil {
		n.opened, n.unit = false, column.Counters{}
	}
	if l.open {
		l.cursor.Close()
		l.feed.Close()
		n = l.counted()
		n.opened, n.unit = true, l.cursor.Counters()
		n.total.Add(&n.unit)
		l.open = false
	}
}

// emptyLevels returns a function that returns which definition levels a page does not have, by
// the metadata that rows of it were chosen by.
func (l *leaf) emptyLevels() func(page int, rows vector.Range) uint64 {
	inChunk := l.footerEntry.EmptyLevels(l.rows)
	return func(page int, rows vector.Range) uint64 {
		switch {
		case !l.byLevels.Meets(rows.From, rows.To):
			return 0
		case l.emptyOnPage != nil:
			return inChunk | l.emptyOnPage(page)
		}
		return inChunk
	}
}

// setPages sets the page locations of a leaf; nil if there is no valid offset index. The
// leaf may be open already, when all rows were wanted at first: then it reports whether they fit
// the pages that were read.
func (r *unitRun) setPages(l *leaf, pages []thrift.PageLocation) (fits bool) {
	l.offsets, l.offsetsTried = pages, true
	switch {
	case !l.open || pages == nil:
	case l.cursor.Locate(pages):
		l.feed.Locate(pages)
		l.feed.Wanted = feed.PageRanges(pages, l.start, l.rows, r.wanted)
	default:
		l.dropOffsets()
		return false
	}
	return true
}

// dropOffsets counts an invalid offset index and does without it.
func (l *leaf) dropOffsets() {
	l.counted().badIndexes++
	l.offsets = nil
}

// forgetPages drops the page locations of all leaves, at the end of a row group.
func (r *unitRun) forgetPages() {
	for _, l := range r.scan.leaves {
		l.offsets, l.offsetsTried, l.byLevels, l.emptyOnPage = nil, false, nil, nil
	}
}

// returnedWithoutOffsets returns the leaves of returned columns whose offset indexes were not
// read yet: nil, without an allocation, from the second window on.
func (r *unitRun) returnedWithoutOffsets() (leaves []*leaf) {
	for _, l := range r.scan.leaves {
		if l.returned && !l.offsetsTried {
			leaves = append(leaves, l)
		}
	}
	return leaves
}

// readOffsetIndexes reads the offset indexes of leaves in one call of the source. An
// invalid index is counted and not used.
func (r *unitRun) readOffsetIndexes(leaves []*leaf) error {
	s := r.scan
	ranges, missing := make([]fetch.Range, 0, len(leaves)), make([]*leaf, 0, len(leaves))
	for _, l := range leaves {
		if l.offsetsTried {
			continue
		}
		c := l.chunk
		x := fetch.Range{Off: c.OffsetIndexOffset, Len: int64(c.OffsetIndexLength)}
		switch r.setPages(l, nil); {
		case !c.HasOffsetIndex:
		case c.locked != nil || s.file.checkRange(x) != nil:
			l.dropOffsets()
		default:
			ranges, missing = append(ranges, x), append(missing, l)
		}
	}
	if len(ranges) == 0 {
		return nil
	}
	parts, err := r.metadata(r.group, ranges)
	if err != nil {
		return s.file.wrap(r.group, "", -1, err)
	}
	for i, l := range missing {
		b, err := page.Open(l.chunk.cipher, page.OffsetIndex, -1, nil, parts[i])
		if err != nil { // nothing that was altered is without an error
			return l.chunk.wrap(ranges[i].Off, err)
		}
		x, err := l.footerEntry.ReadOffsets(b, l.rows, s.file.footerStart)
		switch {
		case err == nil:
			r.setPages(l, x.Pages)
		case errors.Is(err, ErrCorrupt):
			l.dropOffsets()
		default:
			return l.chunk.wrap(ranges[i].Off, err)
		}
	}
	return nil
}

// stats returns the counters.
func (l *leaf) stats() ColumnStats {
	n := l.counted()
	t := &n.total
	s := ColumnStats{
		Leaf: l.node, Pages: t.Pages, Bytes: t.Bytes, DictionaryPages: t.DictionaryPages, DictionaryBytes: t.DictionaryBytes,
		Decompressed: t.Inflated, Redecompressed: t.Redecompressed, Values: t.Values,
		Untouched: n.untouched, BadIndexes: n.badIndexes,
	}
	s.Pages[Unread] += n.skipped.Pages
	s.Bytes[Unread] += n.skipped.Bytes
	if l.chunkReader != nil {
		s.Fetched = l.feed.BytesRead()
	}
	return s
}

// wrap adds the chunk's position to an error of package column.
func (l *leaf) wrap(err error) error {
	if err == nil {
		return nil // before e is allocated, for every window
	}
	var e *column.Error
	if !errors.As(err, &e) {
		return l.chunk.wrap(-1, err)
	}
	offset := int64(-1)
	if e.Offset >= 0 {
		offset = l.start + e.Offset
	}
	return &Error{File: l.chunk.file.name, RowGroup: l.chunk.RowGroup, Column: l.node.String(), Page: e.Page, Offset: offset, Err: e.Err}
}
