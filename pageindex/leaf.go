package pageindex

import (
	"math"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// leaf is a leaf's column chunk in a Judge, with the evidence read so far.
type leaf struct {
	node   *schema.Node
	chunk  *Chunk
	bounds Bounds
	fault  error // why the footer's entry is not trusted

	indexRequested         bool // whether requestIndex has run
	offsetNeed, columnNeed int  // indexes in Judge.needs; -1: not requested
	offsets                *thrift.OffsetIndex
	pages                  *pages // nil without a valid page index

	bloom bloomFilter
}

func newLeaf(node *schema.Node, c *Chunk, rows int64, statistics bool) *leaf {
	l := &leaf{node: node, chunk: c, bounds: Bounds{Bounds: unbounded}, offsetNeed: -1, columnNeed: -1}
	if statistics {
		l.fault = c.bounds(&l.bounds, rows)
	}
	return l
}

// unbounded are bounds that prove nothing.
var unbounded = compile.Bounds{Slots: Unknown, Nulls: Unknown, NaNs: Unknown}

// bounds sets b to the chunk's bounds by its footer's entry. It fails if the number
// of values contradicts the number of rows.
func (c *Chunk) bounds(b *Bounds, rows int64) error {
	m, node := &c.Footer.Meta, c.Column.Leaf
	switch {
	case !c.Footer.HasMeta:
		b.Bounds = unbounded
		return nil
	case node.MaxRep == 0 && m.NumValues != rows || m.NumValues < rows:
		b.Bounds = unbounded
		return corrupt.At(-1, "column chunk of ", m.NumValues, " values in a row group of ", rows, " rows")
	}
	var stats *thrift.Statistics
	if m.HasStatistics {
		stats = &m.Statistics
	}
	c.Column.statistics(b, stats, m.NumValues, c.Column.inChunk)
	levels := m.SizeStatistics.DefinitionHistogram
	if len(levels) != node.MaxDef+1 {
		levels = nil
	}
	repetitions := m.SizeStatistics.RepetitionHistogram
	if len(repetitions) != node.MaxRep+1 {
		repetitions = nil
	}
	b.Levels = reconcile(node, rows, repetitions, levels, &b.Slots, &b.Nulls)
	b.countNaNs()
	return nil
}

// Verdict returns the verdict of the footer alone on a test and the chunk's rows.
// undecided is set where a page index or a Bloom filter may still decide rows.
func (c *Chunk) Verdict(t *compile.Test, rows int64) (v compile.Verdict, undecided bool) {
	var b Bounds
	fault := c.bounds(&b, rows)
	if v = t.Verdict(&b.Bounds); v != compile.Some || fault != nil {
		return v, false
	}
	return v, c.hasIndex() && c.indexHelps(t, &b) || c.Footer.Meta.HasBloomFilter && t.MayHaveKeys()
}

// Count returns how many of the chunk's rows pass a test, where the footer alone tells.
func (c *Chunk) Count(t *compile.Test, rows int64) (passing int64, known bool) {
	var b Bounds
	if fault := c.bounds(&b, rows); fault != nil {
		return 0, false
	}
	return t.Count(&b.Bounds)
}

// leaf returns the leaf of a node, nil if the row group lacks its chunk. It calls
// Group.Chunk once for each node.
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
			j.noteInvalid(l, ChunkStatistics, l.fault)
		}
	}
	j.leaves[node] = l
	return l
}

// PageVerdict returns the verdict of a page header's statistics on a test and the
// page's rows. slots is the header's num_values.
func (c *Column) PageVerdict(t *compile.Test, stats *thrift.Statistics, slots int64) compile.Verdict {
	b := c.PageStatistics(stats, slots)
	reconcile(c.Leaf, 0, nil, nil, &b.Slots, &b.Nulls)
	b.countNaNs()
	return t.Verdict(&b.Bounds)
}

// reconcile compares the numbers of slots and nulls of some rows, each of which may
// be Unknown, with the histograms of their levels, which may be nil. It sets the
// counts that are certain, Unknown where they contradict each other, and returns
// the definition levels if these are certain.
//
// Some writers leave empty and NULL lists out of null_count. So below a list a
// count of zero is not trusted, and the levels may prove more nulls than it says.
func reconcile(leaf *schema.Node, rows int64, repetitions, definitions []int64, slots, nulls *int64) []int64 {
	if len(definitions) > 0 {
		sum, ok := checkedSum(definitions)
		if ok && len(repetitions) > 0 {
			repetitionSum, fits := checkedSum(repetitions)
			ok = fits && repetitionSum == sum && repetitions[0] == rows
		}
		nullSlots := sum - definitions[leaf.MaxDef]
		undercounted := leaf.MaxRep > 0 && *nulls < nullSlots
		if ok && sum >= rows && (*slots < 0 || *slots == sum) && (*nulls < 0 || *nulls == nullSlots || undercounted) {
			*slots, *nulls = sum, nullSlots
			return definitions
		}
		*nulls = Unknown // one of them is wrong
	}
	if leaf.MaxRep > 0 && *nulls == 0 {
		*nulls = Unknown
	}
	return nil
}

// checkedSum returns the sum of counts. ok is false if one of them is negative or
// the sum overflows.
func checkedSum(counts []int64) (sum int64, ok bool) {
	for _, n := range counts {
		if n < 0 || n > math.MaxInt64-sum {
			return 0, false
		}
		sum += n
	}
	return sum, true
}
