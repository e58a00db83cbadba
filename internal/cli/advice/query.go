package advice

import (
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/pageindex"
)

// Query is what a scan of a file has shown.
type Query struct {
	Blocks  []int64 // rows of each, in the order of the file
	Groups  []int   // of each row group, its first block; the number of blocks ends it
	Columns []Column
	Steps   []Step // of a filter, in the order in which the scan ran them

	Fetched      int64   // bytes of pages, dictionaries, indexes and Bloom filters that the scan read
	FooterGroup  float64 // bytes that a row group takes in the footer
	HasPageIndex bool    // all chunks of the columns have one
}

// Column is a leaf that the scan read.
type Column struct {
	Leaf     *schema.Node
	Returned bool // not only tested

	Bytes   []float64 // by block: of its data pages, without their headers
	Pages   int64     // data pages in the file
	Touched []int64   // by row group: bytes that the scan read
	Chunks  []Chunk

	// Bytes of a page in the offset index, and in the column index.
	OffsetEntry, ColumnEntry float64
}

// Chunk is a column's part of a row group.
type Chunk struct {
	DataBytes  int64 // data pages, with headers
	Dictionary int64 // dictionary page; 0: none
	HasBloom   bool

	Encoded Encoded // all values, if their pages were codes
}

// Encoded is the size of values as a dictionary and codes.
type Encoded struct {
	Known             bool // false: not counted, or with too large a dictionary
	Dictionary, Codes int64
}

// Step is conditions of a filter that AND joins, all on the same leaves.
type Step struct {
	Columns []int // in Query.Columns
	Root    *compile.Node
	Bounds  map[*schema.Node]*Bounds // of those of its leaves that have bounds

	Span  int64   // rows whose value is not less than the least that passes, nor greater than the greatest; 0: not counted
	Alone []int64 // by block: rows that pass the step
	Left  []int64 // by block: rows that pass it and all steps before
}

// Bounds are what statistics of each block would say of a leaf.
type Bounds struct {
	Order  pageindex.Column
	Blocks []compile.Bounds
}

// of returns the bounds of blocks [from, to).
func (b *Bounds) of(from, to int) compile.Bounds {
	all := b.Blocks[from]
	for i := from + 1; i < to; i++ {
		next := &b.Blocks[i]
		if next.HasMin && (!all.HasMin || b.Order.Compare(next.Min, all.Min) < 0) {
			all.Min, all.HasMin = next.Min, true
		}
		if next.HasMax && (!all.HasMax || b.Order.Compare(next.Max, all.Max) > 0) {
			all.Max, all.HasMax = next.Max, true
		}
		all.Slots, all.Nulls = all.Slots+next.Slots, all.Nulls+next.Nulls
	}
	return all
}

// verdict returns what statistics of blocks [from, to) would prove about a step, of which n is a part.
func (s *Step) verdict(n *compile.Node, from, to int) (v compile.Verdict) {
	switch n.Op {
	case compile.OpFalse:
		return compile.None
	case compile.OpTrue:
		return compile.All
	case compile.OpComplement:
		return s.verdict(n.Args[0], from, to).Not()
	case compile.OpAnd:
		v = compile.All
		for i := 0; i < len(n.Args) && v != compile.None; i++ {
			v = v.And(s.verdict(n.Args[i], from, to))
		}
		return v
	case compile.OpOr:
		v = compile.None
		for i := 0; i < len(n.Args) && v != compile.All; i++ {
			v = v.Or(s.verdict(n.Args[i], from, to))
		}
		return v
	case compile.OpTest:
		if b := s.Bounds[n.Test.Leaf]; b != nil {
			bounds := b.of(from, to)
			return n.Test.Verdict(&bounds)
		}
	}
	return compile.Some
}

// rows returns the number of rows of blocks [from, to).
func (q *Query) rows(from, to int) int64 { return sum(q.Blocks[from:to]) }

func sum[T int64 | float64](counts []T) (all T) {
	for _, n := range counts {
		all += n
	}
	return all
}
