package compile

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// run is the reference execution of a program: tests on levels and values as
// cursors run them, the rest on vectors.
func (w *world) run(p *Program) []uint64 {
	n := len(w.rows)
	sel := make([]uint64, bits.Words(n))
	bits.SetRange(sel, 0, n)
	err := p.Run(sel, n, func(t *Test, sel []uint64) error {
		w.test(t, sel)
		return nil
	}, func(c *Compute, sel []uint64) error {
		var columns []*vector.Vector
		for _, need := range c.Needs {
			columns = append(columns, w.vectorOf(need.Node))
		}
		return c.Filter(sel, n, columns)
	})
	if err != nil {
		panic(err)
	}
	return sel
}

func (w *world) test(t *Test, sel []uint64) {
	leaf, p := t.Leaf, t.Pred
	entries := w.shred(leaf)
	pass := make([]bool, len(entries))
	item := -1
	empty := map[int]bool{}
	for n := leaf; n.Parent != nil; n = n.Parent {
		if n.Repetition == schema.Repeated {
			item = max(item, n.MaxDef)
			empty[n.MaxDef-1] = true
		}
	}
	if p.Kind == pred.Null {
		level, least := p.Level, 0
		if level == 0 {
			level = leaf.MaxDef
			if leaf.MaxRep > 0 && !p.Negate {
				least = item
			}
		}
		for i, e := range entries {
			pass[i] = e.def >= least && (e.def < level) != p.Negate
		}
	} else {
		v := &vector.Vector{}
		v.Reset(leaf.Type)
		var at []int
		for i, e := range entries {
			if e.def == leaf.MaxDef {
				appendPlain(v, e.plain, false)
				at = append(at, i)
			}
		}
		some := make([]uint64, bits.Words(v.Len)+1)
		bits.SetRange(some, 0, v.Len)
		p.Filter(some, v)
		for j, i := range at {
			pass[i] = bits.Get(some, j)
		}
	}
	rows := make([]bool, len(w.rows))
	for i := range rows {
		rows[i] = p.All
	}
	for i, e := range entries {
		switch {
		case !p.All && pass[i]:
			rows[e.row] = true
		case p.All && !pass[i] && !(empty[e.def] && !(p.Kind == pred.Null && p.Level != 0)):
			rows[e.row] = false
		}
	}
	for i, ok := range rows {
		if !ok {
			bits.Clear(sel, i)
		}
	}
}
