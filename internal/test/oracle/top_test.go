package oracle

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/internal/test/validate"
	"github.com/winnow-scan/winnow/scanner"
)

// topPlan asks for the first rows in an order.
type topPlan struct {
	plan
	by scanner.Order
	of place
}

// newTop returns nil if no column has an order.
func (g *writer) newTop(c condition, passes []bool) *topPlan {
	r := g.r
	of := pick(r, g.w.places...)
	if of.leaf == nil || of.length || of.keys != nil || of.operand.Lists > 0 || of.family == nothing || of.family == unordered || of.kind.name == "i96" {
		return nil
	}
	p := &topPlan{by: scanner.Order{By: of.sql, Descending: r.IntN(2) == 0}, of: of}
	for {
		p.plan = *g.newPlan(c, passes)
		if p.Offset == 0 && p.Limit == 0 && p.items == nil {
			break
		}
	}
	p.stop, p.splits, p.parts, p.Plan, p.Stats = 0, nil, 0, nil, nil
	if p.RowNumber == "" {
		p.number(g.w)
	}
	p.Limit = int64(r.IntN(20))
	if r.IntN(3) == 0 {
		p.Offset = int64(r.IntN(10))
	}
	p.note("order by %s, descending %v, limit %d, offset %d", p.by.By, p.by.Descending, p.Limit, p.Offset)
	return p
}

// compare says which of two rows stands first: values first, then NaN, then NULL.
func (p *topPlan) compare(w *world, a, b int) int {
	value := func(row int) (any, int) {
		var found []any
		collect(w.rows[row], p.of.operand.Path, &found)
		if len(found) == 0 {
			return nil, 2
		}
		if f, isFloat := doubleOf(found[0]); isFloat && f != f {
			return nil, 1
		}
		return found[0], 0
	}
	x, first := value(a)
	y, second := value(b)
	if first != 0 || second != 0 {
		return first - second
	}
	if p.by.Descending {
		return lesser(y, x)
	}
	return lesser(x, y)
}

func (p *topPlan) judge(w *world) error {
	if err := p.top(w); err != nil {
		return fmt.Errorf("top: %s\nfilter as bound: %s\n%w", brief(strings.Join(p.about, "; ")), brief(p.Filter.String()), err)
	}
	return nil
}

func (p *topPlan) top(w *world) error {
	want := slices.Clone(p.want)
	slices.SortStableFunc(want, func(a, b int) int { return p.compare(w, a, b) })
	want = want[min(int(p.Offset), len(want)):]
	if p.Limit > 0 {
		want = want[:min(int(p.Limit), len(want))]
	}
	n, last := 0, -1
	for b, err := range w.file.Top(p.context(), p.by, p.Options) {
		if err != nil {
			return err
		}
		if err := validate.Batch(b); err != nil {
			return err
		}
		text, err := appendRows(nil, b)
		if err != nil {
			return err
		}
		b.Columns[len(b.Columns)-1].Flatten()
		for i, row := range b.Columns[len(b.Columns)-1].Int64s[:b.Len] {
			row := int(row)
			switch {
			case n >= len(want):
				return fmt.Errorf("more than %d rows come", len(want))
			case !slices.Contains(p.want, row):
				return fmt.Errorf("row %d comes", row)
			case p.compare(w, row, want[n]) != 0:
				return fmt.Errorf("row %d comes at place %d, where %d might", row, n, want[n])
			case n > 0 && p.compare(w, last, row) == 0 && last >= row:
				return fmt.Errorf("row %d comes behind row %d, which is equal", row, last)
			}
			if got := bytes.SplitAfter(text, []byte("\n"))[i]; !bytes.Equal(got, p.lines(nil, row)) {
				return fmt.Errorf("row %d is\n%sand should be\n%s", row, got, p.lines(nil, row))
			}
			n, last = n+1, row
		}
	}
	if n < len(want) {
		return fmt.Errorf("%d rows come, not %d", n, len(want))
	}
	return nil
}
