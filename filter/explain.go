package filter

import (
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
)

// String describes the program as it runs, after tests were simplified and fused.
// The text is for people, not for Parse.
func (p *Program) String() string { return p.Root.String() }

// String describes a node and all nodes below it on one line.
func (n *Node) String() string {
	switch n.Op {
	case OpTrue:
		return "TRUE"
	case OpAnd, OpOr:
		word := " AND "
		if n.Op == OpOr {
			word = " OR "
		}
		var parts []string
		for _, a := range n.Args {
			s := a.String()
			if a.Op == OpAnd || a.Op == OpOr {
				s = "(" + s + ")"
			}
			parts = append(parts, s)
		}
		return strings.Join(parts, word)
	case OpComplement:
		return "NOT TRUE (" + n.Args[0].String() + ")"
	case OpTest:
		return n.Test.String()
	case OpCompute:
		return n.Compute.String()
	}
	return "FALSE"
}

// String describes the test for people.
func (t *Test) String() string {
	column := t.Leaf.String()
	if t.slot.nullLevel > 0 {
		for n := t.Leaf; n.MaxDef >= t.slot.nullLevel && n.Parent != nil; n = n.Parent {
			column = n.String()
		}
	} else if t.Leaf.MaxRep > 0 {
		word := "ANY("
		if t.Pred != nil && t.Pred.All {
			word = "ALL("
		}
		column = word + column + ")"
	}
	return t.slot.describe(column)
}

// String returns the condition as it was written, or a description of the values
// that pass.
func (c *Compute) String() string { return c.text }

// describe returns the operand as the parser reads it.
func (s *source) describe() string { return string(s.operand.appendTo(nil)) }

// describe describes the slots of a column that pass.
func (t *slotTest) describe(column string) string {
	if t.valueTest != nil {
		text := column
		if t.valueTest.Negate {
			text += " not"
		}
		text += " " + t.phrase
		if t.set.null {
			text += " or NULL"
		}
		return text
	}
	s := t.set
	nan := t.domain.hasNaN()
	switch {
	case s.hasNoValues() && s.null && !(nan && s.nan):
		return column + " IS NULL"
	case s.hasAllValues() && !s.null && (s.nan || !nan):
		return column + " IS NOT NULL"
	}
	not := ""
	if negation := s.negated(); 0 < negation.intervals() && negation.intervals() < s.intervals() {
		s, not = negation, "not "
		s.null = t.set.null
	}
	var parts []string
	for i := range s.intervals() {
		if i == 4 {
			parts = append(parts, "… "+strconv.Itoa(s.intervals())+" in all")
			break
		}
		parts = append(parts, t.domain.intervalText(s.interval(i)))
	}
	text := column + " " + not + "in " + strings.Join(parts, ", ")
	if not == "" && len(parts) == 1 {
		text = column + " " + t.domain.comparison(s.interval(0))
	}
	if nan && t.set.nan {
		text += " or NaN"
	}
	if t.set.null {
		text += " or NULL"
	}
	return text
}

// comparison describes a single interval, as a comparison where it is one.
func (d *domain) comparison(lo, hi cut) string {
	text := d.intervalText(lo, hi)
	switch {
	case text[0] == '{':
	case lo.end != 0 && hi.end == 0:
		return "< " + d.keyText(hi.key)
	case lo.end == 0 && hi.end != 0:
		return ">= " + d.keyText(lo.key)
	}
	return "in " + text
}

// intervalText writes the values in [lo, hi) as a set or an interval.
func (d *domain) intervalText(lo, hi cut) string {
	single := between(lo, hi)
	if points, ok := d.enumerate(&single, 1); ok {
		return "{" + d.keyText(points[0]) + "}"
	}
	from, to := "(-∞", "∞)"
	if lo.end == 0 {
		from = "[" + d.keyText(lo.key)
	}
	if hi.end == 0 {
		to = d.keyText(hi.key) + ")"
	}
	return from + ", " + to
}

// keyText returns the value of a key for descriptions.
func (d *domain) keyText(k key) string {
	text, err := vector.AppendText(nil, d.typ, d.plain(k))
	if err != nil {
		return strconv.Quote(k)
	}
	return abbreviated(string(text))
}

// abbreviated returns s for descriptions, cut if it is long, and quoted unless it is
// a number or a time.
func abbreviated(s string) string {
	const maxLength = 40
	if len(s) > maxLength {
		return strconv.Quote(s[:maxLength]) + "…"
	}
	if strings.Trim(s, "0123456789+-.:TZeE") == "" && s != "" {
		return s
	}
	return strconv.Quote(s)
}
