package scanner

import (
	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// lost is the rows of a row group that were left out without a look at them,
// by reason: all that are not wanted, and then what was dropped first counts.
type lost [Reasons]vector.Ranges

func (l *lost) add(r Reason, rows vector.Ranges) {
	if len(rows) > 0 {
		l[r] = l[r].Or(rows)
	}
}

// of returns why rows [from, to) are left out, if all of them are.
func (l *lost) of(from, to int64) (Reason, bool) {
	left := vector.Ranges(nil).Append(from, to)
	for r, rows := range l {
		if left = left.AndNot(rows); len(left) == 0 {
			return Reason(r), true
		}
	}
	return 0, false
}

// reasonOf returns what a part of the file proves rows away by.
func reasonOf(p pageindex.Part) Reason {
	switch p {
	case pageindex.ChunkStatistics:
		return ByStatistics
	case pageindex.BloomHeader, pageindex.BloomBlock:
		return ByBloom
	}
	return ByPageIndex
}

// account tells for what reasons pages of the row group were not touched.
// Leaves are closed already.
func (s *scan) account() {
	if s.opts.Stats == nil {
		return
	}
	s.lost.add(Unwanted, s.windows.left)
	for _, l := range s.leaves {
		l.account(&s.at, &s.lost, s.provenFor(l))
	}
	if s.at.of != nil {
		s.accountRest()
	}
}

// provenFor returns the rows for which no test needs a leaf.
func (s *scan) provenFor(l *leaf) vector.Ranges {
	if l.returned || s.where == nil {
		return nil
	}
	return s.untested(l)
}

// untested returns the rows for which no test has to ask a leaf.
func (s *scan) untested(l *leaf) vector.Ranges {
	rows := vector.All(l.rows)
	s.where.root.each(func(st *step) {
		for _, of := range st.reads() {
			if of == l {
				rows = rows.And(st.proven.all)
			}
		}
	})
	return rows
}

func (l *leaf) account(at *unit, lost *lost, proven vector.Ranges) {
	unread := PageCount{l.numPages(), max(l.chunk.Meta.CompressedSize, 0)}
	if at.of != nil {
		unread = at.own(l)
		l.counted = unread.Bytes
	}
	if l.opened && at.of != nil {
		unread = PageCount{l.group.Pages[column.Unread], l.group.Bytes[column.Unread]}
		l.counted = l.group.DictionaryBytes
		for _, n := range l.group.Bytes {
			l.counted += n
		}
	} else if l.opened {
		unread = l.closed()
	} else {
		l.skipped.Pages += unread.Pages
		l.skipped.Bytes += unread.Bytes
	}
	count := func(r Reason, pages, bytes int64) {
		bytes = min(bytes, unread.Bytes)
		l.untouched[r].Pages += pages
		l.untouched[r].Bytes += bytes
		unread.Pages -= pages
		unread.Bytes -= bytes
	}
	why := func(from, to int64) (Reason, bool) {
		if r, all := lost.of(from, to); all {
			return r, true
		}
		return Proven, proven.Covers(from, to)
	}
	if r, all := why(0, l.rows); all && !l.opened {
		count(r, unread.Pages, unread.Bytes)
		return
	}
	for i, p := range l.offsets {
		end := l.rows
		if i+1 < len(l.offsets) {
			end = l.offsets[i+1].FirstRow
		}
		if !at.owns(p.FirstRow) {
			continue
		}
		if r, all := why(p.FirstRow, end); all && unread.Pages > 0 {
			count(r, 1, int64(p.CompressedSize))
		}
	}
	if l.opened && unread.Pages == 0 {
		count(BesidesIt, 0, unread.Bytes)
		return
	}
	count(Dropped, unread.Pages, unread.Bytes)
}

// closed returns what the cursor did not read of a chunk that it has left. What
// it does not know of, such as a dictionary that nothing needed, is skipped.
func (l *leaf) closed() PageCount {
	now := &l.group
	known, pages := now.DictionaryBytes, int64(0)
	for i := range now.Bytes {
		known += now.Bytes[i]
		pages += now.Pages[i]
	}
	unread := PageCount{now.Pages[column.Unread], now.Bytes[column.Unread]}
	if rest := l.chunk.Meta.CompressedSize - known; rest > 0 {
		l.skipped.Bytes += rest
		unread.Bytes += rest
	}
	if rest := l.numPages() - pages; rest > 0 { // without an offset index, those behind the last that was needed
		l.skipped.Pages += rest
		unread.Pages += rest
	}
	return unread
}

// numPages returns how many data pages the chunk has, 0 if that is not known.
func (l *leaf) numPages() int64 {
	if l.offsets != nil {
		return int64(len(l.offsets))
	}
	return dataPages(l.chunk.Meta.EncodingStats)
}

func dataPages(stats []thrift.PageEncodingStats) (n int64) {
	for _, s := range stats {
		if s.PageType == wire.PageType_DATA_PAGE || s.PageType == wire.PageType_DATA_PAGE_V2 {
			n += int64(max(s.Count, 0))
		}
	}
	return n
}

// skipGroup counts the chunks of a row group that is not looked at.
func (s *scan) skipGroup(rowGroup int, why Reason) {
	if s.opts.Stats == nil {
		return
	}
	for _, l := range s.leaves {
		c, err := s.file.Chunk(rowGroup, l.node.FirstLeaf)
		if err != nil {
			continue
		}
		n := PageCount{dataPages(c.Meta.EncodingStats), max(c.Meta.CompressedSize, 0)}
		l.skipped.Pages += n.Pages
		l.skipped.Bytes += n.Bytes
		l.untouched[why].Pages += n.Pages
		l.untouched[why].Bytes += n.Bytes
	}
}

// delivered returns the bytes of what a vector shows: its slots, offsets and
// validity, and strings that are longer than their views.
func delivered(v *vector.Vector) int64 {
	slots := int64(v.Len)
	if v.Form == vector.Constant {
		slots = 1
	}
	n := int64(0)
	if v.Validity != nil {
		n += (slots + 7) / 8
	}
	switch {
	case v.Form == vector.Dictionary:
		n += 4 * slots
	case v.Layout == vector.List || v.Layout == vector.Map:
		n += 4 * (slots + 1)
	case v.Layout == vector.Struct:
	case v.Type.Store() == vector.InViews:
		n += 16 * slots
		for i := range v.Views[:slots] {
			if view := &v.Views[i]; !view.IsInline() {
				n += int64(view.Len())
			}
		}
	case v.Type.Store() == vector.InBools:
		n += (slots + 7) / 8
	default:
		n += slots * int64(v.Type.Width())
	}
	for _, c := range v.Children {
		n += delivered(c)
	}
	return n
}
