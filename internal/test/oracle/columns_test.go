package oracle

import (
	"hash/fnv"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// columns returns a comparison of two columns, or a test of one where no two
// compare.
func (g *writer) columns() condition {
	r := g.r
	p := pick(r, g.w.places...)
	for range 8 {
		q := pick(r, g.w.places...)
		if p.operand.Lists > 0 {
			p = pick(r, g.w.places...)
			continue
		}
		if q.operand.Lists > 0 || p.familyOf() != q.familyOf() || p.family == nothing {
			continue
		}
		c := comparisons[r.IntN(2)]
		if p.familyOf() != unordered {
			c = pick(r, comparisons...)
		}
		left, sql, b, _ := g.instance(&p)
		right, other, b2, _ := g.instance(&q)
		if p.familyOf() == numbers && r.IntN(2) == 0 {
			op := r.IntN(3)
			if sql == "select" {
				sql = `"select"` // select * begins a query
			}
			left.With, left.Op = &right, []naive.StepOp{naive.Add, naive.Subtract, naive.Multiply}[op]
			sign, by := "+-*"[op:op+1], number(pick(r, "0", "1", "-100", "1000000"))
			truth := &naive.Cond{Op: c.op, Left: left, Right: operands(by)}
			return g.finish("", "calculation", &p, truth, sql+" "+sign+" "+other+" "+c.sign+" "+by.sql, c.build(filter.Calculate(sign, b, b2), by.host))
		}
		if c.op == naive.Ge && r.IntN(2) == 0 {
			high := g.near(&p)
			truth := &naive.Cond{Op: naive.Between, Left: left, Right: append([]naive.Operand{right}, operands(high)...)}
			return g.finish("", "columns", &p, truth, sql+" BETWEEN "+other+" AND "+high.sql, b.Between(b2, high.host))
		}
		truth := &naive.Cond{Op: c.op, Left: left, Right: []naive.Operand{right}}
		return g.finish("", "columns", &p, truth, sql+" "+c.sign+" "+other, c.build(b, b2))
	}
	return g.test(&p)
}

func (p *place) familyOf() family {
	if p.length {
		return numbers
	}
	return p.family
}

// function returns a condition of a host's own: that a hash of the column's
// text can be divided. It takes columns of any nesting.
func (g *writer) function() condition {
	at := g.r.IntN(len(g.w.schema))
	n, by := g.w.schema[at], uint32(1+g.r.IntN(4))
	field, shown := g.w.fields[at], g.w.cell(part{quote(n.Name), n})
	truth := &naive.Cond{Op: naive.Func, Func: func(row naive.Struct) bool {
		return hash(shown.text[row[len(row)-1].(int64)])%by == 0
	}}
	passes := func(columns []*vector.Vector, sel []uint64) error {
		rows := vector.JSONRows([]vector.Field{field})
		rows.Use(&vector.Batch{Fields: []vector.Field{field}, Columns: columns, Len: columns[0].Len})
		for i := range columns[0].Len {
			if sel[i/64]>>(i%64)&1 == 0 {
				continue
			}
			text, err := rows.Append(nil, i)
			if err != nil || hash(strings.TrimSuffix(string(text[len(shown.key)+1:]), "}"))%by != 0 {
				sel[i/64] &^= 1 << (i % 64)
			}
		}
		return nil
	}
	first := n
	for first.Type == gen.Group {
		first = first.Children[0]
	}
	g.asked = append(g.asked, asked{"function", g.w.leafOf[first], truth})
	return condition{truth: truth, expr: filter.Func("odd", passes, filter.Col(quote(n.Name)))}
}

func hash(text string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(text))
	return h.Sum32()
}
