package compile

import (
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
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
	case OpItems:
		return n.Items.String()
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
	} else if t.Leaf.MaxRep > 0 && !t.ofItem {
		word := "ANY("
		if t.Pred != nil && t.Pred.All {
			word = "ALL("
		}
		column = word + column + ")"
	}
	return t.slot.describe(column)
}

// String returns the condition that holds of the rows that pass, or a description of the
// values that do.
func (c *Compute) String() string { return c.text() }

// name returns what has the values that are bound so far, for errors: a column, or what functions
// of strings return for it.
func (s *source) name() string {
	o := s.withFunctions()
	o.Quantifier = tree.NoQuantifier
	return o.String()
}

// describe describes the slots of a column that pass.
func (t *slotTest) describe(column string) string {
	if t.valueTest != nil {
		text := t.words
		if text == "" {
			text = column
			if t.valueTest.Negate {
				text += " not"
			}
			text += " " + t.phrase
		}
		if t.set.Null {
			text += " or NULL"
		}
		return text
	}
	s := t.set
	switch {
	case t.noValues() && s.Null:
		return column + " IS NULL"
	case t.allValues() && !s.Null:
		return column + " IS NOT NULL"
	}
	not := ""
	if negation := s.Negated(); 0 < negation.Intervals() && negation.Intervals() < s.Intervals() {
		s, not = negation, "not "
		s.Null = t.set.Null
	}
	text := column + " " + not + "in " + intervalsText(t.domain, &s)
	if s.Intervals() == 1 {
		comparison := t.domain.Comparison(s.Interval(0))
		if value, equal := strings.CutPrefix(comparison, "= "); equal && not != "" {
			text = column + " <> " + value
		} else if not == "" {
			text = column + " " + comparison
		}
	}
	if t.domain.HasNaN() && t.set.NaN {
		text += " or NaN"
	}
	if t.set.Null {
		text += " or NULL"
	}
	return text
}

// intervalsText writes up to four of the intervals of a set: {2, 3, 5}, or {2}, [5, 9) where not
// all are single values.
func intervalsText(d *value.Domain, s *value.Subset) string {
	const most = 4
	var apart, together []string // each in braces if it is one value; values without braces
	for i := range min(s.Intervals(), most) {
		text, point := d.IntervalText(s.Interval(i))
		if point {
			together = append(together, text)
			text = "{" + text + "}"
		}
		apart = append(apart, text)
	}
	if s.Intervals() > most {
		rest := "… " + strconv.Itoa(s.Intervals()) + " in all"
		apart, together = append(apart, rest), append(together, rest)
	}
	if len(together) == len(apart) {
		return "{" + strings.Join(together, ", ") + "}"
	}
	return strings.Join(apart, ", ")
}
