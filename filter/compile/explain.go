package compile

import (
	"strconv"
	"strings"
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
func (s *source) describe() string { return string(s.Operand.AppendTo(nil)) }

// describe describes the slots of a column that pass.
func (t *slotTest) describe(column string) string {
	if t.valueTest != nil {
		text := column
		if t.words != "" {
			text = t.words
			if t.set.Null {
				text += " or NULL"
			}
			return text
		}
		if t.valueTest.Negate {
			text += " not"
		}
		text += " " + t.phrase
		if t.set.Null {
			text += " or NULL"
		}
		return text
	}
	s := t.set
	nan := t.domain.HasNaN()
	switch {
	case s.HasNoValues() && s.Null && !(nan && s.NaN):
		return column + " IS NULL"
	case s.HasAllValues() && !s.Null && (s.NaN || !nan):
		return column + " IS NOT NULL"
	}
	not := ""
	if negation := s.Negated(); 0 < negation.Intervals() && negation.Intervals() < s.Intervals() {
		s, not = negation, "not "
		s.Null = t.set.Null
	}
	var parts []string
	for i := range s.Intervals() {
		if i == 4 {
			parts = append(parts, "… "+strconv.Itoa(s.Intervals())+" in all")
			break
		}
		parts = append(parts, t.domain.IntervalText(s.Interval(i)))
	}
	text := column + " " + not + "in " + strings.Join(parts, ", ")
	if not == "" && len(parts) == 1 {
		text = column + " " + t.domain.Comparison(s.Interval(0))
	}
	if nan && t.set.NaN {
		text += " or NaN"
	}
	if t.set.Null {
		text += " or NULL"
	}
	return text
}
