package tree

import (
	"strings"

	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// MaxSteps bounds how many operations stand between a column and a condition.
const MaxSteps = 32

// Step is an operation on the value of a column: one of x - 1, or of CAST(x AS DATE).
type Step struct {
	Op        StepOp
	By        *value.Literal     // of arithmetic
	To        value.TypeName     // of Cast
	Function  *function.Function // of Call
	Constants []*value.Literal   // of Call
	At        int                // byte offset in the text; -1 without a text
}

// StepOp is what a Step does.
type StepOp uint8

// The first are those of value.Arithmetic, in its order, so that one converts to the other.
const (
	Add          StepOp = iota
	Subtract            // value - By
	SubtractFrom        // By - value
	Multiply
	Divide // value / By
	Cast
	Call // a function
)

// Arithmetic returns the operation of a step that calculates.
func (o StepOp) Arithmetic() (op value.Arithmetic, ok bool) {
	return value.Arithmetic(o), o <= Divide
}

// wrap returns the text of a step, given that of the value before it and how tightly that
// binds, and how tightly the result binds.
//
//every:step print
func (s *Step) wrap(text string, binds int) (string, int) {
	within := func(least int) string {
		if binds < least {
			return "(" + text + ")"
		}
		return text
	}
	by := ""
	if s.By != nil {
		by = string(s.By.AppendTo(nil))
	}
	switch s.Op {
	case Add:
		return within(BindsSum) + " + " + by, BindsSum
	case Subtract:
		return within(BindsSum) + " - " + by, BindsSum
	case SubtractFrom:
		return by + " - " + within(BindsProduct), BindsSum
	case Multiply:
		return within(BindsProduct) + " * " + by, BindsProduct
	case Divide:
		return within(BindsProduct) + " / " + by, BindsProduct
	case Call:
		if s.Function.Name == "||" {
			return s.wrapJoined(within(BindsBits)), BindsBits
		}
		arguments := []string{text}
		for _, l := range s.Constants {
			arguments = append(arguments, string(l.AppendTo(nil)))
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
		text = string(front.AppendTo(nil)) + " || " + text
	}
	if back.Text != "" || front.Text == "" {
		text += " || " + string(back.AppendTo(nil))
	}
	return text
}

// CallOf returns the step that calls a function, which the table has, with constants.
func CallOf(name string, at int, constants ...*value.Literal) Step {
	return Step{Op: Call, Function: function.Named(name), Constants: constants, At: at}
}

// MaxCalculations bounds the operations of one calculation.
const MaxCalculations = 32

// Calculation is an operation between columns, or one that is not inverted: a - b, 10 / a, a & 1.
type Calculation struct {
	Op   value.Arithmetic
	Of   [2]Operand
	Size int // the operations in it, its own included
}

// Binds returns how tightly an operation binds.
func Binds(op value.Arithmetic) int {
	switch op {
	case value.BitAnd:
		return BindsBits
	case value.Add, value.Subtract:
		return BindsSum
	case value.Power:
		return BindsPower
	}
	return BindsProduct
}

// text returns o as the parser reads it, and how tightly it binds.
func (o *Operand) text() (text string, binds int) {
	if c := o.Calculation; c == nil {
		text, binds = string(o.appendSource(nil)), BindsMost
	} else {
		var of [2]string
		binds = Binds(c.Op)
		for i := range c.Of {
			inner := 0
			if of[i], inner = c.Of[i].text(); inner < binds+i {
				of[i] = "(" + of[i] + ")"
			}
		}
		text = of[0] + " " + c.Op.String() + " " + of[1]
	}
	for i := range o.Steps {
		text, binds = o.Steps[i].wrap(text, binds)
	}
	return text, binds
}
