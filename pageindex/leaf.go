package pageindex

import (
	"math"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// leaf is what a Judge knows of a leaf's chunk.
type leaf struct {
	node   *schema.Node
	chunk  *Chunk
	bounds filter.Bounds
	fault  error // why the footer's entry is not to be believed

	asked              bool // whether the page index was thought of
	offsetAt, columnAt int  // among the needs; -1: not asked for
	offsets            *thrift.OffsetIndex
	pages              *pages // nil if there is no page index, or none that is right

	bloom bloomFilter
}

func newLeaf(node *schema.Node, c *Chunk, rows int64, statistics bool) *leaf {
	l := &leaf{node: node, chunk: c, bounds: unbounded(), offsetAt: -1, columnAt: -1}
	if statistics {
		l.bounds, l.fault = c.bounds(rows)
	}
	return l
}

// unbounded returns the bounds of what nothing is known of.
func unbounded() filter.Bounds {
	return filter.Bounds{Slots: filter.Unknown, Nulls: filter.Unknown, NaNs: filter.Unknown}
}

// bounds returns what the footer says of a chunk.
func (c *Chunk) bounds(rows int64) (filter.Bounds, error) {
	m := &c.Footer.Meta
	if !c.Footer.HasMeta {
		return unbounded(), nil
	}
	node := c.Column.Leaf
	if node.MaxRep == 0 && m.NumValues != rows || m.NumValues < rows {
		return unbounded(), corrupt.At(-1, "column chunk of ", m.NumValues, " values in a row group of ", rows, " rows")
	}
	var stats *thrift.Statistics
	if m.HasStatistics {
		stats = &m.Statistics
	}
	b := c.Column.Statistics(stats, m.NumValues)
	levels := m.SizeStatistics.DefinitionHistogram
	if len(levels) != node.MaxDef+1 {
		levels = nil
	}
	repetitions := m.SizeStatistics.RepetitionHistogram
	if len(repetitions) != node.MaxRep+1 {
		repetitions = nil
	}
	slots, nulls := b.Slots, b.Nulls
	levels = reconcile(node, rows, repetitions, levels, &slots, &nulls)
	return b.forFilter(slots, nulls, levels), nil
}

// Verdict returns what the footer alone says of a test and the chunk's rows, which is
// what a Judge begins with, and whether a Judge may find more.
func (c *Chunk) Verdict(t *filter.Test, rows int64) (v filter.Verdict, more bool) {
	b, fault := c.bounds(rows)
	if v = t.Verdict(&b); v != filter.Some || fault != nil {
		return v, false
	}
	return v, c.hasIndex() && c.indexHelps(t, &b) || c.Footer.Meta.HasBloomFilter
}

// leaf returns what is known of a leaf's chunk, which is asked for once; nil
// if there is none.
func (j *Judge) leaf(node *schema.Node) *leaf {
	l, known := j.leaves[node]
	if known || j.err != nil {
		return l
	}
	c, err := j.group.Chunk(node)
	switch {
	case err != nil:
		j.err = err
	case c != nil:
		l = newLeaf(node, c, j.group.Rows, !j.options.NoStatistics)
		if l.fault != nil {
			j.invalid(l, ChunkStatistics, l.fault)
		}
	}
	j.leaves[node] = l
	return l
}

// PageVerdict returns what is certain about a test and the rows of a page, by
// the statistics of its header: nil if it has none. slots is its num_values,
// nulls the num_nulls of a v2 header, else Unknown.
func (c *Column) PageVerdict(t *filter.Test, stats *thrift.Statistics, slots, nulls int64) filter.Verdict {
	b := c.PageStatistics(stats, slots)
	switch {
	case b.Nulls == Unknown && c.inPage&writer.NullCounts == 0:
		b.Nulls = plausible(nulls, slots)
	case nulls >= 0 && nulls != b.Nulls:
		b.Nulls = Unknown
	}
	nulls = b.Nulls
	reconcile(c.Leaf, 0, nil, nil, &slots, &nulls)
	f := b.forFilter(slots, nulls, nil)
	return t.Verdict(&f)
}

// forFilter returns the bounds as filter knows them, with counts that have been
// reconciled with the levels'.
func (b *Bounds) forFilter(slots, nulls int64, levels []int64) filter.Bounds {
	out := filter.Bounds{
		Min: b.Min, Max: b.Max, HasMin: b.HasMin, HasMax: b.HasMax,
		MinExact: b.MinExact, MaxExact: b.MaxExact, Sure: b.Sure,
		Slots: slots, Nulls: nulls, NaNs: b.NaNs, Levels: levels,
	}
	if b.Why == AllNaNs && slots >= 0 && nulls >= 0 {
		out.NaNs = slots - nulls
	}
	return out
}

// reconcile holds the number of slots and nulls (Unknown will do) of some rows
// against histograms of the levels, if there are any. It sets what is certain,
// and returns the definition levels if they are.
//
// Writers have counted only those nulls of lists that are items, some do to
// this day; so with a list above no count but that of the levels says that
// there is none.
func reconcile(leaf *schema.Node, rows int64, repetitions, definitions []int64, slots, nulls *int64) []int64 {
	if len(definitions) > 0 {
		sum, ok := total(definitions)
		if ok && len(repetitions) > 0 {
			again, fits := total(repetitions)
			ok = fits && again == sum && repetitions[0] == rows
		}
		below := sum - definitions[leaf.MaxDef]
		short := leaf.MaxRep > 0 && *nulls < below
		if ok && sum >= rows && (*slots < 0 || *slots == sum) && (*nulls < 0 || *nulls == below || short) {
			*slots, *nulls = sum, below
			return definitions
		}
		*nulls = Unknown // one of them is wrong
	}
	if leaf.MaxRep > 0 && *nulls == 0 {
		*nulls = Unknown
	}
	return nil
}

// total returns the sum of counts, and whether they can be such.
func total(counts []int64) (sum int64, ok bool) {
	for _, n := range counts {
		if n < 0 || n > math.MaxInt64-sum {
			return 0, false
		}
		sum += n
	}
	return sum, true
}
