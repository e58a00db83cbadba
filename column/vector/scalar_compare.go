package vector

import (
	"bytes"
	"cmp"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Equal reports whether s and o have the same type and the same value. Here NULL equals
// NULL and NaN equals NaN; zeros of either sign are equal, as are encodings of one decimal.
func (s Scalar) Equal(o Scalar) bool {
	if s.typ != o.typ || s.valid != o.valid || s.Layout() != o.Layout() {
		return false
	}
	if !s.valid {
		return true
	}
	if s.nested != nil {
		return equalSlots(s.nested, 0, o.nested, 0)
	}
	if order, ok := s.Compare(o); ok {
		return order == 0
	}
	a, isFloat := s.Float64()
	b, _ := o.Float64()
	return isFloat && a != a && b != b || s.plain == o.plain
}

// equalSlots reports whether slot i of a equals slot j of b.
func equalSlots(a *Vector, i int, b *Vector, j int) bool {
	if a.Layout != b.Layout || a.Type != b.Type || a.IsNull(i) != b.IsNull(j) || len(a.Children) != len(b.Children) {
		return false
	}
	if a.Layout == Leaf {
		return a.Scalar(i).Equal(b.Scalar(j))
	}
	if a.IsNull(i) {
		return true
	}
	fromA, fromB, n := i, j, 1
	if a.Layout != Struct {
		fromA, fromB, n = int(a.Offsets[i]), int(b.Offsets[j]), int(a.Offsets[i+1]-a.Offsets[i])
		if n != int(b.Offsets[j+1]-b.Offsets[j]) {
			return false
		}
	}
	for c := range a.Children {
		for k := range n {
			if !equalSlots(a.Children[c], fromA+k, b.Children[c], fromB+k) {
				return false
			}
		}
	}
	return true
}

// Compare returns -1, 0 or 1 if s sorts before o, with it or behind it, in the order of
// their type. ok is false if the types differ or have no order, and if one is NULL, NaN, a
// struct, a list or a map.
//
//every:logical scalar order but MAP LIST (layouts)
func (s Scalar) Compare(o Scalar) (order int, ok bool) {
	if !s.valid || !o.valid || s.typ != o.typ || s.typ.Physical == Group {
		return 0, false
	}
	a, b := []byte(s.plain), []byte(o.plain)
	switch s.typ.Logical {
	case Null, Interval, Geometry, Geography, Variant, File, Unrecognised:
		return 0, false
	case Decimal:
		if st := s.typ.Store(); st == InFixed || st == InViews {
			return bits.CompareDecimals(a, b), true
		}
	case None, String, Enum, JSON, BSON, Date, Time, Timestamp, Integer, UUID, Float16:
	}
	if x, isFloat := s.Float64(); isFloat {
		y, _ := o.Float64()
		return cmp.Compare(x, y), x == x && y == y
	}
	switch {
	case s.typ.IsLongStamp():
		return CompareLongStamps(a, b), true
	case s.typ.Physical == Boolean:
		return cmp.Compare(a[0], b[0]), true
	case s.typ.Physical == Int96:
		dayA, nanosA := SplitInt96(a)
		dayB, nanosB := SplitInt96(b)
		return cmp.Or(cmp.Compare(dayA, dayB), cmp.Compare(nanosA, nanosB)), true
	case s.isUnsigned():
		x, _ := s.Uint64()
		y, _ := o.Uint64()
		return cmp.Compare(x, y), true
	case s.typ.Physical == Int32 || s.typ.Physical == Int64:
		x, _ := s.Int64()
		y, _ := o.Int64()
		return cmp.Compare(x, y), true
	}
	return bytes.Compare(a, b), true
}
