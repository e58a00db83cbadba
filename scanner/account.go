package scanner

import (
	"slices"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/internal/rowfilter"
	"github.com/winnow-scan/winnow/thrift"
)

// skippedRows are the rows of a row group that were dropped without being read, by
// reason. A row with several reasons counts for the first of them.
type skippedRows [Reasons]vector.Ranges

func (s *skippedRows) add(r Reason, rows vector.Ranges) {
	if len(rows) > 0 {
		s[r] = s[r].Or(rows)
	}
}

// reason returns why rows [from, to) were dropped, and whether all of them were.
func (s *skippedRows) reason(from, to int64) (Reason, bool) {
	left := vector.Ranges(nil).Append(from, to)
	for r, rows := range s {
		if len(rows) == 0 && len(left) > 0 {
			continue
		}
		if left = left.AndNot(rows); len(left) == 0 {
			return Reason(r), true
		}
	}
	return 0, false
}

// account counts the pages of the unit that were not touched, by reason. The leaves must be
// closed. last reports whether all units of the row group are counted.
func (r *unitRun) account() (last bool) {
	s := r.scan
	if s.opts.Stats == nil {
		return false
	}
	r.skipped.add(Unwanted, r.windows.Remaining)
	last = true
	if of := r.unit.split; of != nil {
		of.mu.Lock()
		defer of.mu.Unlock()
		of.unitsLeft--
		last = of.unitsLeft == 0
		for node := range of.counted { // another scan may have got a runtime filter with further columns
			s.leafOf(node)
		}
	}
	untested := r.untestedRows()
	for _, l := range s.leaves {
		if l.bindChunk(r.group) == nil {
			proven := untested[l] // rows for which no test reads the leaf
			if l.returned || l.within {
				proven = nil
			}
			l.account(&r.unit, last, &r.skipped, proven)
		}
	}
	return last
}

// untestedRows returns for each leaf the rows for which no test has to read it. It is
// nil without a filter.
func (r *unitRun) untestedRows() map[*leaf]vector.Ranges {
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

// account counts and reports the untouched pages of a chunk that the unit has to count:
//
//	chunk    | pages that start in the unit | pages of the others | besides pages |
//	unit     | touched | untouched          |                     |               |
//	the last |                              | what no unit counted                |
func (l *leaf) account(at *unit, last bool, skipped *skippedRows, proven vector.Ranges) {
	own, unclaimed := at.pagesToCount(l, last)
	n := l.counted()
	unread := PageCount{n.unit.Pages[column.Unread], n.unit.Bytes[column.Unread]}
	seen := l.seen()
	untouched := PageCount{max(own.Pages+unclaimed.Pages-seen.Pages, 0), max(own.Bytes+unclaimed.Bytes-seen.Bytes, 0)}
	n.skipped.add(untouched)
	unread.add(untouched)
	count := func(r Reason, pages, bytes int64) {
		some := PageCount{min(pages, unread.Pages), min(bytes, unread.Bytes)}
		n.untouched[r].add(some)
		unread.add(PageCount{-some.Pages, -some.Bytes})
	}
	reason := func(from, to int64) (Reason, bool) {
		if r, all := skipped.reason(from, to); all {
			return r, true
		}
		return Proven, proven.Covers(from, to)
	}
	whole, same := reason(0, l.rows)
	same = same && !n.opened // all untouched pages have the same reason
	switch {
	case !l.used():
		whole, same = Unwanted, true
	case unclaimed.Pages > 0:
		count(Unwanted, unclaimed.Pages, unclaimed.Bytes)
	default:
		count(NotDataPages, 0, unclaimed.Bytes)
	}
	others := Dropped
	if unclaimed.Pages > 0 {
		others = Unwanted
	} else if same {
		others = whole
	}
	if last {
		l.report(l.chunk, PageReport{Page: OtherPages, Why: others})
	}
	for i, p := range l.offsets {
		from, to := pageindex.PageRows(l.offsets, i, l.rows)
		if !at.owns(from) {
			continue
		}
		r, all := whole, same
		if !same {
			r, all = reason(from, to)
		}
		if !all {
			r = Dropped
		} else if unread.Pages > 0 {
			count(r, 1, int64(p.CompressedSize))
		}
		if !n.touched[i] && (r != others || !last) {
			l.report(l.chunk, PageReport{Page: i, Offset: p.Offset, Bytes: int64(p.CompressedSize), Why: r})
		}
	}
	clear(n.touched)
	switch {
	case same:
		count(whole, unread.Pages, unread.Bytes)
	case n.opened && unread.Pages == 0:
		count(NotDataPages, 0, unread.Bytes)
	default:
		count(Dropped, unread.Pages, unread.Bytes)
	}
}

// seen returns the pages that the cursor has counted in the unit, none if it was not opened.
func (l *leaf) seen() PageCount {
	unit := &l.counted().unit
	n := PageCount{0, unit.DictionaryBytes}
	for i := range unit.Pages {
		n.add(PageCount{unit.Pages[i], unit.Bytes[i]})
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
		if s.PageType.IsData() {
			n += int64(max(s.Count, 0))
		}
	}
	return n
}

// used reports whether the scan reads a leaf, not only another one that shares the work.
func (l *leaf) used() bool { return l.returned || l.filters || l.within }

// skipGroup counts all pages of a row group as unread.
func (s *scan) skipGroup(rowGroup int, why Reason) {
	if s.opts.Stats == nil {
		return
	}
	for _, l := range s.leaves {
		l.skip(rowGroup, why)
	}
	s.done = append(s.done, rowGroup)
}

// skip counts all pages of a chunk as unread.
func (l *leaf) skip(rowGroup int, why Reason) {
	if l.bindChunk(rowGroup) != nil {
		return
	}
	if !l.used() {
		why = Unwanted
	}
	l.report(l.chunk, PageReport{Page: OtherPages, Why: why})
	n := PageCount{dataPages(l.chunk.Meta.EncodingStats), max(l.chunk.Meta.CompressedSize, 0)}
	l.counted().skipped.add(n)
	l.counted().untouched[why].add(n)
}

// columnStats returns the counters of the leaves, when the scan closes. If a runtime
// filter added a column after some row groups were done, its pages there count as Unwanted.
// Each column of these row groups is counted once, by the first scan that closes with it.
func (s *scan) columnStats() (all []ColumnStats) {
	queue := s.queue
	queue.mu.Lock()
	defer queue.mu.Unlock()
	for _, node := range queue.counted {
		s.leafOf(node).countedBefore = true
	}
	for _, l := range s.leaves {
		before := slices.Clip(s.done[:l.knownFrom])
		if !l.countedBefore {
			queue.counted = append(queue.counted, l.node)
			before = append(before, queue.done...)
		}
		for _, rowGroup := range before {
			l.skip(rowGroup, Unwanted)
		}
		all = append(all, l.stats())
	}
	queue.done = append(queue.done, s.done...)
	return all
}
