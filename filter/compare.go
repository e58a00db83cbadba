package filter

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"math/big"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// holds reports whether the comparison is TRUE of two values, given their order:
// negative, 0 or positive.
func (c comparison) holds(order int) bool {
	switch c {
	case eq:
		return order == 0
	case ne:
		return order != 0
	case lt:
		return order < 0
	case le:
		return order <= 0
	case gt:
		return order > 0
	}
	return order >= 0
}

// compileComparison compiles a comparison of two columns.
func (b *binder) compileComparison(e *Expr, w passWhen) *Node {
	l, ok := b.findScalar(e.left)
	if !ok {
		return &Node{}
	}
	r, ok := b.findScalar(e.right[0])
	switch {
	case !ok:
		return &Node{}
	case l.quant != noQuantifier || r.quant != noQuantifier:
		return b.fail(e.at, "the items of a list can be compared with values only")
	case l.domain.kind == ofUnknown || r.domain.kind == ofUnknown:
		return constantNode(w.passesNull())
	case familyOf(l.domain) != familyOf(r.domain):
		return b.fail(e.at, "cannot compare "+l.describe()+", which is "+l.domain.typ.String()+", with "+r.describe()+", which is "+r.domain.typ.String())
	case e.cmp != eq && e.cmp != ne && !(l.domain.ordered() && r.domain.ordered()):
		return b.fail(e.at, l.describe()+" and "+r.describe()+" have no order: they are "+l.domain.typ.String()+" and "+r.domain.typ.String())
	}
	c := &Compute{text: e.String(), pair: pairOf(&l, &r, e.cmp, w)}
	left, ok := b.bindScalar(c, &l)
	if !ok {
		return &Node{}
	}
	right, ok := b.bindScalar(c, &r)
	if !ok {
		return &Node{}
	}
	order := comparer(l.domain, r.domain)
	c.narrow = func(columns []*vector.Vector, n int, sel []uint64) {
		x, y := left(columns, n, sel), right(columns, n, sel)
		for i := bits.Next(sel, 0, n); i < n; i = bits.Next(sel, i+1, n) {
			pass := w.passesNull()
			if !x.IsNull(i) && !y.IsNull(i) {
				o, isNaN := order(x, y, i)
				pass = (isNaN && e.cmp == ne || !isNaN && e.cmp.holds(o)) == w.passesTrue()
			}
			if !pass {
				bits.Clear(sel, i)
			}
		}
	}
	n := &Node{Op: OpCompute, Compute: c}
	if len(c.Needs) == 0 { // both are constants
		sel := []uint64{1}
		c.narrow(nil, 1, sel)
		return constantNode(sel[0] != 0)
	}
	return n
}

// family is a set of types whose values can be compared with each other.
type family uint8

const (
	numbers family = iota
	byteStrings
	uuids
	booleans
	moments
	times
	unordered
)

func familyOf(d *domain) family {
	switch {
	case d.typ.Physical == vector.Boolean:
		return booleans
	case d.typ.Logical == vector.UUID:
		return uuids
	case d.typ.Logical == vector.Date || d.typ.Logical == vector.Timestamp || d.kind == ofInt96:
		return moments
	case d.typ.Logical == vector.Time:
		return times
	case !d.ordered():
		return unordered
	case d.kind == ofBytes:
		return byteStrings
	}
	return numbers
}

// comparer returns a function that compares slot i of two vectors, whose domains
// are of one family. Both slots must not be NULL.
func comparer(l, r *domain) func(x, y *vector.Vector, i int) (order int, isNaN bool) {
	switch {
	case l.kind == ofFloats && r.kind == ofFloats:
		return func(x, y *vector.Vector, i int) (int, bool) {
			var buf [8]byte
			f := l.float(plainSlot(&buf, x, i))
			g := r.float(plainSlot(&buf, y, i))
			return cmp.Compare(f, g), f != f || g != g
		}
	case l.kind == r.kind && (l.kind == ofBytes || sameUnits(l.typ, r.typ)):
		return func(x, y *vector.Vector, i int) (int, bool) {
			var a, b [24]byte
			k, _, _ := l.appendSlot(a[:0], x, i)
			o, _, _ := r.appendSlot(b[:0], y, i)
			return bytes.Compare(k, o), false
		}
	case l.kind == ofFloats:
		swapped := comparer(r, l)
		return func(x, y *vector.Vector, i int) (int, bool) {
			order, isNaN := swapped(y, x, i)
			return -order, isNaN
		}
	case r.kind == ofFloats:
		return func(x, y *vector.Vector, i int) (int, bool) {
			var buf [8]byte
			f := r.float(plainSlot(&buf, y, i))
			a := l.exact(plainSlot(&buf, x, i))
			return compareFloat(a, f, l.typ.Scale > 0), f != f
		}
	}
	return func(x, y *vector.Vector, i int) (int, bool) {
		var buf [8]byte
		a := l.exact(plainSlot(&buf, x, i))
		return a.Cmp(r.exact(plainSlot(&buf, y, i))), false
	}
}

// sameUnits reports whether the stored numbers of two types of a family have the
// same unit and scale, so that they compare as integers.
func sameUnits(l, r vector.Type) bool {
	return l.Scale == r.Scale && l.Unit == r.Unit
}

// compareFloat compares a number with a float: exactly, or if rounded is set, by
// the double nearest to it, as decimal literals compare.
func compareFloat(a *big.Rat, f float64, rounded bool) int {
	switch {
	case f != f:
		return 0
	case math.IsInf(f, 0):
		return cmp.Compare(0, f)
	case rounded:
		d, _ := a.Float64()
		return cmp.Compare(d, f)
	}
	return a.Cmp(new(big.Rat).SetFloat64(f))
}

// exact returns the exact value of a number, or the nanoseconds of a date,
// timestamp or time.
func (d *domain) exact(plain []byte) *big.Rat {
	t := d.typ
	v := new(big.Int)
	switch d.kind {
	case ofByteDecimals:
		b := vector.Significant(plain)
		v.SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(len(b))*8))
		}
	case ofInt96:
		days, nanos := vector.SplitInt96(plain)
		v.Mul(big.NewInt(days), big.NewInt(nanosPerDay))
		return new(big.Rat).SetInt(v.Add(v, big.NewInt(nanos)))
	default:
		var buf [8]byte
		k, _, _ := d.appendKey(buf[:0], plain)
		if d.kind == ofUints {
			v.SetUint64(binary.BigEndian.Uint64(k))
		} else {
			v.SetInt64(int64(binary.BigEndian.Uint64(k) ^ 1<<63))
		}
	}
	switch t.Logical {
	case vector.Date:
		v.Mul(v, big.NewInt(nanosPerDay))
	case vector.Timestamp, vector.Time:
		v.Mul(v, big.NewInt(1e9/t.Unit.PerSecond()))
	case vector.Decimal:
		return new(big.Rat).SetFrac(v, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Scale)), nil))
	}
	return new(big.Rat).SetInt(v)
}

func (n number) rat() *big.Rat {
	num, den := n.ratio(0)
	return new(big.Rat).SetFrac(num, den)
}
