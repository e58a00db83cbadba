package scanner

import (
	"math"
	"sync"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// unit is the part of a file that a scan claims at a time: a row group, or where there
// are fewer row groups than scans, rows of one. Units of a row group meet where a page starts.
//
//	widest column    |   page   |   page   |   page   |   page   |
//	other            | page | page | page | page | page | page | p
//	units            [          0         ][          1          ]
//
// A page of another column may lie in two units. Both read it; the unit in which it
// starts counts it.
type unit struct {
	group int
	rows  vector.Range // the unit's rows; it counts the pages that start in them
	split *splitGroup  // nil: the row group is one unit
}

// splitGroup is the common state of the units of a row group: the proofs of its
// metadata, its page locations, and chunks with their dictionaries.
type splitGroup struct {
	plan    *GroupPlan // nil: there is no filter
	offsets map[*schema.Node][]thrift.PageLocation

	mu        sync.Mutex
	chunks    map[*schema.Node]*column.Chunk
	unitsLeft int                        // units that are not finished
	counted   map[*schema.Node]PageCount // pages of each chunk that finished units have counted
}

// minUnitRows is the least number of rows of a unit that is part of a row group.
const minUnitRows = 64 << 10

// splitUnits chooses the units of scans that share work, before the first is claimed.
func (s *scan) splitUnits() {
	s.queue.once.Do(func() {
		// Who reads a dictionary of a far file for other goroutines has no worker meanwhile, and
		// would wait for one of theirs.
		waits := s.queue.prefetcher != nil || s.file.far && s.queue.workers != nil
		if s.queue.scans > 1 && !waits {
			s.queue.units = s.split(s.queue.scans)
		}
	})
}

// units returns the number of units.
func (s *scan) units() int {
	if s.queue.units != nil {
		return len(s.queue.units)
	}
	return len(s.rows)
}

// unit returns unit i.
func (s *scan) unit(i int) unit {
	if s.queue.units != nil {
		return s.queue.units[i]
	}
	return unit{group: i}
}

// eachUnit claims unit after unit and calls do with each and its wanted rows. Without an error, what was read
// is of the file as it was opened.
func (s *scan) eachUnit(do func(at unit, wanted vector.Ranges) error) error {
	for s.mayClaim() {
		if i := s.queue.claimUnit(); i >= s.units() {
			break
		} else if err := s.doUnit(i, do); err != nil {
			return err
		}
	}
	return s.verify(s.run.group, nil)
}

// doUnit calls do for a unit if rows of it are wanted; else it counts its pages as unread.
func (s *scan) doUnit(number int, do func(at unit, wanted vector.Ranges) error) error {
	at := s.unit(number)
	group, rows := at.group, s.rows[at.group]
	if at.split != nil {
		rows = rows.Clip(at.rows.From, at.rows.To)
	}
	if err := fetch.Ended(s.ctx); err != nil {
		return s.file.wrap(group, "", -1, err)
	}
	wanted := len(rows) > 0 && s.queue.limitLeft.Load() > 0
	if wanted || s.file.footer.RowGroups[group].NumRows <= 0 {
		// Chunks check it too, but a file without columns has none.
		if err := s.file.checkGroup(group); err != nil {
			return err
		}
	}
	if !wanted && at.split == nil {
		if !s.queue.answered[group] {
			s.skipGroup(group, Unwanted)
		}
		return nil
	}
	if !wanted {
		return s.inUnit(at, nil, func(*unitRun) error { return nil })
	}
	s.queue.prefetcher.Begin(group)
	defer s.queue.prefetcher.End(group)
	s.turn.Take(s.ctx)
	defer s.turn.Leave()
	err := do(at, rows)
	s.turn.Leave()
	if err != nil || s.file.far {
		err = s.verify(group, err)
	}
	return err
}

// split returns the units for a number of scans, nil if each unit is a row group.
func (s *scan) split(scans int) (units []unit) {
	groups := 0
	for i := range s.rows {
		if len(s.rows[i]) > 0 {
			groups++
		}
	}
	if groups == 0 || groups >= scans {
		return nil
	}
	for i := range s.rows {
		cuts, shared := []int64{0}, (*splitGroup)(nil)
		if s.check() == nil && len(s.rows[i]) > 0 && s.file.checkGroup(i) == nil {
			cuts, shared = s.cuts(i, (2*scans+groups-1)/groups)
		}
		for k, from := range cuts {
			to := int64(math.MaxInt64)
			if k+1 < len(cuts) {
				to = cuts[k+1]
			}
			units = append(units, unit{i, vector.Range{From: from, To: to}, shared})
		}
		if shared != nil {
			shared.unitsLeft = len(cuts)
		}
	}
	return units
}

// cuts returns the first row of each unit of a row group, and the state that the units
// share. The row group is one unit, with nil, if it has few rows or a column without a
// valid offset index.
func (s *scan) cuts(group, parts int) ([]int64, *splitGroup) {
	minRows := int64(minUnitRows)
	if n := s.opts.knobs.MinPart; n > 0 {
		minRows = int64(n)
	}
	oneCut := []int64{0}
	r := &s.run
	r.group, r.metadataCache, r.wanted = group, nil, s.rows[group]
	if parts = int(min(int64(parts), r.wanted.Len()/minRows)); parts < 2 {
		return oneCut, nil
	}
	var widest *leaf
	for _, l := range s.leaves {
		if l.bindChunk(group) != nil || !l.chunk.HasOffsetIndex {
			return oneCut, nil
		}
		better := widest == nil || l.filters && !widest.filters
		if better || l.filters == widest.filters && l.chunk.Meta.CompressedSize > widest.chunk.Meta.CompressedSize {
			widest = l
		}
	}
	if widest == nil {
		return oneCut, nil
	}
	shared := &splitGroup{offsets: map[*schema.Node][]thrift.PageLocation{}, chunks: map[*schema.Node]*column.Chunk{}, counted: map[*schema.Node]PageCount{}}
	err := r.readOffsetIndexes(s.leaves)
	for _, l := range s.leaves {
		if err == nil && l.offsets != nil {
			shared.offsets[l.node] = l.offsets
			var source column.Source
			if source, _, err = s.columnSource(l); err == nil {
				source.Index = l.offsets
				_, err = shared.chunk(source)
			}
		}
	}
	r.forgetPages()
	if err != nil || len(shared.offsets) < len(s.leaves) {
		return oneCut, nil // the scan reports the error when it reads the chunk
	}
	rows := r.wanted
	if s.filter != nil {
		if s.opts.Plan != nil {
			shared.plan = s.opts.Plan.group(group)
		} else {
			judged, err := s.filter.Judge(group, r.wanted)
			if err != nil {
				return oneCut, nil
			}
			g := planOf(judged, group, s.filter.Program().Root)
			shared.plan = &g
		}
		if shared.plan != nil {
			rows = rows.And(shared.plan.Rows)
		}
	}
	parts = int(max(min(int64(parts), rows.Len()/minRows), 1))
	return cutAtPages(rows, shared.offsets[widest.node], parts), shared
}

// cutAtPages divides rows into parts of about the same number of rows. Each part starts
// at the page border nearest to where it should; nearby parts become one.
func cutAtPages(rows vector.Ranges, pages []thrift.PageLocation, parts int) []int64 {
	cuts := []int64{0}
	for k := 1; k < parts; k++ {
		at := rows.Skip(rows.Len() * int64(k) / int64(parts))[0].From
		p := pageindex.PageOf(pages, at)
		if p+1 < len(pages) && pages[p+1].FirstRow-at < at-pages[p].FirstRow {
			p++
		}
		if first := pages[p].FirstRow; first > cuts[len(cuts)-1] {
			cuts = append(cuts, first)
		}
	}
	return cuts
}

// chunk returns the chunk of a source, which the cursors of all units share. The chunk of
// a column that only a runtime filter reads is made by the first unit that needs it.
func (g *splitGroup) chunk(source column.Source) (*column.Chunk, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c := g.chunks[source.Leaf]; c != nil {
		return c, nil
	}
	c := new(column.Chunk)
	if err := c.Reset(source); err != nil {
		return nil, err
	}
	g.chunks[source.Leaf] = c
	return c, nil
}

// owns reports whether the unit counts a page that starts with row first.
func (u *unit) owns(first int64) bool {
	return u.split == nil || u.rows.From <= first && first < u.rows.To
}

// pagesToCount returns the pages of a chunk that a unit counts: own are the pages that
// start in it, and the dictionary if it read that. The last unit of a row group also counts
// the unclaimed: gaps, a dictionary that no unit read, and pages of units that finished
// before a runtime filter named the column, or that had no offset index of it.
func (u *unit) pagesToCount(l *leaf, last bool) (own, unclaimed PageCount) {
	all := PageCount{l.numPages(), max(l.chunk.Meta.CompressedSize, 0)}
	if u.split == nil {
		return all, PageCount{}
	}
	own.Bytes = l.counted().unit.DictionaryBytes
	for _, p := range l.offsets {
		if u.owns(p.FirstRow) {
			own.add(PageCount{1, int64(p.CompressedSize)})
		}
	}
	if l.offsets == nil {
		own = l.seen()
	}
	counted := u.split.counted[l.node]
	counted.add(own)
	u.split.counted[l.node] = counted
	if last {
		unclaimed = PageCount{max(all.Pages-counted.Pages, 0), max(all.Bytes-counted.Bytes, 0)}
	}
	return own, unclaimed
}
