package scanner

import (
	"slices"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/rowfilter"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// skippedRows are the rows of a row group that were left out without being read, by
// reason: all that are not wanted, and then what was dropped first counts.
type skippedRows [Reasons]vector.Ranges

func (l *skippedRows) add(r Reason, rows vector.Ranges) {
	if len(rows) > 0 {
		l[r] = l[r].Or(rows)
	}
}

// of returns why rows [from, to) are left out, if all of them are.
func (l *skippedRows) of(from, to int64) (Reason, bool) {
	left := vector.Ranges(nil).Append(from, to)
	for r, rows := range l {
		if len(rows) == 0 && len(left) > 0 {
			continue
		}
		if left = left.AndNot(rows); len(left) == 0 {
			return Reason(r), true
		}
	}
	return 0, false
}

// account counts the pages of the unit that were not touched, by reason. Leaves are
// closed already.
func (r *groupRun) account() {
	s := r.scan
	if s.opts.Stats == nil {
		return
	}
	r.skipped.add(Unwanted, r.windows.Left)
	last := true
	if of := r.unit.of; of != nil {
		of.mu.Lock()
		defer of.mu.Unlock()
		of.left--
		last = of.left == 0
		for node := range of.counted { // other scans may know of more columns
			s.leafOf(node)
		}
	}
	untested := r.untestedRows()
	for _, l := range s.leaves {
		if l.find(r.group) == nil {
			proven := untested[l] // no test needs the leaf there
			if l.returned {
				proven = nil
			}
			l.account(&r.unit, last, &r.skipped, proven)
		}
	}
	if last {
		s.done = append(s.done, r.group)
	}
}

// untestedRows returns for each leaf the rows for which no test has to read it: none
// where there is no filter.
func (r *groupRun) untestedRows() map[*leaf]vector.Ranges {
	s := r.scan
	if s.filter == nil {
		return nil
	}
	rows := make(map[*leaf]vector.Ranges, len(s.leaves))
	all := vector.All(r.numRows())
	for _, l := range s.leaves {
		rows[l] = all
	}
	s.filter.ProvenReads(func(l rowfilter.Leaf, proven vector.Ranges) {
		if left := rows[l.(*leaf)]; len(left) > 0 {
			rows[l.(*leaf)] = left.And(proven)
		}
	})
	return rows
}

// account counts what is the unit's of a chunk and was not touched:
//
//	chunk    | pages that start in the unit | pages of the others | besides pages |
//	unit     | touched | untouched          |                     |               |
//	the last |                              | what no unit counted                |
func (l *leaf) account(at *unit, last bool, skipped *skippedRows, proven vector.Ranges) {
	own, rest := at.due(l, last)
	unread := PageCount{l.counted.unit.Pages[column.Unread], l.counted.unit.Bytes[column.Unread]}
	seen := l.seen()
	missed := PageCount{max(own.Pages+rest.Pages-seen.Pages, 0), max(own.Bytes+rest.Bytes-seen.Bytes, 0)}
	l.counted.skipped.add(missed)
	unread.add(missed)
	count := func(r Reason, pages, bytes int64) {
		n := PageCount{min(pages, unread.Pages), min(bytes, unread.Bytes)}
		l.counted.untouched[r].add(n)
		unread.add(PageCount{-n.Pages, -n.Bytes})
	}
	switch asked := l.returned || l.filters; {
	case !asked: // by this scan, but by others that share the work
		count(Unwanted, unread.Pages, unread.Bytes)
	case rest.Pages > 0:
		count(Unwanted, rest.Pages, rest.Bytes)
	default:
		count(BesidesIt, 0, rest.Bytes)
	}
	why := func(from, to int64) (Reason, bool) {
		if r, all := skipped.of(from, to); all {
			return r, true
		}
		return Proven, proven.Covers(from, to)
	}
	if r, all := why(0, l.rows); all && !l.counted.opened {
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
	if l.counted.opened && unread.Pages == 0 {
		count(BesidesIt, 0, unread.Bytes)
		return
	}
	count(Dropped, unread.Pages, unread.Bytes)
}

// seen returns what the cursor counted of the unit, if there was one.
func (l *leaf) seen() PageCount {
	n := PageCount{0, l.counted.unit.DictionaryBytes}
	for i := range l.counted.unit.Pages {
		n.add(PageCount{l.counted.unit.Pages[i], l.counted.unit.Bytes[i]})
	}
	return n
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
		l.skip(rowGroup, why)
	}
	s.done = append(s.done, rowGroup)
}

// skip counts a chunk that is not looked at.
func (l *leaf) skip(rowGroup int, why Reason) {
	c, err := l.scan.file.Chunk(rowGroup, l.node.FirstLeaf)
	if err != nil {
		return
	}
	n := PageCount{dataPages(c.Meta.EncodingStats), max(c.Meta.CompressedSize, 0)}
	l.counted.skipped.add(n)
	l.counted.untouched[why].add(n)
}

// columnStats returns the counters of leaves, for a scan that is closed behind others
// that share the work. Where a runtime filter brought a column when row groups
// were done, nothing was wanted of it there.
func (s *scan) columnStats() (all []ColumnStats) {
	share := s.share
	share.mu.Lock()
	defer share.mu.Unlock()
	for _, node := range share.counted {
		s.leafOf(node)
	}
	for _, l := range s.leaves {
		before := slices.Clip(s.done[:l.counted.knownFrom])
		if !slices.Contains(share.counted, l.node) {
			share.counted = append(share.counted, l.node)
			before = append(before, share.done...)
		}
		for _, rowGroup := range before {
			l.skip(rowGroup, Unwanted)
		}
		all = append(all, l.stats())
	}
	share.done = append(share.done, s.done...)
	return all
}
