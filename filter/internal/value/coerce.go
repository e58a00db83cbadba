package value

import (
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
)

// Position locates a literal among the values of a column. Below the cut lo are
// the values less than the literal, below hi those not greater. The cuts
// coincide where no value of the type equals the literal. So each comparison rounds
// in its own direction, and equality is exact:
//
//	x <  2.5    up to lo        integers  … 1 2 | 3 4 …
//	x <= 2.5    up to hi                     lo = hi
//	x =  2.5    from lo to hi
type Position struct {
	Lo, Hi Cut
	NaN    bool // the literal is NaN, which compares with no value
}

// Compare returns the values v for which "v c literal" is TRUE.
func (s Position) Compare(c Comparison) Subset {
	first, last := Cut{End: -1}, Cut{End: 1}
	from := [...]Cut{Eq: s.Lo, Ne: s.Lo, Lt: first, Le: first, Gt: s.Hi, Ge: s.Lo}[c]
	to := [...]Cut{Eq: s.Hi, Ne: s.Hi, Lt: s.Lo, Le: s.Hi, Gt: last, Ge: last}[c]
	out := Between(from, to)
	if s.NaN {
		out = Subset{}
	}
	if c == Ne {
		out = out.Negated()
	}
	return out
}

// written says how a literal of the domain is written, where it is mistyped for a number:
// 2024-01-31 without quotes is 1992.
func (d *Domain) written() string {
	switch t := d.Type; {
	case t.Logical == vector.Date || t.Logical == vector.Timestamp || d.Kind == OfInt96:
		return ", written '2024-01-31'"
	case t.Logical == vector.Time:
		return ", written '10:00:00.5'"
	case t.Logical == vector.String:
		return ", written 'text'"
	}
	return ""
}

// Place returns the position of a literal among the domain's values. The text is
// the error where the two types do not compare, else "". The caller handles NULL.
func (d *Domain) Place(l *Literal) (Position, string) {
	switch {
	case l.Kind == LitBad:
		return Position{}, l.Text
	case d.Kind == OfUnknown:
		return Position{}, ""
	case l.Kind == LitString && FamilyOf(d) != ByteStrings:
		spelled, fault := d.spelled(l.Text)
		if fault != "" {
			return Position{}, fault
		}
		l = spelled
	case l.Kind == LitNumber && FamilyOf(d) == Booleans && l.Number.isBit():
		l = &Literal{Kind: LitBool, Truth: l.Number.Coef.Sign() > 0}
	}
	switch {
	case !d.comparesWith(l.Kind):
		return Position{}, "cannot be compared with " + l.Kind.String() + ": it is " + d.Type.String() + d.written()
	case d.Kind == OfBytes:
		return PlaceBytes(l.Text), ""
	case l.Kind == LitNumber && d.Kind != OfFloats && l.Number.Exp+int(d.Type.Scale) == 0: // without fractions
		return d.placeWhole(l.Number.Coef), ""
	}
	var floats *Domain
	if d.Kind == OfFloats {
		floats = d
		if f, ok := d.floatOf(l); ok { // IN lists may have many
			return d.placeFloat(f), ""
		}
	}
	if fault := d.zoneFault(l); fault != "" {
		return Position{}, fault
	}
	n := l.number(floats, d.Type.Scale > 0)
	if n.isNaN {
		return Position{NaN: true}, ""
	}
	front, behind := n.sides()
	return Position{Lo: d.cutAt(front), Hi: d.cutAt(behind)}, ""
}

// comparesWith reports whether the domain's values compare with literals of a kind, strings
// that spell others aside.
func (d *Domain) comparesWith(k LitKind) bool {
	kinds := [...]uint16{
		Numbers: 1<<LitNumber | 1<<LitFloat, Booleans: 1 << LitBool, Moments: 1<<LitDate | 1<<LitStamp, Times: 1 << LitTime,
		ByteStrings: 1<<LitBinary | 1<<LitString, UUIDs: 1 << LitBinary, Unordered: 1 << LitBinary,
	}
	return kinds[FamilyOf(d)]>>k&1 != 0
}

// placeWhole returns the position of an integer among integers.
func (d *Domain) placeWhole(v *big.Int) Position {
	if d.Kind == OfInts && v.IsInt64() { // fast path for values within the range
		if n := v.Int64(); d.min.Int64() < n && n < d.max.Int64() {
			var both [16]byte // one allocation for both keys: IN lists may have many thousands of values
			binary.BigEndian.PutUint64(both[:], uint64(n)^1<<63)
			binary.BigEndian.PutUint64(both[8:], uint64(n+1)^1<<63)
			k := string(both[:])
			return Position{Lo: Cut{Key: k[:8]}, Hi: Cut{Key: k[8:]}}
		}
	}
	return Position{Lo: d.cut(v), Hi: d.cut(new(big.Int).Add(v, big.NewInt(1)))}
}

// cut returns the cut in front of the integer v.
func (d *Domain) cut(v *big.Int) Cut {
	switch {
	case d.min != nil && v.Cmp(d.min) <= 0:
		return Cut{End: -1}
	case d.max != nil && v.Cmp(d.max) > 0:
		return Cut{End: 1}
	case d.Kind == OfByteDecimals:
		return Cut{Key: bigKey(v)}
	case d.Kind == OfUints:
		return Cut{Key: uintKey(v.Uint64())}
	}
	return Cut{Key: intKey(v.Int64())}
}

// PlaceBytes returns the position of a string among strings of any length.
func PlaceBytes(s string) Position {
	lo := Cut{Key: s}
	if s == "" {
		lo = Cut{End: -1}
	}
	return Position{Lo: lo, Hi: Cut{Key: s + "\x00"}} // no string lies between s and s + "\x00"
}

// zoneFault returns the error's text if the column does not allow a literal's offset from UTC.
func (d *Domain) zoneFault(l *Literal) string {
	switch t := d.Type; {
	case !l.Zone.hasOffset || t.UTC:
	case t.Logical == vector.Timestamp:
		return "is " + t.String() + ", whose times are local: leave out the Z or the offset"
	case l.Zone.seconds != 0: // a DATE, or an INT96, is compared as if it was in UTC
		return "is " + t.String() + ", which has no zone: leave out the offset"
	}
	return ""
}

// JulianEpoch is the Julian day of 1970-01-01.
const JulianEpoch = 2440588

// spelled returns the literal of the domain's own kind that a string spells. The text is the
// error if it spells none, else "".
func (d *Domain) spelled(s string) (*Literal, string) {
	t := d.Type
	switch FamilyOf(d) {
	case UUIDs:
		if b, ok := parseUUID(s); ok {
			return &Literal{Kind: LitBinary, Text: b}, ""
		}
		return nil, "is " + t.String() + ": a UUID is written '01234567-89ab-cdef-0123-456789abcdef'"
	case Moments:
		if m, ok := ParseMoment(s); ok {
			return m, ""
		}
		if fault := UnknownZone(s); fault != "" {
			return nil, fault
		}
		return nil, "is " + t.String() + ": not a moment, which is written '2024-01-31', '2024-01-31 10:00:00.5' or '2024-01-31 10:00:00.5+02:00'"
	case Times:
		if nanos, ok := ParseTime(s); ok {
			return &Literal{Kind: LitTime, Nanos: nanos}, ""
		}
		return nil, "is " + t.String() + ": a time is written '10:00:00.5'"
	case Unordered:
		return &Literal{Kind: LitBinary, Text: s}, ""
	}
	if l, ok := spelledValue(s, t.Physical == vector.Boolean); ok {
		return l, ""
	}
	return nil, "cannot be compared with the string " + Abbreviated(s) + ": it is " + t.String()
}

// spelledValue returns the literal that a string spells, where it is compared with a boolean
// or a number. So x = '12.50' is x = 12.50.
func spelledValue(s string, boolean bool) (*Literal, bool) {
	if boolean {
		truth, ok := truths[strings.ToLower(s)]
		return &Literal{Kind: LitBool, Truth: truth}, ok
	}
	switch digits := strings.TrimLeft(s, "+-"); {
	case s == "NaN" || s == "Infinity" || s == "-Infinity":
		f, _ := ParseDouble(s)
		return &Literal{Kind: LitFloat, Double: f}, true
	case len(s)-len(digits) > 1 || digits == "" || strings.Trim(digits, "0123456789.eE+-") != "":
		return nil, false
	}
	n, fault := ParseNumber(s)
	return &Literal{Kind: LitNumber, Number: n}, fault == ""
}

// truths are the strings that spell a boolean.
var truths = map[string]bool{"true": true, "t": true, "yes": true, "y": true, "1": true, "false": false, "f": false, "no": false, "n": false, "0": false}

// ComparedWith returns what a literal stands for where it is compared with another: a string is what
// it spells.
func (l *Literal) ComparedWith(other *Literal) *Literal {
	number, moment := vector.Type{Physical: vector.Double}, vector.Type{Physical: vector.Int64, Logical: vector.Timestamp}
	types := map[LitKind]vector.Type{
		LitBool: {Physical: vector.Boolean}, LitNumber: number, LitFloat: number, LitDate: moment, LitStamp: moment,
		LitTime: {Physical: vector.Int64, Logical: vector.Time},
	}
	if t, ok := types[other.Kind]; ok {
		return l.As(DomainOf(t))
	}
	return l
}

// As returns what a literal stands for where it is compared with values of a domain: a string is
// what it spells.
func (l *Literal) As(d *Domain) *Literal {
	if l.Kind == LitString && FamilyOf(d) != ByteStrings && d.Kind != OfUnknown {
		if spelled, _ := d.spelled(l.Text); spelled != nil {
			return spelled
		}
	}
	return l
}

// parseUUID parses 32 hexadecimal digits, with all dashes in their places or none.
func parseUUID(s string) (string, bool) {
	if len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' {
		s = s[:8] + s[9:13] + s[14:18] + s[19:23] + s[24:]
	}
	b, err := hex.DecodeString(s)
	return string(b), err == nil && len(b) == 16
}
