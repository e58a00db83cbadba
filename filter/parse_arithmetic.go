package filter

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// maxCalculations bounds the arithmetic of a text, whose numbers may have thousands of digits. So
// much weigh 4 KiB of what a function returns for a constant.
const maxCalculations = 1000

// calculated returns the result of arithmetic: a literal of two, else a step more of a column. at is
// the place of the sign.
//
//every:step parse
func (p *parser) calculated(op value.Arithmetic, left, right item, at int) item {
	switch {
	case left.choices != nil:
		return p.chosen(left, func(i item) item { return p.calculated(op, i, right, at) })
	case right.choices != nil:
		return p.chosen(right, func(i item) item { return p.calculated(op, left, i, at) })
	}
	l, r := p.operand(left), p.operand(right)
	if l.Literal != nil && r.Literal != nil && op != value.Modulo {
		if p.calculates(1, at); p.err != nil {
			return item{}
		}
		out, fault := value.Calculate(op, l.Literal, r.Literal)
		if fault != "" {
			return p.fail(at, fault)
		}
		return valueAt(left.at, out)
	}
	if op == value.Modulo {
		if r.Literal == nil {
			return p.fail(right.at, "a constant is expected behind %")
		}
		return p.function(function.Named("mod"), []*value.Literal{r.Literal}, left, at)
	}
	front := l.Literal != nil
	if front {
		l, r = r, l
	}
	return p.stepped(l, tree.Step{Op: tree.Calculate, Sign: op, By: &r, Front: front && op != value.Add && op != value.Multiply, At: at}, left.at)
}

// calculates counts calculations of constants by the text at a place, and fails where there are too many.
func (p *parser) calculates(n, at int) {
	if p.calculations += n; p.calculations > maxCalculations {
		p.fail(at, "more than 1000 calculations of constants, or some that make more than 4 MiB of text")
	}
}

// stepped returns a column with one step more. The step of a literal NULL is NULL.
func (p *parser) stepped(o tree.Operand, step tree.Step, at int) item {
	if step.By != nil && step.By.Literal.IsNull() {
		return nullAt(at)
	}
	o.Steps = append(o.Steps[:len(o.Steps):len(o.Steps)], step)
	if o.Operations() > tree.MaxSteps {
		p.fail(step.At, "more than 32 operations in one calculation")
	}
	return item{o: o, at: at}
}

// constant parses a value that no column takes part in. It returns nil after an error.
func (p *parser) constant() *value.Literal {
	start := p.tok
	if start.is(")") || start.is(",") || start.kind == tokName && unsupported(start.text) != "" {
		p.unexpected("a value is expected")
		return nil
	}
	i := p.parse(tree.BindsBits)
	if i.o.Literal == nil {
		p.fail(start.at, "a constant is expected: IN and list_contains take no columns")
	}
	return i.o.Literal
}

// call parses a call whose arguments are not those of a function in the table.
//
//every:step parse
func (p *parser) call(name token) item {
	word, at := strings.ToLower(name.text), name.at
	switch word {
	case "now", "today":
		return valueAt(at, p.now(word == "today"))
	case "position": // ('text' IN value)
		text, _ := p.stringLiteral()
		p.expect("IN")
		return p.function(function.Named("strpos"), []*value.Literal{value.Of(text)}, p.parse(tree.BindsBits), at)
	}
	i := p.parse(tree.BindsBits)
	switch word {
	case "date": // a CAST
		return p.castTo(i, value.Target{Name: value.ToDate}, at, false)
	case "sqrt":
		return p.calculated(value.Power, i, valueAt(at, value.Of(0.5)), at)
	case "pow", "power":
		p.expect(",")
		return p.calculated(value.Power, i, p.parse(tree.BindsBits), at)
	case "xor": // of integers: the bits that x | y has, without those of x & y
		p.expect(",")
		y := p.parse(tree.BindsBits)
		return p.calculated(value.Subtract, p.calculated(value.BitOr, i, y, at), p.calculated(value.BitAnd, i, y, at), at)
	}
	p.expect("AS")
	return p.cast(i, at, word == "try_cast")
}

// part parses extract(part FROM value), or date_part('part', value).
func (p *parser) part(name token) item {
	words := name.is("extract")
	t := p.advance()
	f := function.Named(t.text)
	if f == nil || f.Takes == function.Texts || f.Takes == function.Numbers || f.Constants != "" || words != (t.kind == tokName) {
		return p.fail(t.at, "a part of a date is expected: year, quarter, month, week, day, hour, minute, second and so on")
	}
	if words {
		p.expect("FROM")
	} else {
		p.expect(",")
	}
	return p.function(f, nil, p.parse(tree.BindsBits), name.at)
}

// trimmed are the functions that trim is behind a word.
var trimmed = map[string]string{"BOTH": "trim", "LEADING": "ltrim", "TRAILING": "rtrim"}

// arguments parses the call of a function of the table.
//
//every:step parse
func (p *parser) arguments(name token) item {
	f := function.Named(name.text) // Call
	trims := f.Name == "trim"
	if side := trimmed[strings.ToUpper(p.tok.text)]; trims && side != "" && (p.following.kind == tokString || p.following.is("FROM")) {
		f = function.Named(side)
		p.advance()
		p.accept("FROM") // in front of the value, spaces are taken off
	}
	var all []item
	for more := true; more && p.err == nil; more = p.accept(",") || f.Name == "substr" && (p.accept("FROM") || p.accept("FOR")) {
		all = append(all, p.parse(tree.BindsBits))
	}
	if trims && p.accept("FROM") { // trim('a' FROM value)
		all = append([]item{p.parse(tree.BindsBits)}, all...)
	}
	of := 0
	if f.First {
		of = len(all) - 1
	}
	var constants []*value.Literal
	for n, i := range all {
		if n == of {
			continue
		}
		o := p.operand(i)
		if p.err == nil && o.Literal == nil {
			p.fail(i.at, "a constant is expected: "+f.Usage())
		}
		constants = append(constants, o.Literal)
	}
	if p.err != nil {
		return item{}
	}
	return p.function(f, constants, all[of], name.at)
}

// function returns what a function returns for an item, with constants.
func (p *parser) function(f *function.Function, constants []*value.Literal, i item, at int) item {
	if i.choices != nil {
		return p.chosen(i, func(i item) item { return p.function(f, constants, i, at) })
	}
	o := p.operand(i)
	if p.err != nil {
		return item{}
	}
	if fault := f.Check(constants); fault != "" {
		return p.fail(at, fault)
	}
	if n := slices.IndexFunc(constants, (*value.Literal).IsNull); n >= 0 {
		return nullAt(i.at)
	}
	switch {
	case o.Literal != nil:
		if o.Literal.Kind == value.LitNumber {
			p.calculates(1, at)
		}
		call := f.With(constants...)
		l, fault := call.OfConstant(o.Literal)
		if fault != "" {
			return p.fail(i.at, fault)
		}
		p.calculates(len(l.Text)/4096, at)
		return valueAt(i.at, l)
	case f.Name == "length" && o.IsPlain(): // of a string, a list or a map
		o.Length = true
		return item{o: o, at: i.at}
	}
	return p.stepped(o, tree.Step{Op: tree.Call, Function: f, Constants: constants, At: at}, i.at)
}

// cast parses the name of a type, and returns an item as a value of it. Where try is set, a constant that
// is none is NULL, and no error.
//
//every:step parse
func (p *parser) cast(i item, at int, try bool) item {
	t := p.tok
	to := value.Target{Precision: 18, Scale: 3} // of DECIMAL alone
	if t.kind == tokName {
		to.Name = value.TypeNamed(t.text)
	}
	if to.Name == value.NoType {
		return p.unexpected("the name of a type is expected: DATE, TIMESTAMP, DOUBLE, VARCHAR and so on")
	}
	switch p.advance(); {
	case to.Name == value.ToDouble:
		p.accept("PRECISION")
	case to.Name == value.ToTimestamp && p.withZone():
		to.Name = value.ToInstant
	}
	if p.accept("(") { // DECIMAL(9, 2), or VARCHAR(9), whose length DuckDB ignores, too
		to.Precision, _ = strconv.Atoi(p.advance().text)
		if to.Scale = 0; p.accept(",") {
			to.Scale, _ = strconv.Atoi(p.advance().text)
		}
		p.expect(")")
	}
	switch {
	case to.Name != value.ToDecimal:
		to = value.Target{Name: to.Name}
	case to.Precision < 1 || to.Precision > 38 || to.Scale < 0 || to.Scale > to.Precision:
		return p.fail(t.at, "DECIMAL(9, 2) is expected: up to 38 digits, of which up to as many stand behind the point")
	}
	return p.castTo(i, to, at, try)
}

// withZone skips WITH TIME ZONE, or WITHOUT TIME ZONE, and reports whether it was the first.
func (p *parser) withZone() bool {
	with := p.tok.is("WITH")
	if p.following.is("TIME") && (with || p.tok.is("WITHOUT")) {
		p.advance()
		p.advance()
		p.expect("ZONE")
		return with
	}
	return false
}

// atZone parses AT TIME ZONE 'name' behind an item.
func (p *parser) atZone(left item) item {
	at := p.advance().at
	p.advance()
	p.expect("ZONE")
	if p.tok.kind != tokString {
		p.unexpected("the name of a time zone is expected, as 'Europe/Berlin'")
	}
	return p.function(function.Named("timezone"), []*value.Literal{value.Of(p.advance().text)}, left, at)
}

// castTo returns an item as a value of a type.
//
//every:step parse
func (p *parser) castTo(i item, to value.Target, at int, try bool) item {
	if i.choices != nil {
		return p.chosen(i, func(i item) item { return p.castTo(i, to, at, try) })
	}
	o := p.operand(i)
	if o.Literal == nil {
		return p.stepped(o, tree.Step{Op: tree.Cast, To: to, At: at}, i.at)
	}
	l, fault := o.Literal.Cast(to)
	if fault != "" && try {
		return nullAt(i.at)
	} else if fault != "" {
		return p.fail(i.at, fault)
	}
	return valueAt(i.at, l)
}

// now returns the time of parsing in UTC, or its day.
func (p *parser) now(day bool) *value.Literal {
	l := value.Of(time.Now()).AsInstant()
	if day {
		return &value.Literal{Kind: value.LitDate, Days: l.Days}
	}
	return l
}

// interval parses INTERVAL '1 day', INTERVAL 1 DAY or INTERVAL '1' DAY.
func (p *parser) interval() *value.Literal {
	p.advance()
	sign := ""
	if p.accept("-") {
		sign = "-"
	}
	t := p.advance()
	if t.kind == tokNumber || value.IsIntervalUnit(p.tok.text) && strings.Trim(t.text, "0123456789.+- ") == "" {
		l := &value.Literal{Kind: value.LitInterval}
		if p.tok.kind != tokName || !value.AddInterval(l, sign+strings.TrimSpace(t.text), p.tok.text) {
			p.unexpected("a unit is expected, which the number fits: year, month, week, day, hour, minute, second and so on")
			return l
		}
		p.advance()
		return l
	}
	l, ok := value.ParseInterval(t.text)
	if !ok || sign != "" {
		p.fail(t.at, "not an INTERVAL, which is written like '1 day', '-2 months' or '1 hour 30 minutes'")
		return &value.Literal{}
	}
	return l
}

// operator returns the operation of a sign between two values; ok is false for other tokens.
//
//every:step parse
func operator(t token) (op value.Arithmetic, ok bool) {
	for _, op := range [...]value.Arithmetic{value.Add, value.Subtract, value.Multiply, value.Divide, value.Modulo, value.Power, value.BitAnd, value.BitOr} {
		if t.is(op.String()) {
			return op, t.kind == tokSign
		}
	}
	return value.Power, t.is("**")
}
