package filter

import (
	"encoding/binary"
	"math"
	"math/big"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
)

// position locates a literal among the values of a column. Below the cut lo are
// the values less than the literal, below hi those not greater. The cuts
// coincide where no value of the type equals the literal. So each comparison rounds
// in its own direction, and equality is exact:
//
//	x <  2.5    up to lo        integers  … 1 2 | 3 4 …
//	x <= 2.5    up to hi                     lo = hi
//	x =  2.5    from lo to hi
type position struct {
	lo, hi cut
	nan    bool // the literal is NaN, which compares with no value
}

// compare returns the values v for which "v c literal" is TRUE.
func (s position) compare(c comparison) subset {
	if s.nan {
		if c == ne {
			return subset{}.negated()
		}
		return subset{}
	}
	first, last := cut{end: -1}, cut{end: 1}
	switch c {
	case lt:
		return between(first, s.lo)
	case le:
		return between(first, s.hi)
	case gt:
		return between(s.hi, last)
	case ge:
		return between(s.lo, last)
	case eq:
		return between(s.lo, s.hi)
	}
	return between(s.lo, s.hi).negated()
}

// place returns the position of a literal among the domain's values. The text is
// the error where the two types do not compare, else "". The caller handles NULL.
func (d *domain) place(l *literal) (position, string) {
	t := d.typ
	mismatch := func() (position, string) {
		return position{}, "cannot be compared with " + l.kind.String() + ": it is " + t.String()
	}
	switch {
	case l.kind == litBad:
		return position{}, l.s
	case d.kind == ofUnknown:
		return position{}, ""
	case l.kind == litString:
		return d.placeString(l)
	case t.Logical == vector.Date || t.Logical == vector.Timestamp || d.kind == ofInt96:
		if l.kind != litDate && l.kind != litStamp {
			return mismatch()
		}
		return d.placeMoment(l)
	case t.Logical == vector.Time:
		if l.kind != litTime {
			return mismatch()
		}
		return d.placeRatio(big.NewInt(l.nanos), big.NewInt(1e9/t.Unit.PerSecond())), ""
	case t.Physical == vector.Boolean:
		if l.kind != litBool {
			return mismatch()
		}
		n := int64(0)
		if l.b {
			n = 1
		}
		return d.placeRatio(big.NewInt(n), big.NewInt(1)), ""
	case d.kind == ofBytes:
		if l.kind != litBinary {
			return mismatch()
		}
		return placeBytes(l.s), ""
	case l.kind == litFloat:
		return d.placeFloat(l.f, true), ""
	case l.kind != litNumber:
		return mismatch()
	case d.kind == ofFloats:
		f, exact := l.num.float()
		return d.placeFloat(f, exact), ""
	}
	if l.num.exp+int(t.Scale) == 0 {
		return d.placeWhole(l.num.coef), ""
	}
	num, den := l.num.ratio(int(t.Scale))
	return d.placeRatio(num, den), ""
}

// ratio returns the number times 10^scale.
func (n number) ratio(scale int) (num, den *big.Int) {
	e := n.exp + scale
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(e, -e))), nil)
	if e >= 0 {
		return power.Mul(power, n.coef), big.NewInt(1)
	}
	return n.coef, power
}

// float converts a number for comparison with floats. An approximate number means
// the double nearest to it. For an integer, and for a number beyond all doubles, f
// is the least double that is not below it, and exact reports whether f equals it.
func (n number) float() (f float64, exact bool) {
	if n.approx {
		f, _ = strconv.ParseFloat(n.coef.String()+"e"+strconv.Itoa(n.exp), 64)
		switch {
		case math.IsInf(f, 1):
			return f, false
		case math.IsInf(f, -1):
			return -math.MaxFloat64, false
		}
		return f, true
	}
	f, acc := new(big.Float).SetInt(n.coef).Float64()
	if acc == big.Below {
		return math.Nextafter(f, math.Inf(1)), false
	}
	return f, acc == big.Exact
}

// placeFloat returns the position of a literal, given the least double f that is
// not below it, and whether f equals it. Outside of floating-point columns f is NaN
// or an infinity.
func (d *domain) placeFloat(f float64, exact bool) position {
	at := func(f float64) cut {
		if math.IsInf(f, -1) {
			return cut{end: -1}
		}
		return cut{key: floatKey(f)}
	}
	if math.IsNaN(f) {
		return position{nan: true}
	}
	switch {
	case d.kind == ofFloats:
	case math.IsInf(f, 1): // no value of any other kind is as high
		return position{lo: cut{end: 1}, hi: cut{end: 1}}
	default:
		return position{lo: cut{end: -1}, hi: cut{end: -1}}
	}
	c := d.ceil(f)
	s := position{lo: at(c), hi: at(c)}
	if exact && c == f {
		if math.IsInf(c, 1) {
			s.hi = cut{end: 1}
		} else {
			s.hi = at(d.nextUp(c))
		}
	}
	return s
}

// placeRatio returns the position of num/den among integers.
func (d *domain) placeRatio(num, den *big.Int) position {
	floor, rest := new(big.Int).DivMod(num, den, new(big.Int))
	s := d.placeWhole(floor)
	if rest.Sign() != 0 {
		s.lo = s.hi
	}
	return s
}

// placeWhole returns the position of an integer among integers.
func (d *domain) placeWhole(v *big.Int) position {
	if d.kind == ofInts && v.IsInt64() { // fast path for values within the range
		if n := v.Int64(); d.min.Int64() < n && n < d.max.Int64() {
			var both [16]byte // one allocation for both keys: IN lists may have many thousands of values
			binary.BigEndian.PutUint64(both[:], uint64(n)^1<<63)
			binary.BigEndian.PutUint64(both[8:], uint64(n+1)^1<<63)
			k := string(both[:])
			return position{lo: cut{key: k[:8]}, hi: cut{key: k[8:]}}
		}
	}
	return position{lo: d.cut(v), hi: d.cut(new(big.Int).Add(v, big.NewInt(1)))}
}

// cut returns the cut in front of the integer v.
func (d *domain) cut(v *big.Int) cut {
	switch {
	case d.min != nil && v.Cmp(d.min) <= 0:
		return cut{end: -1}
	case d.max != nil && v.Cmp(d.max) > 0:
		return cut{end: 1}
	case d.kind == ofByteDecimals:
		return cut{key: bigKey(v)}
	case d.kind == ofUints:
		return cut{key: uintKey(v.Uint64())}
	}
	return cut{key: intKey(v.Int64())}
}

// placeBytes returns the position of a string among strings of any length.
func placeBytes(s string) position {
	lo := cut{key: s}
	if s == "" {
		lo = cut{end: -1}
	}
	return position{lo: lo, hi: cut{key: s + "\x00"}} // no string lies between s and s + "\x00"
}

// placeMoment returns the position of a date or timestamp among dates or
// timestamps. The text is the error if the column allows no offset from UTC.
func (d *domain) placeMoment(l *literal) (position, string) {
	switch t := d.typ; {
	case !l.zone.hasOffset || t.UTC:
	case t.Logical == vector.Timestamp:
		return position{}, "is " + t.String() + ", whose times are local: leave out the Z or the offset"
	case l.zone.seconds != 0: // a DATE, or an INT96, is compared as if it was in UTC
		return position{}, "is " + t.String() + ", which has no zone: leave out the offset"
	}
	return d.placeUTC(l), ""
}

// placeUTC is placeMoment for a literal in UTC, which cannot fail.
func (d *domain) placeUTC(l *literal) position {
	if d.kind == ofInt96 {
		return placeInt96(l.days, l.nanos)
	}
	nanos := new(big.Int).Mul(big.NewInt(l.days), big.NewInt(nanosPerDay))
	nanos.Add(nanos, big.NewInt(l.nanos))
	if d.typ.Logical == vector.Date {
		return d.placeRatio(nanos, big.NewInt(nanosPerDay))
	}
	return d.placeRatio(nanos, big.NewInt(1e9/d.typ.Unit.PerSecond()))
}

// julianEpoch is the Julian day of 1970-01-01.
const julianEpoch = 2440588

func placeInt96(days, nanos int64) position {
	return position{
		lo: cut{key: string(appendInt96Key(nil, days, nanos))},
		hi: cut{key: string(appendInt96Key(nil, days, nanos+1))},
	}
}

// placeString returns the position of a string among strings. Where the column has
// UUIDs, dates, times or timestamps, it parses the string as one.
func (d *domain) placeString(l *literal) (position, string) {
	t, s := d.typ, l.s
	switch {
	case t.Logical == vector.UUID:
		b, ok := parseUUID(s)
		if !ok {
			return position{}, "is " + t.String() + ": a UUID is written '01234567-89ab-cdef-0123-456789abcdef'"
		}
		return placeBytes(b), ""
	case t.Logical == vector.Date || t.Logical == vector.Timestamp || d.kind == ofInt96:
		m, ok := parseMoment(s)
		if !ok {
			return position{}, "is " + t.String() + ": not a moment, which is written '2024-01-31', '2024-01-31 10:00:00.5' or '2024-01-31 10:00:00.5+02:00'"
		}
		return d.placeMoment(momentLiteral(m))
	case t.Logical == vector.Time:
		nanos, ok := parseTime(s)
		if !ok {
			return position{}, "is " + t.String() + ": a time is written '10:00:00.5'"
		}
		return d.placeRatio(big.NewInt(nanos), big.NewInt(1e9/t.Unit.PerSecond())), ""
	case d.kind == ofBytes:
		return placeBytes(s), ""
	}
	return position{}, "cannot be compared with a string: it is " + t.String()
}

// parseUUID parses 32 hexadecimal digits, with all dashes in their places or none.
func parseUUID(s string) (string, bool) {
	if len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' {
		s = s[:8] + s[9:13] + s[14:18] + s[19:23] + s[24:]
	}
	if len(s) != 32 {
		return "", false
	}
	b := make([]byte, 16)
	for i := range b {
		n, err := strconv.ParseUint(s[2*i:2*i+2], 16, 8)
		if err != nil || s[2*i] == '+' {
			return "", false
		}
		b[i] = byte(n)
	}
	return string(b), true
}
