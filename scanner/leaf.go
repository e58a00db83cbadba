package scanner

import (
	"errors"
	"math"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// leaf reads a leaf column, in one row group after the other.
type leaf struct {
	node         *schema.Node
	judged       pageindex.Chunk // how its values compare, and chunk's entry in the footer
	chunk        *Chunk
	start        int64 // of the chunk's pages in the file
	rows         int64 // of the row group
	open         bool
	offsets      []thrift.PageLocation // where the chunk's pages are, if that is known and right
	sought       bool                  // whether it was asked for
	*chunkReader                       // nil until something is read

	filters, returned bool // what the scan asks it for
	values            bool // not its levels alone

	badIndexes int64
	after      int             // how many row groups were done when the scan came to know of it
	opened     bool            // in the unit
	group      column.Counters // of the unit
	total      column.Counters // of all that were left
	skipped    PageCount       // that no cursor came to
	untouched  [Reasons]PageCount
}

// find makes the chunk of a row group l's, without reading any of it.
func (l *leaf) find(f *File, rowGroup int) (err error) {
	if l.chunk != nil && l.chunk.RowGroup == rowGroup {
		return nil
	}
	l.chunk, err = f.Chunk(rowGroup, l.node.FirstLeaf)
	l.rows = f.footer.RowGroups[rowGroup].NumRows
	if err == nil {
		l.judged.Footer = &l.chunk.ColumnChunk
		l.judged.Column = l.judged.Column.In(&l.chunk.ColumnChunk)
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

// openAt starts at the front of the chunk.
func (l *leaf) openAt(s *scan) error {
	if l.chunkReader == nil {
		l.chunkReader = s.pool.reader(l.node)
	}
	c, o := l.chunk, &s.opts
	source, slack, err := s.columnSource(l)
	if err != nil {
		return err
	}
	l.start = source.Start
	r := fetch.Range{Off: source.Start, Len: source.Pages.Length}
	if s.seeks() || s.where != nil && l.node.MaxRep > 0 {
		if err := s.findPages([]*leaf{l}); err != nil {
			return err
		}
	}
	source.Index = l.offsets
	pages, err := l.chunkOf(&s.at, source)
	if err != nil && source.Index != nil {
		l.misplaced()
		source.Index = nil
		pages, err = &l.pages, l.pages.Reset(source)
	}
	if err != nil {
		return l.wrap(err)
	}
	r.Len += slack
	options := column.Options{Codes: o.Dictionaries, Bodies: &s.pool.bodies, Returned: l.returned, NoValues: !l.values, Force: o.Force.Column}
	var views *fetch.Views
	bare := s.readsBare(l)
	if s.looksAt(c) {
		s.file.looked.Store(true)
	}
	if bare {
		options.ReadAt, options.ReadAtSize = l.feed.readAt, largeStored
	} else {
		views = s.viewsOf(c)
		options.Cold = views != nil
	}
	l.feed.open(s.ctx, s.file.src, views, r, s.readAhead(), wantedBytes(source.Index, r.Off, l.rows, s.wanted), s.where != nil, &s.pool.windows)
	l.feed.pages(source.Index)
	l.feed.bare = bare
	if s.where != nil && source.Index == nil && !o.Without.Statistics {
		options.Judge = s.where.judgeHeaders(l)
	}
	l.feed.readFrom(s.source(l))
	if s.at.of != nil {
		options.Own = s.at.rows
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
	l.group = column.Counters{}
	if l.opened = l.open; l.open {
		l.cursor.Close()
		l.feed.close()
		l.group = l.since()
		l.total.Add(&l.group)
		l.open = false
	}
}

// eachWindow calls f with windows of the row group's rows, and which of them are
// wanted, nil if all, once leaf stands there.
func (s *scan) eachWindow(rowGroup int, l *leaf, f func(from, to int64, sel *vector.Selection) error) error {
	if err := s.startGroup(rowGroup); err != nil {
		return err
	}
	defer s.leaveGroup()
	for rest := true; rest && s.more(); {
		err := s.guarded(func() error {
			from, to, sel, err := s.next(defaultBatchRows)
			if rest = from < to; err != nil || !rest {
				return err
			}
			if err := s.enter(l, from, to); err != nil {
				return err
			}
			return f(from, to, sel)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// seeks reports whether rows of the row group are left out, as far as is known,
// by whole pages: where pages of others are is worth to be read then.
func (s *scan) seeks() bool {
	return s.sparse || !s.wanted.Covers(0, s.file.footer.RowGroups[s.group].NumRows)
}

// rowsOfPage returns how many rows pages have at least, on average, of the leaf
// whose pages have fewest.
func (s *scan) rowsOfPage() int64 {
	const location = 7 // bytes that a page takes in an offset index, at least
	least := int64(math.MaxInt64)
	for _, l := range s.leaves {
		if l.chunk.HasOffsetIndex {
			least = min(least, l.rows/(1+max(int64(l.chunk.OffsetIndexLength), 0)/location))
		}
	}
	return least
}

// place tells a leaf where its pages are; nil if nothing that can be relied on does.
// It may be open already, if no row was left out so far.
func (s *scan) place(l *leaf, pages []thrift.PageLocation) {
	l.offsets, l.sought = pages, true
	switch {
	case !l.open || pages == nil:
	case l.cursor.Locate(pages):
		l.feed.pages(pages)
		l.feed.wanted = wantedBytes(pages, l.start, l.rows, s.wanted)
	default:
		l.misplaced()
	}
}

// misplaced counts an offset index that is wrong.
func (l *leaf) misplaced() {
	l.badIndexes++
	l.offsets = nil
}

// forgetPages is for when the row group is left.
func (s *scan) forgetPages() {
	for _, l := range s.leaves {
		l.offsets, l.sought = nil, false
	}
}

// findPages reads the offset indexes of leaves together. Those that cannot be
// relied on are counted and not used.
func (s *scan) findPages(leaves []*leaf) error {
	var ranges []fetch.Range
	var of []*leaf
	for _, l := range leaves {
		if l.sought {
			continue
		}
		c := l.chunk
		r := fetch.Range{Off: c.OffsetIndexOffset, Len: int64(c.OffsetIndexLength)}
		switch s.place(l, nil); {
		case !c.HasOffsetIndex:
		case c.Encrypted() || s.file.checkRange(r) != nil:
			l.misplaced()
		default:
			ranges, of = append(ranges, r), append(of, l)
		}
	}
	if len(ranges) == 0 {
		return nil
	}
	parts, err := s.metadata(ranges)
	if err != nil {
		return s.file.wrap(s.group, "", -1, err)
	}
	for i, l := range of {
		pages, err := l.readPages(parts[i])
		switch {
		case err == nil:
			s.place(l, pages)
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

// wantedBytes returns where in a chunk the pages of rows lie, and what is in
// front of the first page, which may be a dictionary; nil if no index tells.
func wantedBytes(index []thrift.PageLocation, start, numRows int64, rows vector.Ranges) []fetch.Range {
	if index == nil {
		return nil
	}
	wanted := []fetch.Range{{Off: 0}}
	if len(index) > 0 {
		wanted[0].Len = index[0].Offset - start
	}
	for i, p := range index {
		end := numRows
		if i+1 < len(index) {
			end = index[i+1].FirstRow
		}
		if !rows.Meets(p.FirstRow, end) {
			continue
		}
		r := fetch.Range{Off: p.Offset - start, Len: int64(p.CompressedSize)}
		if last := &wanted[len(wanted)-1]; last.End() == r.Off && len(wanted) > 1 {
			last.Len += r.Len
		} else {
			wanted = append(wanted, r)
		}
	}
	return wanted
}

// addTo adds the counters.
func (l *leaf) addTo(s *ColumnStats) {
	n := l.total
	n.Pages[column.Unread] += l.skipped.Pages
	n.Bytes[column.Unread] += l.skipped.Bytes
	s.Counters.Add(&n)
	for i, u := range l.untouched {
		s.Untouched[i].Pages += u.Pages
		s.Untouched[i].Bytes += u.Bytes
	}
	if l.chunkReader != nil {
		s.Fetched += l.feed.read
	}
	s.BadIndexes += l.badIndexes
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
