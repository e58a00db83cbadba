package scanner

import (
	"math"
	"sort"
	"sync"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// unit is what one of several scans takes at a time: a row group, or where there
// are fewer of these than scans, rows of one, from one page to another.
//
//	widest column    |   page   |   page   |   page   |   page   |
//	other            | page | page | page | page | page | page | p
//	units            [          0         ][          1          ]
//
// Cursors of both units may meet a page of another column that lies across
// the border. The one counts it where the page starts.
type unit struct {
	group int
	rows  vector.Range // whose pages are the unit's
	of    *splitGroup  // nil: the row group is one unit
}

// splitGroup is what the units of a row group share: what metadata tell, and
// chunks with their dictionaries.
type splitGroup struct {
	plan    *GroupPlan // nil: there is no filter
	offsets map[*schema.Node][]thrift.PageLocation

	mu      sync.Mutex
	chunks  map[*schema.Node]*column.Chunk
	left    int                        // units that are not done
	counted map[*schema.Node]PageCount // of chunks, by those that are
}

// leastSplit is how many rows it is worth to make a unit of.
const leastSplit = 64 << 10

// prepare settles the units of scans that share work, before the first is taken.
func (s *scan) prepare() {
	s.share.once.Do(func() {
		if s.share.scans > 1 && s.share.ahead == nil {
			s.share.units = s.split(s.share.scans)
		}
	})
}

// units returns how many there are.
func (s *scan) units() int {
	if s.share.units != nil {
		return len(s.share.units)
	}
	return len(s.rows)
}

// unit returns one of them.
func (s *scan) unit(i int) unit {
	if s.share.units != nil {
		return s.share.units[i]
	}
	return unit{group: i}
}

// eachUnit calls do for the units that nobody else takes, with the rows of theirs that
// are wanted.
func (s *scan) eachUnit(do func(at unit, wanted vector.Ranges) error) error {
	for i := s.share.nextGroup(); i < s.units(); i = s.share.nextGroup() {
		if err := s.oneUnit(i, do); err != nil {
			return err
		}
	}
	return nil
}

// oneUnit calls do for a unit, if rows of it are wanted.
func (s *scan) oneUnit(number int, do func(at unit, wanted vector.Ranges) error) error {
	at := s.unit(number)
	group, rows := at.group, s.rows[at.group]
	if at.of != nil {
		rows = rows.Clip(at.rows.From, at.rows.To)
	}
	if err := fetch.Ended(s.ctx); err != nil {
		return s.file.wrap(group, "", -1, err)
	}
	wanted := len(rows) > 0 && s.share.most.Load() > 0
	if wanted || s.file.footer.RowGroups[group].NumRows <= 0 {
		// Chunks check it too, but a file without columns has none.
		if err := s.file.checkGroup(group); err != nil {
			return err
		}
	}
	if !wanted && at.of == nil {
		s.skipGroup(group, Unwanted)
		return nil
	}
	if !wanted {
		err := s.run.start(at, nil)
		s.run.leave()
		return err
	}
	s.share.ahead.Begin(group)
	defer s.share.ahead.End(group)
	return do(at, rows)
}

// split returns the units for a number of scans, nil if each is a row group.
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
		cuts, of := []int64{0}, (*splitGroup)(nil)
		if s.check() == nil && len(s.rows[i]) > 0 && s.file.checkGroup(i) == nil {
			cuts, of = s.cuts(i, (2*scans+groups-1)/groups)
		}
		for k, from := range cuts {
			to := int64(math.MaxInt64)
			if k+1 < len(cuts) {
				to = cuts[k+1]
			}
			units = append(units, unit{i, vector.Range{From: from, To: to}, of})
		}
		if of != nil {
			of.left = len(cuts)
		}
	}
	return units
}

// cuts returns where the units of a row group start, and what they share. That
// is nil if it cannot be more than one: if pages of a column have to be looked for.
func (s *scan) cuts(group, most int) ([]int64, *splitGroup) {
	least := int64(leastSplit)
	if n := s.opts.knobs.MinPart; n > 0 {
		least = int64(n)
	}
	whole := []int64{0}
	r := &s.run
	r.group, r.known, r.wanted = group, nil, s.rows[group]
	if most = int(min(int64(most), r.wanted.Len()/least)); most < 2 {
		return whole, nil
	}
	var widest *leaf
	for _, l := range s.leaves {
		if l.find(group) != nil || !l.chunk.HasOffsetIndex {
			return whole, nil
		}
		better := widest == nil || l.filters && !widest.filters
		if better || l.filters == widest.filters && l.chunk.Meta.CompressedSize > widest.chunk.Meta.CompressedSize {
			widest = l
		}
	}
	if widest == nil {
		return whole, nil
	}
	of := &splitGroup{offsets: map[*schema.Node][]thrift.PageLocation{}, chunks: map[*schema.Node]*column.Chunk{}, counted: map[*schema.Node]PageCount{}}
	err := r.findPages(s.leaves)
	for _, l := range s.leaves {
		if err == nil && l.offsets != nil {
			of.offsets[l.node] = l.offsets
			var source column.Source
			if source, _, err = s.columnSource(l); err == nil {
				source.Index = l.offsets
				_, err = of.chunk(source)
			}
		}
	}
	r.forgetPages()
	if err != nil || len(of.offsets) < len(s.leaves) {
		return whole, nil // what is wrong is told where it is met
	}
	rows := r.wanted
	if s.filter != nil {
		if s.opts.Plan != nil {
			of.plan = s.opts.Plan.group(group)
		} else {
			j, err := s.filter.Judge(group, r.wanted)
			if err != nil {
				return whole, nil
			}
			g := planOf(j, group, s.filter.Program())
			of.plan = &g
		}
		if of.plan != nil {
			rows = rows.And(of.plan.Rows)
		}
	}
	cuts := whole
	pages := of.offsets[widest.node]
	most = int(max(min(int64(most), rows.Len()/least), 1))
	for k := 1; k < most; k++ {
		at := rows.Behind(rows.Len() * int64(k) / int64(most))[0].From
		p := sort.Search(len(pages), func(p int) bool { return pages[p].FirstRow > at }) - 1
		if p+1 < len(pages) && pages[p+1].FirstRow-at < at-pages[p].FirstRow {
			p++
		}
		if first := pages[p].FirstRow; first > cuts[len(cuts)-1] {
			cuts = append(cuts, first)
		}
	}
	return cuts, of
}

// chunk returns the chunk of a source for the cursors of all units. Those of
// columns that runtime filters bring are made by the unit that comes first.
func (of *splitGroup) chunk(source column.Source) (*column.Chunk, error) {
	of.mu.Lock()
	defer of.mu.Unlock()
	if c := of.chunks[source.Leaf]; c != nil {
		return c, nil
	}
	c := new(column.Chunk)
	if err := c.Reset(source); err != nil {
		return nil, err
	}
	of.chunks[source.Leaf] = c
	return c, nil
}

// columnSource returns what a cursor must know of a leaf's chunk, but its index,
// and how many bytes may follow.
func (s *scan) columnSource(l *leaf) (column.Source, int64, error) {
	c, o := l.chunk, &s.opts
	r, slack, err := c.Range()
	if err != nil {
		return column.Source{}, 0, err
	}
	pages := page.Options{Codecs: s.codecs(codec.ID(c.Meta.Codec)), MaxSize: o.MaxPageBytes, IgnoreCRC: o.IgnoreCRC}
	unpacker, err := pages.Unpacker(codec.ID(c.Meta.Codec))
	if err != nil {
		return column.Source{}, 0, c.wrap(-1, err)
	}
	return column.Source{
		Leaf:          l.node,
		Pages:         page.Chunk{RowGroup: c.RowGroup, Column: l.node.FirstLeaf, Length: r.Len, Slack: slack, Values: c.Meta.NumValues, Crypto: &c.Crypto},
		Rows:          l.rows,
		Unpacker:      unpacker,
		Start:         r.Off,
		LSBFirst:      c.LSBFirst(),
		DirtyHighBits: l.footerEntry.Column.DirtyHighBits(c.Meta.HasStatistics && l.footerEntry.Column.Statistics(&c.Meta.Statistics, c.Meta.NumValues).Sure),
	}, slack, nil
}

// owns reports whether a page that starts with a row is the unit's to count.
func (u *unit) owns(first int64) bool {
	return u.of == nil || u.rows.From <= first && first < u.rows.To
}

// due returns what is a unit's to count of a chunk: pages that start in it, and the
// dictionary, if it read that; and for the last unit of a row group what none counted:
// gaps, a dictionary that nobody read, pages of units that were done when a runtime
// filter asked for the column, or that had no index of it.
func (u *unit) due(l *leaf, last bool) (own, rest PageCount) {
	all := PageCount{l.numPages(), max(l.chunk.Meta.CompressedSize, 0)}
	if u.of == nil {
		return all, PageCount{}
	}
	own.Bytes = l.counted.unit.DictionaryBytes
	for _, p := range l.offsets {
		if u.owns(p.FirstRow) {
			own.add(PageCount{1, int64(p.CompressedSize)})
		}
	}
	if l.offsets == nil {
		own = l.seen()
	}
	counted := u.of.counted[l.node]
	counted.add(own)
	u.of.counted[l.node] = counted
	if last {
		rest = PageCount{max(all.Pages-counted.Pages, 0), max(all.Bytes-counted.Bytes, 0)}
	}
	return own, rest
}
