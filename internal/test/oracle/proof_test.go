package oracle

import (
	"context"
	"fmt"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/naive"
	"github.com/winnow-scan/winnow/scanner"
)

// probes is how many conditions more a case has metadata judge. They cost no scan, and without them
// the rarest proofs come twice in a long run, or never.
const probes = 12

func (c *coverage) probe(g *writer) error {
	for range probes {
		g.asked = nil
		if err := c.proveOne(g, g.condition(0)); err != nil {
			return err
		}
	}
	return nil
}

// proveOne is prove for a condition that is just written, if it is one test.
func (c *coverage) proveOne(g *writer, of condition) error {
	if g.err != nil || len(g.asked) != 1 || g.asked[0].truth != of.truth {
		return g.err
	}
	if err := c.prove(g.w, g.asked[0], of); err != nil {
		return fmt.Errorf("plan for %s: %w", of.expr, err)
	}
	return nil
}

// prove holds what a file's metadata are taken to prove about a condition of
// one test against the rows, and counts it.
func (c *coverage) prove(w *world, a asked, of condition) error {
	if a.leaf == nil {
		return nil
	}
	o := scanner.Options{Filter: of.expr}
	if w.absent != nil {
		o.Want = []scanner.Want{w.absent.want}
	}
	p, err := w.file.Plan(context.Background(), o)
	if err != nil {
		return err
	}
	for _, g := range p.Groups {
		none, all := 0, 0
		n := w.starts[g.RowGroup+1] - w.starts[g.RowGroup]
		for i := range n {
			passes := a.truth.Eval(w.rows[w.starts[g.RowGroup]+i]) == naive.True
			switch row := int64(i); {
			case !g.Rows.Contains(row):
				none++
				if passes {
					return fmt.Errorf("row %d of row group %d is pruned", i, g.RowGroup)
				}
			case len(g.Tests) == 1 && a.node != "columns" && g.Tests[0].All.Contains(row): // of columns it may be half of a BETWEEN
				all++
				if !passes {
					return fmt.Errorf("row %d of row group %d passes untested", i, g.RowGroup)
				}
			}
		}
		if none > 0 {
			c.proofs[met{node: a.node, physical: a.leaf.typ, verdict: "None"}]++
		}
		if all > 0 {
			c.proofs[met{node: a.node, physical: a.leaf.typ, verdict: "All"}]++
		}
	}
	return nil
}

// provable returns the proofs that a long run has to meet.
func provable() (cells []met) {
	add := func(node string, t gen.Type, verdicts ...string) {
		for _, v := range verdicts {
			cells = append(cells, met{node: node, physical: t, verdict: v})
		}
	}
	for t := range typeNames {
		for _, node := range nodesOf(t) {
			switch node {
			case "=", "<>", "<", "<=", ">", ">=", "BETWEEN", "IN", "IS NULL", "IS NULL above", "boolean", "prefix":
				add(node, t, "None", "All")
			case "ANY", "LIKE":
				add(node, t, "None")
			}
		}
	}
	return cells
}

func (c *coverage) checkProofs(t *testing.T) {
	rarest := met{}
	for i, m := range provable() {
		if i == 0 || c.proofs[m] < c.proofs[rarest] {
			rarest = m
		}
		if c.proofs[m] == 0 {
			t.Errorf("metadata never prove %s of %s %s", m.verdict, typeNames[m.physical], m.node)
		}
	}
	t.Logf("node × type × what metadata prove: %d cells, at least %d proofs in each (%s of %s %s)",
		len(provable()), c.proofs[rarest], rarest.verdict, typeNames[rarest.physical], rarest.node)
}
