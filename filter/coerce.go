package filter

import (
	"encoding/binary"
	"math"
	"math/big"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
)

// span is where a literal stands among the values of a column: lo has all
// values in front of it that are less, hi all that are not greater. They are
// one and the same where no value equals the literal. So every comparison is
// rounded in its own direction, and equality is exact:
//
//	x <  2.5    up to lo        integers  … 1 2 | 3 4 …
//	x <= 2.5    up to hi                     lo = hi
//	x =  2.5    from lo to hi
type span struct {
	lo, hi cut
	nan    bool // equals nothing, is neither less nor greater
}

// compare returns the values that compare so to the literal.
func (s span) compare(c comparison) subset {
	if s.nan {
		if c == ne {
			return subset{}.others()
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
	return between(s.lo, s.hi).others()
}

// place converts a literal, once, to the type of a column. The text is what is
// wrong if there is no way. NULL has no place and is the caller's.
func (d *domain) place(l *literal) (span, string) {
	t := d.typ
	mismatch := func() (span, string) {
		return span{}, "cannot be compared with " + l.kind.String() + ": it is " + t.String()
	}
	switch {
	case l.kind == litBad:
		return span{}, l.s
	case d.kind == ofNothing:
		return span{}, ""
	case l.kind == litString:
		return d.placeString(l)
	case t.Logical == vector.Date || t.Logical == vector.Timestamp || d.kind == ofStamps:
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

// float returns the double next to an approximate number, which it then means.
// Of an integer, it is the least double that is not below, and exact tells
// whether it is equal. So it is for numbers beyond all doubles.
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

// placeFloat takes the least double that is not below the literal.
func (d *domain) placeFloat(f float64, exact bool) span {
	at := func(f float64) cut {
		if math.IsInf(f, -1) {
			return cut{end: -1}
		}
		return cut{key: floatKey(f)}
	}
	if math.IsNaN(f) {
		return span{nan: true}
	}
	switch {
	case d.kind == ofFloats:
	case math.IsInf(f, 1): // no value of any other kind is as high
		return span{lo: cut{end: 1}, hi: cut{end: 1}}
	default:
		return span{lo: cut{end: -1}, hi: cut{end: -1}}
	}
	c := d.ceil(f)
	s := span{lo: at(c), hi: at(c)}
	if exact && c == f {
		if math.IsInf(c, 1) {
			s.hi = cut{end: 1}
		} else {
			s.hi = at(d.up(c))
		}
	}
	return s
}

// placeRatio places num/den among integers.
func (d *domain) placeRatio(num, den *big.Int) span {
	floor, rest := new(big.Int).DivMod(num, den, new(big.Int))
	s := d.placeWhole(floor)
	if rest.Sign() != 0 {
		s.lo = s.hi
	}
	return s
}

// placeWhole places an integer among integers.
func (d *domain) placeWhole(v *big.Int) span {
	if d.kind == ofInts && v.IsInt64() { // most are not even near the ends
		if n := v.Int64(); d.min.Int64() < n && n < d.max.Int64() {
			var both [16]byte // one string for the two: there may be many thousands
			binary.BigEndian.PutUint64(both[:], uint64(n)^1<<63)
			binary.BigEndian.PutUint64(both[8:], uint64(n+1)^1<<63)
			k := string(both[:])
			return span{lo: cut{key: k[:8]}, hi: cut{key: k[8:]}}
		}
	}
	return span{lo: d.cut(v), hi: d.cut(new(big.Int).Add(v, big.NewInt(1)))}
}

// cut returns the place in front of the integer v.
func (d *domain) cut(v *big.Int) cut {
	switch {
	case d.min != nil && v.Cmp(d.min) <= 0:
		return cut{end: -1}
	case d.max != nil && v.Cmp(d.max) > 0:
		return cut{end: 1}
	case d.kind == ofBigs:
		return cut{key: bigKey(v)}
	case d.kind == ofUints:
		return cut{key: uintKey(v.Uint64())}
	}
	return cut{key: intKey(v.Int64())}
}

func placeBytes(s string) span {
	lo := cut{key: s}
	if s == "" {
		lo = cut{end: -1}
	}
	return span{lo: lo, hi: cut{key: s + "\x00"}} // nothing stands between the two
}

// placeMoment places a date or timestamp among dates or timestamps. The text is
// what is wrong with its offset.
func (d *domain) placeMoment(l *literal) (span, string) {
	switch t := d.typ; {
	case !l.zone.given || t.UTC:
	case t.Logical == vector.Timestamp:
		return span{}, "is " + t.String() + ", whose times are local: leave out the Z or the offset"
	case l.zone.east != 0: // a DATE, or an INT96, is compared as if it was in UTC
		return span{}, "is " + t.String() + ", which has no zone: leave out the offset"
	}
	return d.placeUTC(l), ""
}

// placeUTC is placeMoment for what is in UTC.
func (d *domain) placeUTC(l *literal) span {
	if d.kind == ofStamps {
		return placeStamp(l.days, l.nanos)
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

func placeStamp(days, nanos int64) span {
	return span{
		lo: cut{key: string(appendStampKey(nil, days, nanos))},
		hi: cut{key: string(appendStampKey(nil, days, nanos+1))},
	}
}

// placeString places a string among strings, or reads it as what the column
// has: a UUID, a date, a time.
func (d *domain) placeString(l *literal) (span, string) {
	t, s := d.typ, l.s
	switch {
	case t.Logical == vector.UUID:
		b, ok := parseUUID(s)
		if !ok {
			return span{}, "is " + t.String() + ": a UUID is written '01234567-89ab-cdef-0123-456789abcdef'"
		}
		return placeBytes(b), ""
	case t.Logical == vector.Date || t.Logical == vector.Timestamp || d.kind == ofStamps:
		m, ok := parseMoment(s)
		if !ok {
			return span{}, "is " + t.String() + ": not a moment, which is written '2024-01-31', '2024-01-31 10:00:00.5' or '2024-01-31 10:00:00.5+02:00'"
		}
		return d.placeMoment(momentLiteral(m))
	case t.Logical == vector.Time:
		nanos, ok := parseTime(s)
		if !ok {
			return span{}, "is " + t.String() + ": a time is written '10:00:00.5'"
		}
		return d.placeRatio(big.NewInt(nanos), big.NewInt(1e9/t.Unit.PerSecond())), ""
	case d.kind == ofBytes:
		return placeBytes(s), ""
	}
	return span{}, "cannot be compared with a string: it is " + t.String()
}

// parseUUID reads 32 hexadecimal digits, with dashes in their places or without.
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
