package tree

import (
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// MaxSteps bounds how many operations stand between columns and a condition.
const MaxSteps = 32

// Step is an operation on the value of a column: one of x - 1, or of CAST(x AS DATE).
type Step struct {
	Op        StepOp
	Sign      value.Arithmetic   // of Calculate
	By        *Operand           // of Calculate: the other operand
	Front     bool               // of Calculate: By stands in front of the sign
	To        value.Target       // of Cast
	Function  *function.Function // of Call
	Constants []*value.Literal   // of Call
	At        int                // byte offset in the text; -1 without a text
}

// StepOp is what a Step does.
type StepOp uint8

const (
	Calculate StepOp = iota // with another operand
	Cast
	Call // a function
)

// IsForwards reports whether a step is calculated for each row: no condition on its result is one on
// the value, as one on x + 1 is.
func (s *Step) IsForwards() bool {
	if s.Op != Calculate {
		return false
	}
	by := s.By.Literal
	return by == nil || s.Sign > value.Divide || s.Sign == value.Divide && s.Front || s.Sign == value.Subtract && by.IsMoment()
}

// IsForwards reports whether a step of o is.
func (o *Operand) IsForwards() bool {
	return slices.ContainsFunc(o.Steps, func(s Step) bool { return s.IsForwards() })
}

// Operations returns the number of all steps in o.
func (o *Operand) Operations() int {
	n := len(o.Steps)
	for i := range o.Steps {
		if by := o.Steps[i].By; by != nil {
			n += by.Operations()
		}
	}
	return n
}

// wrap returns the text of a step, given that of the value before it and how tightly that
// binds, and how tightly the result binds.
//
//every:step print
func (s *Step) wrap(text string, binds int) (string, int) {
	within := func(text string, binds, least int) string {
		if binds < least {
			return "(" + text + ")"
		}
		return text
	}
	switch s.Op {
	case Calculate:
		out := Binds(s.Sign)
		by, byBinds := s.By.text()
		if s.Front {
			text, binds, by, byBinds = by, byBinds, text, binds
		}
		return within(text, binds, out) + " " + s.Sign.String() + " " + within(by, byBinds, out+1), out
	case Call:
		if s.Function.Sign {
			return s.wrapJoined(within(text, binds, BindsBits)), BindsBits
		}
		arguments := []string{text}
		for _, l := range s.Constants {
			arguments = append(arguments, l.String())
		}
		if s.Function.First {
			arguments = append(arguments[1:], text)
		}
		return s.Function.Name + "(" + strings.Join(arguments, ", ") + ")", BindsMost
	case Cast:
		return "CAST(" + text + " AS " + s.To.String() + ")", BindsMost
	}
	return text, binds
}

// wrapJoined is wrap of || with a text in front, behind or both.
func (s *Step) wrapJoined(text string) string {
	front, back := s.Constants[0], s.Constants[1]
	if front.Text != "" {
		text = front.String() + " || " + text
	}
	if back.Text != "" || front.Text == "" {
		text += " || " + back.String()
	}
	return text
}

// Binds returns how tightly an operation binds.
func Binds(op value.Arithmetic) int {
	return [...]int{
		value.Add: BindsSum, value.Subtract: BindsSum, value.Multiply: BindsProduct, value.Divide: BindsProduct, value.Modulo: BindsProduct,
		value.Power: BindsPower, value.BitAnd: BindsBits, value.BitOr: BindsBits, value.Join: BindsBits,
	}[op]
}

// text returns o as the parser reads it, and how tightly it binds.
func (o *Operand) text() (text string, binds int) {
	text, binds = strings.Join(o.appendSource(nil), ""), BindsMost
	for i := range o.Steps {
		text, binds = o.Steps[i].wrap(text, binds)
	}
	return text, binds
}
