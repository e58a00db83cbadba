package scanner

import (
	"context"
	"errors"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/internal/estimate"
	"github.com/winnow-scan/winnow/scanner/internal/rowfilter"
)

// ZoneMap holds what metadata prove about the values of a leaf column in a row group. What the
// file lacks, and what its writer is known to get wrong, is unknown.
type ZoneMap struct {
	Min, Max           vector.Scalar // all values but NaN lie between them; NULL: unknown
	MinExact, MaxExact bool          // the bound is one of the values
	Slots              int64         // values and NULLs, one for each empty list too; -1: unknown, as below
	Nulls, NaNs        int64
}

// ZoneMap returns what the footer proves about a leaf column in a row group.
func (f *File) ZoneMap(rowGroup int, column string) (ZoneMap, error) {
	leaf, err := f.leafAt(column, &Options{})
	if err != nil {
		return ZoneMap{}, err
	}
	if rowGroup < 0 || rowGroup >= len(f.footer.RowGroups) {
		return ZoneMap{}, f.wrap(rowGroup, column, -1, optionsError("there is no such row group"))
	}
	b, err := f.bounds(f.decrypt.Background(), rowGroup, leaf)
	if err != nil {
		return ZoneMap{}, err
	}
	z := ZoneMap{Min: vector.NullOf(leaf.Type), Max: vector.NullOf(leaf.Type), Slots: b.Slots, Nulls: b.Nulls, NaNs: b.NaNs}
	if b.Sure && b.HasMin { // else the bound need not hold all values
		z.Min, z.MinExact = boundOf(leaf.Type, b.Min, b.MinExact)
	}
	if b.Sure && b.HasMax {
		z.Max, z.MaxExact = boundOf(leaf.Type, b.Max, b.MaxExact)
	}
	return z, nil
}

// boundOf returns a bound as a scalar, NULL if it does not have the length of a value.
func boundOf(t vector.Type, plain []byte, exact bool) (vector.Scalar, bool) {
	if plain == nil {
		plain = []byte{} // an empty string
	}
	s, err := vector.PlainOf(t, plain)
	if err != nil {
		return vector.NullOf(t), false
	}
	return s, exact
}

// bounds returns what the statistics of a leaf's chunk prove.
func (f *File) bounds(ctx context.Context, rowGroup int, leaf *schema.Node) (b pageindex.Bounds, err error) {
	c, err := f.chunk(ctx, rowGroup, leaf.FirstLeaf)
	if err != nil {
		return b, err
	}
	if err := c.readable(); err != nil {
		return b, c.wrap(-1, err)
	}
	order, stats := pageindex.ColumnOfFile(f.footer, f.writer, leaf).In(&c.ColumnChunk), &c.Meta.Statistics
	if !c.Meta.HasStatistics {
		stats = nil
	}
	return order.Statistics(stats, c.Meta.NumValues), nil
}

// boundsIn returns what the statistics of a row group prove about leaves.
func (f *File) boundsIn(rowGroup int) func(leaf *schema.Node) (pageindex.Bounds, error) {
	return func(leaf *schema.Node) (pageindex.Bounds, error) {
		return f.bounds(f.decrypt.Background(), rowGroup, leaf)
	}
}

// leafAt returns the leaf at a path, or that of its items.
func (f *File) leafAt(path string, o *Options) (*schema.Node, error) {
	nodes, err := f.nodesAlong(path, o)
	if err != nil {
		return nil, err
	}
	node := nodes[len(nodes)-1]
	for node.Kind == schema.List {
		node = node.Item()
	}
	if node.Kind != schema.Leaf {
		return nil, f.wrap(-1, node.String(), -1, errors.New("it is no leaf, and has no least and no greatest value"))
	}
	return node, nil
}

// RowEstimate says how many rows pass. AtLeast and AtMost are certain, Expected is not.
type RowEstimate struct{ AtLeast, AtMost, Expected int64 }

// Estimate says how many rows pass a filter, and each of its tests of single columns.
type Estimate struct {
	Rows  RowEstimate
	Tests []TestEstimate // in the filter's order
}

// TestEstimate says how many of the wanted rows pass one test.
type TestEstimate struct {
	Column, Test string
	Rows         RowEstimate
}

// Estimate reads the metadata that Plan would read, and returns how many rows of Options.Rows and
// Split pass the filter. It ignores Offset, Limit and runtime filters. Stats, Log and
// Trace are told nothing.
func (f *File) Estimate(ctx context.Context, o Options) (*Estimate, error) {
	o.Offset, o.Limit, o.Limited = 0, 0, false
	e := &Estimate{}
	return e, f.eachJudged(ctx, o, func(i int, rows vector.Ranges, j *pageindex.Judge, root *compile.Node) error {
		if root == nil {
			n := rows.Len()
			e.Rows.add(estimate.Rows{AtLeast: n, AtMost: n, Expected: n})
			return nil
		}
		g := estimate.Group{Judge: j, Wanted: rows, Bounds: f.boundsIn(i)}
		r, err := g.Of(root)
		e.Rows.add(r)
		n := 0
		rowfilter.Tests(root, func(node *compile.Node) {
			if err != nil {
				return
			}
			if n == len(e.Tests) {
				e.Tests = append(e.Tests, TestEstimate{Column: node.Test.Leaf.String(), Test: node.Test.String()})
			}
			r, err = g.Of(node)
			e.Tests[n].Rows.add(r)
			n++
		})
		return err
	})
}

func (r *RowEstimate) add(o estimate.Rows) {
	r.AtLeast, r.AtMost, r.Expected = r.AtLeast+o.AtLeast, r.AtMost+o.AtMost, r.Expected+o.Expected
}
