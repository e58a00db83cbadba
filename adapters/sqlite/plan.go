package sqlitescan

import (
	"context"
	"fmt"
	"strings"

	"modernc.org/sqlite/vtab"
)

// plan is a way to scan the table, which BestIndex chooses and Filter carries out. Between
// them it is a text.
type plan struct {
	conditions []condition // in the order of the values of Filter
	used       uint64      // columns whose values a query needs, as IndexInfo.ColUsed: the last bit stands for all from 63 on
	sorted     int         // how many columns rows must be sorted by
	order      int         // table.orders when it was made
	limited    bool        // LIMIT is about rows of the scan, not only about those that SQLite lets pass
	impossible bool        // the table's argument is not known when it is read
}

// condition is one of the WHERE clause, without its value.
type condition struct {
	column int // that of the table; rowid: -1
	op     vtab.ConstraintOp
}

// String returns the text of the plan: its fields, then column and operator of each condition.
func (p *plan) String() string {
	text := fmt.Sprintf("%x %d %d %t %t", p.used, p.sorted, p.order, p.limited, p.impossible)
	for _, c := range p.conditions {
		text += fmt.Sprintf(" %d:%d", c.column, c.op)
	}
	return text
}

func parsePlan(text string) (p plan, err error) {
	if _, err := fmt.Sscanf(text, "%x %d %d %t %t", &p.used, &p.sorted, &p.order, &p.limited, &p.impossible); err != nil {
		return p, err
	}
	for _, part := range strings.Fields(text)[5:] {
		var c condition
		if _, err := fmt.Sscanf(part, "%d:%d", &c.column, &c.op); err != nil {
			return p, err
		}
		p.conditions = append(p.conditions, c)
	}
	return p, nil
}

// Costs, in rows that SQLite takes from the table.
const (
	costOfScan    = 300  // to begin a scan
	costOfLooking = 0.02 // a row that the scan looks at
	maxCost       = 1e30 // of what cannot be done
)

// BestIndex tells SQLite which conditions reach the scan, and what it costs.
func (t *table) BestIndex(info *vtab.IndexInfo) error {
	t.refresh(context.Background())
	p := plan{used: info.ColUsed, order: t.orders}
	share, looked := 1.0, 1.0 // of the rows
	p.limited = true
	var limits []int
	for i := range info.Constraints {
		c := &info.Constraints[i]
		switch {
		case c.Op == vtab.OpLIMIT, c.Op == vtab.OpOFFSET:
			limits = append(limits, i)
			continue
		case c.Column == len(t.columns)+hiddenFiles && c.Op == vtab.OpEQ && !c.Usable:
			p.impossible = true
		}
		p.limited = false // conditions are only roughly those of the scan
		if !c.Usable {
			continue
		}
		if !t.takes(c.Column, c.Op) {
			if 0 <= c.Column && c.Column < len(t.columns) && t.columns[c.Column].checks(c.Op) {
				p.take(c)
			}
			continue
		}
		p.take(c)
		s, l := t.selectivity(c.Column, c.Op)
		share *= s
		looked = min(looked, l)
	}
	p.sorted = t.stats.ordered(info.OrderBy)
	info.OrderByConsumed = p.sorted > 0
	if len(info.OrderBy) == p.sorted {
		for _, i := range limits {
			if info.Constraints[i].Usable {
				p.take(&info.Constraints[i])
			} else {
				p.limited = false
			}
		}
	}
	rows := t.stats.rows
	info.EstimatedRows = int64(max(min(rows*share, 1e15), 1))
	info.EstimatedCost = costOfScan + costOfLooking*rows*looked + rows*share
	if p.impossible {
		info.EstimatedCost = maxCost
	}
	info.IdxStr = p.String()
	return nil
}

// take makes Filter get the value of a condition.
func (p *plan) take(c *vtab.Constraint) {
	c.ArgIndex = len(p.conditions)
	p.conditions = append(p.conditions, condition{c.Column, c.Op})
}

// takes reports whether a condition reaches the scan.
func (t *table) takes(column int, op vtab.ConstraintOp) bool {
	switch {
	case column < 0:
		return comparisons[op] != nil
	case column >= len(t.columns):
		return op == vtab.OpEQ
	}
	return t.columns[column].filters(op)
}

// selectivity estimates the share of rows that pass a condition, and the share that a scan
// has to look at.
func (t *table) selectivity(column int, op vtab.ConstraintOp) (share, looked float64) {
	one := 1 / max(t.stats.rows, 1)
	switch {
	case op == vtab.OpNE, op == vtab.OpISNOT:
		return 1, 1
	case column < 0 && op == vtab.OpEQ:
		return one, one
	case column < 0:
		return 0.25, 0.25
	case column == len(t.columns)+hiddenFiles:
		return 1, 1
	case column == len(t.columns)+hiddenFile:
		share = 1 / float64(len(t.files.names))
		return share, share
	}
	c := &t.stats.columns[column]
	switch op {
	case vtab.OpEQ, vtab.OpIS:
		return 1 / c.distinct, c.touched
	case vtab.OpISNULL:
		return c.nulls, 1
	case vtab.OpISNOTNULL:
		return 1 - c.nulls/2, 1
	case vtab.OpLIKE, vtab.OpGLOB:
		return 0.1, 0.1 + 0.9*c.touched
	}
	return 0.25, 0.25 + 0.75*c.touched
}

// ordered returns how many of the wanted columns the rows are sorted by, 0 unless by all.
func (s *statistics) ordered(by []vtab.OrderBy) int {
	if len(by) > len(s.sorted) {
		return 0
	}
	for i, o := range by {
		if o.Column != s.sorted[i].column || o.Desc != s.sorted[i].descending {
			return 0
		}
	}
	return len(by)
}
