package calculate

import (
	"math"
	"math/big"
	"slices"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// call is what a function with an inverse, or a cast, makes of the values of a term. Package value inverts
// the same functions.
type call struct {
	run     func(m *Memory, z, x *lane)           // sets the numbers; clears bits of valid where there are none, sets those of apart
	exactly func(l *value.Literal) *value.Literal // returns the result for one exact value, nil for NULL
	linear  bool                                  // it keeps the order of values, and has a result for each
}

// called returns a term like t whose values are those of a call.
func (t *Term) called(c call) *Term {
	return &Term{Family: t.Family, float: t.float, narrow: t.narrow, scale: t.scale, days: t.days, instant: t.instant, x: t, call: &c}
}

// unit is 10 to the power of n, 0 where no int64 holds it.
func unit(n int) int64 {
	by, _ := value.Scaled(1, int32(n))
	return by
}

// perDay returns how many units of a moment a day has.
func (t *Term) perDay() int64 {
	if t.days {
		return 1
	}
	return 86400 * unit(t.scale)
}

func same(_ *Memory, z, x *lane) { copy(z.ints, x.ints) }

// Call returns the term of what a function with an inverse returns for t, whose values it takes.
func (t *Term) Call(f value.Inverse, constants []*value.Literal) *Term {
	switch {
	case f == value.Seconds: // a number with a point
		t = t.in(max(t.scale, 1), false)
	case f == value.InZone || f == value.Truncation: // of a date, too
		t = t.in(t.scale, false)
	}
	out, perDay := t.called(call{run: same, linear: f != value.Absolute && f != value.InZone}), t.perDay()
	c := out.call
	c.exactly = func(l *value.Literal) *value.Literal { return f.Of(l, constants) }
	switch {
	case f == value.Years:
		out.Family, out.scale, out.days = value.Numbers, 0, false
		c.run = func(_ *Memory, z, x *lane) { z.ofDays(x.ints, perDay, 1, value.Year) }
	case f == value.Seconds:
		out.Family = value.Numbers
	case f == value.Truncation:
		if day, nanos := value.UnitOf(constants[0].Text); day != nil {
			c.run = func(_ *Memory, z, x *lane) { z.ofDays(x.ints, perDay, perDay, day) }
		} else if by := nanos / (value.NanosPerDay / perDay); by > 1 {
			c.run = func(_ *Memory, z, x *lane) { z.round(x.ints, by, by, value.Floor) }
		}
	case f == value.InZone:
		out.instant = !t.instant
		per, shift := unit(t.scale), value.ZoneShift(constants[0], out.instant)
		c.run = func(_ *Memory, z, x *lane) {
			for i := bits.Next(x.valid, 0, len(x.ints)); i < len(x.ints); i = bits.Next(x.valid, i+1, len(x.ints)) {
				if z.ints[i] = x.ints[i] + per*shift(value.FloorDiv(x.ints[i], per)); max(x.ints[i], -x.ints[i])>>62 != 0 { // near the ends
					bits.Set(z.apart, i)
				}
			}
		}
	case t.float:
		if t.narrow != nil {
			out.narrow = value.FloatsOf(false)
		}
		c.run = func(_ *Memory, z, x *lane) {
			f.Doubles(z.floats, x.floats, constants)
			for i := 0; i < len(z.floats) && out.narrow != nil; i++ {
				z.floats[i] = float64(float32(z.floats[i]))
			}
		}
	case f == value.Absolute:
		c.run = func(_ *Memory, z, x *lane) {
			for i, n := range x.ints {
				if z.ints[i] = max(n, -n); n == math.MinInt64 {
					bits.Set(z.apart, i)
				}
			}
		}
	case f == value.Sign:
		out.scale = 0
		c.run = func(_ *Memory, z, x *lane) {
			for i, n := range x.ints {
				z.ints[i] = n>>63 | int64(uint64(-n)>>63)
			}
		}
	default:
		if by := t.scale - value.Digits(f, constants); by > 0 {
			c.run = func(_ *Memory, z, x *lane) { z.round(x.ints, unit(by), unit(by), f) }
		}
	}
	return out
}

// Cast returns the term of a cast of t. The text is the error if there is none, else "".
func (t *Term) Cast(to value.Target) (*Term, string) {
	exactly := func(l *value.Literal) *value.Literal {
		l, _ = l.Cast(to)
		return l
	}
	least, most := to.Ends()
	numbers, moments := t.Family == value.Numbers || t.Family == value.Booleans, t.Family == value.Moments
	switch {
	case moments && to.Name == value.ToDate:
		out, perDay := t.called(call{linear: true, exactly: exactly}), t.perDay()
		out.days, out.scale, out.instant = true, 0, false
		out.call.run = func(_ *Memory, z, x *lane) { z.round(x.ints, perDay, 1, value.Floor) }
		return out, ""
	case moments && (to.Name == value.ToTimestamp || to.Name == value.ToInstant):
		out := t.in(t.scale, false).called(call{linear: true, exactly: exactly, run: same})
		out.instant = to.Name == value.ToInstant
		return out, ""
	case numbers && to.Name == value.ToDouble:
		out := t.called(call{linear: true})
		out.Family, out.float, out.narrow = value.Numbers, true, nil
		out.call.run = func(m *Memory, z, x *lane) {
			t.round(m, x)
			copy(z.floats, x.floats)
			clear(z.apart)
		}
		return out, ""
	case !numbers || least == nil || t.float && new(big.Rat).Mul(most, new(big.Rat).SetInt(value.PowerOf10(to.Scale))).Num().BitLen() > 63:
		return nil, "is calculated, or compared with a column: CAST of it to " + to.String() + " is not supported there"
	}
	return t.castExact(to, least, most, exactly), ""
}

// castExact is Cast to integers or decimals, which is NULL beyond the ends of the type.
func (t *Term) castExact(to value.Target, least, most *big.Rat, exactly func(l *value.Literal) *value.Literal) *Term {
	if !t.float {
		t = t.in(max(t.scale, to.Scale), false)
	}
	out := t.called(call{exactly: exactly})
	out.Family, out.float, out.narrow, out.scale, out.cast = value.Numbers, false, nil, to.Scale, true
	ends := [2]int64{math.MinInt64, math.MaxInt64}
	for i, end := range [...]*big.Rat{least, most} {
		if n := new(big.Rat).Mul(end, out.units()).Num(); n.IsInt64() {
			ends[i] = n.Int64()
		}
	}
	factor, _ := out.units().Float64()
	out.call.run = func(m *Memory, z, x *lane) {
		if t.float {
			z.ofFloats(x.floats, factor, to.IsInteger())
		} else {
			z.round(x.ints, unit(t.scale-to.Scale), 1, value.Rounded)
		}
		for i, n := range z.ints {
			if (n < ends[0] || n > ends[1]) && !bits.Get(z.apart, i) {
				bits.Clear(z.valid, i)
			}
		}
	}
	return out
}

// Later returns the term of t plus or minus an interval, or of a date and a number of days. The text is the
// error where these do not go together, else "".
func (t *Term) Later(op value.Arithmetic, front bool, l *value.Literal) (*Term, string) {
	by, fault := value.Shift(op, l, front, t.days)
	if fault != "" {
		return nil, "is a moment: " + fault
	}
	if l.Kind == value.LitInterval {
		scale := t.scale
		for by.Nanos%unit(9-scale) != 0 {
			scale += 3
		}
		t = t.in(scale, false)
	}
	offset := big.NewRat(by.Days, 1)
	offset.Mul(offset, big.NewRat(t.perDay(), 1)).Add(offset, big.NewRat(by.Nanos/unit(9-t.scale), 1))
	out, perDay := t.called(call{linear: true, exactly: func(l *value.Literal) *value.Literal {
		l, _ = value.Calculate(value.Add, l, by)
		return l
	}}), t.perDay()
	far := offset.Num().BitLen() > 61 || 31*math.Abs(float64(by.Months))*float64(perDay) > 1<<61 // no int64 may hold the sum
	out.call.run = func(_ *Memory, z, x *lane) {
		for i, n := range x.ints {
			at := n
			if by.Months != 0 {
				day := value.FloorDiv(n, perDay)
				at += perDay * (value.AddMonths(day, by.Months) - day)
			}
			if z.ints[i] = at + offset.Num().Int64(); far || max(n, -n)>>62 != 0 {
				bits.Set(z.apart, i)
			}
		}
	}
	return out, ""
}

// ofDays sets z to times what a function returns for the days of moments. It is called once for neighbours
// on one day.
func (z *lane) ofDays(x []int64, perDay, times int64, of func(day int64) int64) {
	last, result := int64(0), of(0)
	for i, n := range x {
		if day := value.FloorDiv(n, perDay); day != last {
			last, result = day, of(day)
		}
		if z.ints[i] = result * times; times > 1 && max(result, -result) >= math.MaxInt64/times {
			bits.Set(z.apart, i)
		}
	}
}

// round sets z to multiples of by: those below x, above it, or the nearest, of which halves are away
// from 0. They are divided by it, and multiplied with times.
func (z *lane) round(x []int64, by, times int64, to value.Inverse) {
	if by == 0 { // no int64 holds it
		bits.SetRange(z.apart, 0, len(x))
		return
	}
	for i, n := range x {
		q := value.FloorDiv(n, by)
		if rest := n - q*by; rest > 0 && (to == value.Ceiling || to == value.Rounded && (rest > by-rest || rest == by-rest && n > 0)) {
			q++
		}
		z.ints[i] = q * times
		if change := z.ints[i] - n; times > 1 && change != 0 && (change > 0) != (z.ints[i] > n) { // nor this
			bits.Set(z.apart, i)
		}
	}
}

// ofFloats sets z to floats times a factor as integers, halves away from 0 or to the even one.
func (z *lane) ofFloats(x []float64, factor float64, even bool) {
	for i, f := range x {
		if f *= factor; even {
			f = math.RoundToEven(f)
		} else {
			f = math.Round(f)
		}
		if f >= -1<<63 && f < 1<<63 {
			z.ints[i] = int64(f)
		} else {
			bits.Clear(z.valid, i)
		}
	}
}

// settle calls exactly for the rows apart, of which those that 64 bits hold are no longer apart.
func (t *Term) settle(m *Memory, l *lane) {
	delete(m.called, t)
	bits.And(l.apart, l.valid)
	for i := bits.Next(l.apart, 0, len(l.ints)); i < len(l.ints) && !t.float; i = bits.Next(l.apart, i+1, len(l.ints)) {
		r := t.result(m, i)
		if r == nil {
			bits.Clear(l.valid, i)
			bits.Clear(l.apart, i)
		} else if n := r.Mul(r, t.units()); n.IsInt() && n.Num().IsInt64() {
			l.ints[i] = n.Num().Int64()
			bits.Clear(l.apart, i)
		}
	}
	if m.called == nil {
		m.called = map[*Term]lane{}
	}
	m.called[t] = lane{ints: l.ints, apart: slices.Clone(l.apart)} // l.apart may get more
}

// units returns how many units of a term are 1, or a nanosecond of moments.
func (t *Term) units() *big.Rat {
	switch {
	case t.days:
		return big.NewRat(1, value.NanosPerDay)
	case t.Family == value.Moments:
		return big.NewRat(unit(t.scale), 1e9)
	}
	return new(big.Rat).SetInt(value.PowerOf10(t.scale))
}

// result returns the exact result of a call for a row, nil for NULL.
func (t *Term) result(m *Memory, i int) *big.Rat {
	if l := m.called[t]; l.ints != nil && !bits.Get(l.apart, i) {
		n := big.NewRat(l.ints[i], 1)
		return n.Quo(n, t.units())
	}
	l := t.x.literal(t.x.fraction(m, i))
	if l != nil {
		l = t.call.exactly(l)
	}
	if l == nil || l.IsNull() {
		return nil
	}
	out, fault := Constant(l)
	if fault != "" {
		return nil
	}
	return out.exact
}

// literal returns an exact value of a term, nil for a moment that is out of range.
func (t *Term) literal(r *big.Rat) *value.Literal {
	if t.Family != value.Moments {
		n := new(big.Rat).Mul(r, t.units()).Num()
		return &value.Literal{Kind: value.LitNumber, Number: value.Number{Coef: n, Exp: -t.scale, Approx: t.scale > 0}}
	}
	days, nanos := new(big.Int).DivMod(r.Num(), big.NewInt(value.NanosPerDay), new(big.Int))
	l := &value.Literal{Kind: value.LitStamp, Days: days.Int64(), Nanos: nanos.Int64()}
	switch {
	case days.BitLen() > 38:
		return nil
	case t.days:
		l.Kind = value.LitDate
	case t.instant:
		l = l.AsInstant()
	}
	return l
}
