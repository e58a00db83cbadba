package oracle

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/naive"
	"github.com/winnow-scan/winnow/scanner"
)

// list is a list or map, which conditions on its items can be about.
type list struct {
	node *gen.Node
	sql  string
	path []int
}

// items returns a condition on the items of a list, which it calls by a name.
func (g *writer) items(name string) condition {
	r, l := g.r, pick(g.r, g.w.lists...)
	// Items as rows of one column, and the places that they have.
	of := *g.w
	of.groups, of.rows, of.places, of.nullables, of.lists = nil, nil, nil, nil, nil
	for _, row := range g.w.rows {
		var v any = row
		for _, i := range l.path {
			if v != nil {
				v = v.(naive.Struct)[i]
			}
		}
		if v != nil {
			for _, i := range v.(naive.List) {
				of.rows = append(of.rows, naive.Struct{i})
			}
		}
	}
	item := naive.Operand{Path: []int{0}}
	switch n := l.node; {
	case n.Repetition == gen.Many:
		of.places = []place{{sql: name, operand: item, builder: filter.Col(name), kind: g.w.leafOf[n].kind, leaf: g.w.leafOf[n]}}
	case n.Logical.Kind == gen.KindMap:
		for i, c := range n.Children[0].Children {
			of.addPlaces(c, name+"."+c.Name, naive.Operand{Path: []int{0, i}})
		}
	default:
		of.addPlaces(n.Children[0].Children[0], name, item)
	}
	single := of.places[:0]
	for _, p := range of.places {
		if p.operand.Lists == 0 && p.keys == nil && !p.length {
			single = append(single, p)
		}
	}
	of.places = single
	inner := &writer{r: r, w: &of}
	c := inner.ofItem(r.IntN(4), name+"x")
	if g.err == nil {
		g.err = inner.err
	}
	truth := naive.Operand{Path: l.path, Items: c.truth}
	text := l.sql + " AS " + name + ": " + c.sql + ")"
	out := condition{truth: &naive.Cond{Op: naive.Bool}}
	switch r.IntN(5) {
	case 0:
		truth.Quant, out.sql, out.expr = naive.All, "ALL("+text, filter.All(l.sql, name, c.expr)
	case 1:
		n, cmp := int64(r.IntN(4)), pick(r, comparisons...)
		out.truth.Op, out.truth.Right = cmp.op, []naive.Operand{{IsLiteral: true, Literal: n}}
		out.sql, out.expr = "COUNT("+text+" "+cmp.sign+" "+strconv.FormatInt(n, 10), cmp.build(filter.Count(l.sql, name, c.expr), n)
	case 2:
		truth.Quant = naive.Any
		out.truth.Left = truth
		out.truth = &naive.Cond{Op: naive.Not, Args: []*naive.Cond{out.truth}}
		out.sql, out.expr = "NONE("+text, filter.Not(filter.Any(l.sql, name, c.expr))
	default:
		truth.Quant, out.sql, out.expr = naive.Any, "ANY("+text, filter.Any(l.sql, name, c.expr)
	}
	if out.truth.Op != naive.Not {
		out.truth.Left = truth
	}
	if r.IntN(2) == 0 {
		out.expr = g.parse(out.sql)
	}
	return out
}

// ofItem returns a condition on one item, whose lists have items of a name.
func (g *writer) ofItem(depth int, name string) condition {
	r := g.r
	if depth > 0 {
		switch r.IntN(5) {
		case 0, 1:
			return join(naive.And, g.ofItem(depth-1, name), g.ofItem(depth-1, name))
		case 2:
			return join(naive.Or, g.ofItem(depth-1, name), g.ofItem(depth-1, name))
		case 3:
			return negated(g.ofItem(depth-1, name))
		case 4:
			c := g.ofItem(depth-1, name)
			return around(naive.IsTrue, "", " IS TRUE", c, c.expr.IsTrue())
		}
	}
	switch {
	case len(g.w.lists) > 0 && (len(g.w.places) == 0 || r.IntN(2) == 0):
		return g.items(name)
	case len(g.w.nullables) > 0 && (len(g.w.places) == 0 || r.IntN(5) == 0):
		p := pick(r, g.w.nullables...)
		return g.isNull(&p, "IS NULL above")
	case r.IntN(20) == 0 || len(g.w.places) == 0:
		return g.constant()
	}
	p := pick(r, g.w.places...)
	return g.test(&p)
}

// TestItems counts the rows that pass random conditions on items: lists of lists, of structs, maps,
// that are NULL, or empty, or have NULLs.
func TestItems(t *testing.T) {
	passed, failed := 0, 0
	rounds := dtest.Rounds(t, 2000)
	var w *world
	for i := range rounds {
		for number := uint64(i / 10); i%10 == 0; number += 1 << 32 {
			var err error
			if w, err = newWorld(*seed, 1<<40+number); err != nil {
				t.Fatal(err)
			}
			if len(w.lists) > 0 && len(w.rows) > 0 {
				break
			}
		}
		g := &writer{r: random(*seed, uint64(i), "items"), w: w}
		c := g.items("x")
		if g.err != nil {
			t.Fatal(g.err)
		}
		want := int64(0)
		for _, row := range w.rows {
			if c.truth.Eval(row) == naive.True {
				want++
			}
		}
		got, err := w.file.Count(context.Background(), scanner.Options{Filter: c.expr})
		if err != nil || got != want {
			t.Errorf("round %d: %s: %d rows, %v; want %d\n%s", i, c.sql, got, err, want, w)
			if failed++; failed == 5 {
				t.Fatal("that is enough")
			}
		}
		if 0 < want && want < int64(len(w.rows)) {
			passed++
		}
	}
	if passed < rounds/4 {
		t.Error(fmt.Sprint("only ", passed, " of ", rounds, " conditions pass some rows and not all"))
	}
}
