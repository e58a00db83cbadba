package scanner

import (
	"errors"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/feed"
	"github.com/winnow-scan/winnow/thrift"
)

// leaf reads a leaf column, in one row group after the other.
type leaf struct {
	scan              *scan
	node              *schema.Node
	footerEntry       pageindex.Chunk // how its values compare, and chunk's entry in the footer
	filters, returned bool            // what the scan reads it for
	values            bool            // not its levels alone
	counted           leafCounters

	// Of the row group at hand:
	chunk        *Chunk
	rows         int64
	start        int64 // of the chunk's pages in the file
	open         bool
	offsets      []thrift.PageLocation // where the chunk's pages are, if that is known and right
	sought       bool                  // whether offsets were looked for
	*chunkReader                       // nil until something is read
}

// leafCounters tell what became of the chunks of a leaf.
type leafCounters struct {
	badIndexes int64
	knownFrom  int             // how many row groups were done when the scan came to know of the leaf
	opened     bool            // in the unit
	unit       column.Counters // of the unit
	total      column.Counters // of all units that were left
	skipped    PageCount       // that no cursor came to
	untouched  [Reasons]PageCount
}

// find makes the chunk of a row group l's, without reading any of it.
func (l *leaf) find(rowGroup int) (err error) {
	if l.chunk != nil && l.chunk.RowGroup == rowGroup {
		return nil
	}
	f := l.scan.file
	l.chunk, err = f.Chunk(rowGroup, l.node.FirstLeaf)
	l.rows = f.footer.RowGroups[rowGroup].NumRows
	if err == nil {
		l.footerEntry.Footer = &l.chunk.ColumnChunk
		l.footerEntry.Column = l.footerEntry.Column.In(&l.chunk.ColumnChunk)
	}
	return err
}

// at returns the first row of l's window.
func (l *leaf) at() int64 {
	if !l.open {
		return 0
	}
	return l.cursor.At()
}

// open starts at the front of a leaf's chunk.
func (r *groupRun) open(l *leaf) error {
	s := r.scan
	if l.chunkReader == nil {
		l.chunkReader = s.pool.reader(l.node)
	}
	c, o := l.chunk, &s.opts
	source, slack, err := s.columnSource(l)
	if err != nil {
		return err
	}
	l.start = source.Start
	place := fetch.Range{Off: source.Start, Len: source.Pages.Length}
	if r.seeks() || s.filter != nil && l.node.MaxRep > 0 {
		if err := r.findPages([]*leaf{l}); err != nil {
			return err
		}
	}
	source.Index = l.offsets
	pages, err := l.chunkOf(&r.unit, source)
	if err != nil && source.Index != nil {
		l.misplaced()
		source.Index = nil
		pages, err = &l.pages, l.pages.Reset(source)
	}
	if err != nil {
		return l.wrap(err)
	}
	place.Len += slack
	options := column.Options{Codes: o.Dictionaries, Bodies: &s.pool.bodies, Returned: l.returned, NoValues: !l.values, Force: o.knobs.Column}
	var views *fetch.Views
	bare := r.readsBare(l)
	if s.looksAt(c) {
		s.file.looked.Store(true)
	}
	if bare {
		options.ReadAt, options.ReadAtSize = l.feed.ReadAt, largeStored
	} else {
		views = s.viewsOf(c)
		options.Cold = views != nil
	}
	l.feed.Open(feed.Options{
		Ctx: s.ctx, Source: s.source(l), Mapped: views, Pool: &s.pool.windows,
		Chunk: place, Wanted: feed.PageRanges(source.Index, place.Off, l.rows, r.wanted),
		Ahead: s.readAhead(), Wary: s.filter != nil, HeadersOnly: bare,
	})
	l.feed.Locate(source.Index)
	if s.filter != nil && source.Index == nil && !o.knobs.NoStatistics {
		options.Judge = s.filter.HeaderJudge(l, &l.footerEntry)
	}
	if r.unit.of != nil {
		options.Own = r.unit.rows
	}
	l.cursor.Open(pages, &l.feed, options)
	l.open = true
	return nil
}

// chunkOf returns the chunk of a source for l's cursor: its own, or one that the
// units of a row group share.
func (l *leaf) chunkOf(at *unit, source column.Source) (*column.Chunk, error) {
	if at.of != nil {
		return at.of.chunk(source)
	}
	return &l.pages, l.pages.Reset(source)
}

// leave ends the reading of a chunk. What was not read of it is counted then.
func (l *leaf) leave() {
	l.counted.unit = column.Counters{}
	if l.counted.opened = l.open; l.open {
		l.cursor.Close()
		l.feed.Close()
		l.counted.unit = l.since()
		l.counted.total.Add(&l.counted.unit)
		l.open = false
	}
}

// place tells a leaf where its pages are; nil if nothing that can be relied on does.
// It may be open already, if no row was left out so far.
func (r *groupRun) place(l *leaf, pages []thrift.PageLocation) {
	l.offsets, l.sought = pages, true
	switch {
	case !l.open || pages == nil:
	case l.cursor.Locate(pages):
		l.feed.Locate(pages)
		l.feed.Wanted = feed.PageRanges(pages, l.start, l.rows, r.wanted)
	default:
		l.misplaced()
	}
}

// misplaced counts an offset index that is wrong.
func (l *leaf) misplaced() {
	l.counted.badIndexes++
	l.offsets = nil
}

// forgetPages is for when the row group is left.
func (r *groupRun) forgetPages() {
	for _, l := range r.scan.leaves {
		l.offsets, l.sought = nil, false
	}
}

// findPages reads the offset indexes of leaves together. Those that cannot be
// relied on are counted and not used.
func (r *groupRun) findPages(leaves []*leaf) error {
	s := r.scan
	var ranges []fetch.Range
	var of []*leaf
	for _, l := range leaves {
		if l.sought {
			continue
		}
		c := l.chunk
		x := fetch.Range{Off: c.OffsetIndexOffset, Len: int64(c.OffsetIndexLength)}
		switch r.place(l, nil); {
		case !c.HasOffsetIndex:
		case c.Encrypted() || s.file.checkRange(x) != nil:
			l.misplaced()
		default:
			ranges, of = append(ranges, x), append(of, l)
		}
	}
	if len(ranges) == 0 {
		return nil
	}
	parts, err := r.metadata(r.group, ranges)
	if err != nil {
		return s.file.wrap(r.group, "", -1, err)
	}
	for i, l := range of {
		pages, err := l.readPages(parts[i])
		switch {
		case err == nil:
			r.place(l, pages)
		case errors.Is(err, ErrCorrupt):
			l.misplaced()
		default:
			return l.chunk.wrap(ranges[i].Off, err)
		}
	}
	return nil
}

// readPages returns what the bytes of the chunk's offset index say.
func (l *leaf) readPages(b []byte) ([]thrift.PageLocation, error) {
	c := l.chunk
	b, err := page.Open(&c.Crypto, page.OffsetIndex, c.RowGroup, l.node.FirstLeaf, -1, b)
	if err != nil {
		return nil, err
	}
	var x thrift.OffsetIndex
	if _, err := thrift.ReadOffsetIndex(b, &x); err != nil {
		return nil, err
	}
	return x.Pages, pageindex.CheckOffsets(&x, l.rows, c.file.footerStart)
}

// stats returns the counters.
func (l *leaf) stats() ColumnStats {
	n := &l.counted
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

// wrap adds the chunk's place to an error of package column.
func (l *leaf) wrap(err error) error {
	if err == nil {
		return nil // before memory is taken for e, for every piece of a window
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
