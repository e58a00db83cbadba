package oracle

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
)

// A latePlan is a scan to which conditions are published, before it starts,
// between two batches and at any moment. Rows that pass them all must come;
// rows that do not pass the scan's own filter must not; others may.
type latePlan struct {
	plan
	passes  []bool // the scan's own filter
	must    []bool
	stages  []stage
	at      [][]int // stages that are published behind a batch; those of the first before the scan
	anytime []int   // those of another goroutine
}

// A stage is what is published once.
type stage struct {
	to   *filter.Runtime
	expr *filter.Expr
}

func (g *writer) newLatePlan(c condition, passes []bool) *latePlan {
	r := g.r
	p := &latePlan{passes: passes, must: append([]bool(nil), passes...)}
	p.plan = *g.newPlan(c, passes)
	for p.items != nil {
		p.plan = *g.newPlan(c, passes)
	}
	p.Rows, p.Offset, p.Limit, p.stop, p.splits, p.parts, p.Plan = nil, 0, 0, 0, nil, 0, nil
	if p.RowNumber == "" {
		p.number(g.w)
	}
	if r.IntN(4) == 0 && g.err == nil {
		g.err = p.planned(g.w)
	}
	if r.IntN(2) == 0 {
		p.BatchRows = pick(r, 1, 7, 50)
	}
	for range 1 + r.IntN(2) {
		p.Runtime = append(p.Runtime, new(filter.Runtime))
	}
	p.at = make([][]int, 4)
	for i := range 1 + r.IntN(4) {
		late := g.condition(r.IntN(2))
		p.stages = append(p.stages, stage{pick(r, p.Runtime...), late.expr})
		for row, pass := range g.w.evaluate(late.truth) {
			p.must[row] = p.must[row] && pass
		}
		when := r.IntN(len(p.at) + 2)
		if when < len(p.at) {
			p.at[when] = append(p.at[when], i)
		} else {
			p.anytime = append(p.anytime, i)
		}
		p.note("stage %d: %s", i, late.expr)
	}
	p.note("published behind batches %v, at any moment %v", p.at, p.anytime)
	return p
}

func (p *latePlan) publish(stages []int) {
	for _, i := range stages {
		p.stages[i].to.Publish(p.stages[i].expr)
	}
}

func (p *latePlan) judge(w *world) error {
	var wait sync.WaitGroup
	defer wait.Wait()
	p.publish(p.at[0])
	wait.Go(func() { p.publish(p.anytime) })
	batches, next := 0, 0
	err := p.batches(w, func(b *vector.Batch) error {
		if batches++; batches < len(p.at) {
			p.publish(p.at[batches])
		}
		got, err := appendRows(nil, b)
		if err != nil {
			return err
		}
		numbers := b.Columns[len(b.Columns)-1].Int64s
		for i, text := range bytes.Split(bytes.TrimSuffix(got, []byte("\n")), []byte("\n")) {
			row := int(numbers[i])
			for ; next < row; next++ {
				if p.must[next] {
					return fmt.Errorf("row %d does not come", next)
				}
			}
			if next++; row < next-1 || row >= len(p.passes) || !p.passes[row] {
				return fmt.Errorf("row %d comes", row)
			}
			if want := line(nil, p.shown, row); !bytes.Equal(text, want) {
				return fmt.Errorf("row %d is\n%s\nand should be\n%s", row, text, want)
			}
		}
		return nil
	})
	for ; err == nil && next < len(p.must); next++ {
		if p.must[next] {
			err = fmt.Errorf("row %d does not come", next)
		}
	}
	if err != nil {
		return fmt.Errorf("runtime filters: %v\n%w", p.about, err)
	}
	return nil
}
