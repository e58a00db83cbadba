package value

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/big"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Comparison is one of = <> < <= > >=.
type Comparison uint8

const (
	Eq Comparison = iota
	Ne
	Lt
	Le
	Gt
	Ge
)

func (c Comparison) String() string {
	return [...]string{"=", "<>", "<", "<=", ">", ">="}[c]
}

// Mirrored returns the equivalent comparison for swapped sides.
func (c Comparison) Mirrored() Comparison {
	return [...]Comparison{Eq, Ne, Gt, Ge, Lt, Le}[c]
}

// Holds reports whether the comparison is TRUE of two values, given their order:
// negative, 0 or positive.
func (c Comparison) Holds(order int) bool {
	const less, equal, greater = 1, 2, 4
	holds := [...]int{Eq: equal, Ne: less | greater, Lt: less, Le: less | equal, Gt: greater, Ge: greater | equal}[c]
	return holds>>(1+cmp.Compare(order, 0))&1 != 0
}

// Family is a set of types whose values can be compared with each other.
type Family uint8

const (
	Numbers Family = iota
	ByteStrings
	UUIDs
	Booleans
	Moments
	Times
	Unordered
	Spans // between moments
)

// FamilyOf returns the family of a domain's type.
func FamilyOf(d *Domain) Family {
	switch {
	case d.Type.Physical == vector.Boolean:
		return Booleans
	case d.Type.Logical == vector.UUID:
		return UUIDs
	case d.Type.Logical == vector.Date || d.Type.Logical == vector.Timestamp || d.Kind == OfInt96:
		return Moments
	case d.Type.Logical == vector.Time:
		return Times
	case !d.Ordered():
		return Unordered
	case d.Kind == OfBytes:
		return ByteStrings
	}
	return Numbers
}

// CompareFloat compares a number with a float of a domain: exactly, or if rounded is set,
// by the float nearest to it, as decimal literals compare.
func CompareFloat(a *big.Rat, f float64, rounded bool, of *Domain) int {
	switch {
	case f != f:
		return 0
	case math.IsInf(f, 0):
		return cmp.Compare(0, f)
	case rounded:
		return cmp.Compare(of.nearest(a), f)
	}
	return a.Cmp(new(big.Rat).SetFloat64(f))
}

// Exact returns the exact value of a number, or the nanoseconds of a date,
// timestamp or time.
func (d *Domain) Exact(plain []byte) *big.Rat {
	t := d.Type
	v := new(big.Int)
	switch d.Kind {
	case OfByteDecimals:
		bits.SetSigned(v, bits.Significant(d.bigEndian(plain)))
	case OfInt96:
		days, nanos := vector.SplitInt96(plain)
		v.Mul(big.NewInt(days), big.NewInt(NanosPerDay))
		return new(big.Rat).SetInt(v.Add(v, big.NewInt(nanos)))
	case OfUints:
		v.SetUint64(uint64(d.Integer(plain)))
	default:
		v.SetInt64(d.Integer(plain))
	}
	switch t.Logical {
	case vector.Date:
		v.Mul(v, big.NewInt(NanosPerDay))
	case vector.Timestamp, vector.Time:
		v.Mul(v, big.NewInt(1e9/t.Unit.PerSecond()))
	case vector.Decimal:
		return new(big.Rat).SetFrac(v, PowerOf10(int(t.Scale)))
	}
	return new(big.Rat).SetInt(v)
}

// PowerOf10 returns 10^n.
func PowerOf10(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// Scaled returns n × 10^scale; ok is false where an int64 does not hold it.
func Scaled(n int64, scale int32) (by int64, ok bool) {
	for range scale {
		if n > math.MaxInt64/10 || n < math.MinInt64/10 {
			return 0, false
		}
		n *= 10
	}
	return n, true
}

// Rat returns the number as a fraction.
func (n Number) Rat() *big.Rat {
	power := PowerOf10(max(n.Exp, -n.Exp))
	if n.Exp >= 0 {
		return new(big.Rat).SetInt(power.Mul(power, n.Coef))
	}
	return new(big.Rat).SetFrac(n.Coef, power)
}

// Families is a set of families, one bit for each.
type Families uint8

// Only returns the set of one family.
func (f Family) Only() Families { return 1 << f }

// Integer returns a stored integer, a UINT64 reinterpreted as signed.
func (d *Domain) Integer(plain []byte) int64 {
	switch {
	case d.Type.Physical == vector.Boolean:
		return int64(plain[0] & 1)
	case d.Type.Physical == vector.Int64:
		return int64(binary.LittleEndian.Uint64(plain))
	case d.Kind == OfUints:
		return int64(binary.LittleEndian.Uint32(plain))
	}
	return int64(int32(binary.LittleEndian.Uint32(plain)))
}
