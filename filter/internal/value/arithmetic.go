package value

import "math/big"

// Calculate returns the result of arithmetic on two literals. The
// text is the error if the two do not go together, else "".
func Calculate(op Arithmetic, l, r *Literal) (*Literal, string) {
	if op == Subtract && r.Kind == LitInterval {
		op, r = Add, r.opposite()
	}
	if l.Kind == LitString && r.Kind == LitInterval {
		if m, ok := ParseMoment(l.Text); ok {
			l = m
		}
	}
	number := func(l *Literal) bool { return l.Kind == LitNumber || l.Kind == LitFloat }
	switch sum := op == Add || op == Subtract; {
	case op > Divide:
		return nil, op.String() + " of two constants is not supported: write its result"
	case l.Kind == LitNull || r.Kind == LitNull:
		return &Literal{}, ""
	case l.Kind == LitNumber && r.Kind == LitNumber:
		return calculateNumbers(op, l.Number, r.Number)
	case number(l) && number(r):
		return calculateDoubles(op, l, r)
	case op == Add && !l.IsMoment() && r.IsMoment(): // an interval or a number of days in front
		return Calculate(op, r, l)
	case op == Add && l.IsMoment() && r.Kind == LitInterval:
		return later(l, r)
	case sum && l.Kind == LitDate && r.Kind == LitNumber:
		by, fault := Shift(op, r, false, true)
		if fault != "" {
			return nil, fault
		}
		return later(l, by)
	case op == Subtract && l.Kind == LitDate && r.Kind == LitDate:
		return &Literal{Kind: LitNumber, Number: Number{Coef: big.NewInt(l.Days - r.Days)}}, ""
	case op == Add && l.Kind == LitInterval && r.Kind == LitInterval:
		out := *l
		if !out.addInterval(r.Months, r.Days, r.Nanos) {
			return nil, "an interval that is too long"
		}
		return &out, ""
	case op == Multiply && l.Kind == LitInterval && r.Kind == LitNumber:
		return multiplied(l, r.Number)
	case op == Multiply && r.Kind == LitInterval && l.Kind == LitNumber:
		return multiplied(r, l.Number)
	}
	return nil, "no arithmetic of " + l.Kind.String() + " with " + r.Kind.String()
}

// multiplied returns a whole multiple of an interval.
func multiplied(l *Literal, n Number) (*Literal, string) {
	out := &Literal{Kind: LitInterval}
	if by := n.Rat(); by.IsInt() && out.addMultiple(by, l.Months, l.Days, l.Nanos) {
		return out, ""
	}
	return nil, "an interval is multiplied by whole numbers only, and not without end"
}

// opposite returns an interval of the same length in the other direction.
func (l *Literal) opposite() *Literal {
	return &Literal{Kind: LitInterval, Months: -l.Months, Days: -l.Days, Nanos: -l.Nanos}
}

// later returns a moment plus an interval: a date if both are whole days.
func later(l, by *Literal) (*Literal, string) {
	out := *l
	out.Days = AddMonths(l.Days, by.Months) + by.Days
	if by.Nanos != 0 {
		out.Kind = LitStamp
		sum := l.Nanos + by.Nanos%NanosPerDay
		carry := FloorDiv(sum, NanosPerDay)
		out.Days += by.Nanos/NanosPerDay + carry
		out.Nanos = sum - carry*NanosPerDay
	}
	if !daysInRange(out.Days) {
		return nil, "a date that is out of range"
	}
	return &out, ""
}

// calculateNumbers calculates exactly. A quotient that no decimal equals becomes a double.
func calculateNumbers(op Arithmetic, l, r Number) (*Literal, string) {
	const tooLong = "a number of more than 4300 digits"
	if max(l.Exp, r.Exp)-min(l.Exp, r.Exp) > MaxDigits {
		return nil, tooLong
	}
	if op == Divide && r.Coef.Sign() == 0 {
		return nil, "division by zero"
	}
	z := op.Of(l.Rat(), r.Rat())
	approx := l.Approx || r.Approx || !z.IsInt()
	if z.IsInt() && !approx {
		if z.Num().BitLen() > mostBits {
			return nil, tooLong
		}
		return &Literal{Kind: LitNumber, Number: Number{Coef: new(big.Int).Set(z.Num())}}, ""
	}
	digits, terminates := z.FloatPrec()
	if !terminates || digits > MaxDigits {
		f, _ := z.Float64()
		return finite(f)
	}
	if z.Num().BitLen() > mostBits {
		return nil, tooLong
	}
	n, fault := ParseNumber(z.FloatString(max(digits, 1)))
	if fault != "" {
		return nil, fault
	}
	return &Literal{Kind: LitNumber, Number: n}, ""
}

// Of returns the exact result of two numbers, which a power does not have. The other one of / is not 0,
// and those of & are integers.
func (op Arithmetic) Of(x, y *big.Rat) *big.Rat {
	z := new(big.Rat)
	switch op {
	case Add:
		return z.Add(x, y)
	case Subtract:
		return z.Sub(x, y)
	case Multiply:
		return z.Mul(x, y)
	case Divide:
		return z.Quo(x, y)
	case BitOr:
		return z.SetInt(new(big.Int).Or(x.Num(), y.Num()))
	}
	return z.SetInt(new(big.Int).And(x.Num(), y.Num()))
}

// mostBits is as many bits as MaxDigits have.
const mostBits = 14000

// calculateDoubles calculates as with doubles.
func calculateDoubles(op Arithmetic, l, r *Literal) (*Literal, string) {
	double := func(l *Literal) float64 {
		if l.Kind == LitFloat {
			return l.Double
		}
		f, _ := l.Number.Rat().Float64()
		return f
	}
	x, y := double(l), double(r)
	switch op {
	case Add:
		return finite(x + y)
	case Subtract:
		return finite(x - y)
	case Multiply:
		return finite(x * y)
	}
	if y == 0 {
		return nil, "division by zero"
	}
	return finite(x / y)
}

func finite(f float64) (*Literal, string) {
	if f-f != 0 {
		return nil, "a number that is out of range"
	}
	return &Literal{Kind: LitFloat, Double: f}, ""
}
