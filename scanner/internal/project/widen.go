package project

import (
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
)

// Wider returns the least type that has all values of some types, as ConversionOf converts them. ok is
// false if there is none. The order of the types does not matter.
func Wider(types ...vector.Type) (t vector.Type, ok bool) {
	// A decimal or a DOUBLE has the values of integers one by one that have no common integer type.
	last := func(t vector.Type) bool { return IntegerBits(t) > 0 }
	types = slices.SortedFunc(slices.Values(types), func(a, b vector.Type) int {
		if last(a) != last(b) {
			return map[bool]int{true: 1, false: -1}[last(a)]
		}
		return strings.Compare(a.String(), b.String())
	})
	t, ok = types[0], true
	for _, more := range types[1:] {
		u, wider := widerOf(t, more)
		if !wider {
			u, wider = widerOf(more, t)
		}
		t, ok = u, ok && wider
	}
	return t, ok
}

// widerOf is Wider for two types in one of their orders.
//
//every:logical conversion but MAP LIST UUID FLOAT16 VARIANT GEOMETRY GEOGRAPHY FILE (they have none)
func widerOf(a, b vector.Type) (vector.Type, bool) {
	for _, t := range [...]*vector.Type{&a, &b} {
		if t.IsLongStamp() && a != b && a.Logical != vector.Null && b.Logical != vector.Null {
			t.Physical, t.Length = vector.Int64, 0
		}
	}
	bits := IntegerBits(a)
	switch {
	case a == b || a.Logical == vector.Null:
		return b, true
	case isBytes(a) && isBytes(b):
		return widerBytes(a, b), true
	case bits > 0 && IntegerBits(b) > 0:
		return widerInteger(a, b)
	case bits > 0 && bits <= 32 && (plainType(b) == vector.Float || plainType(b) == vector.Double), plainType(a) == vector.Float && plainType(b) == vector.Double:
		return vector.Type{Physical: vector.Double}, true
	case b.Logical == vector.Decimal && (a.Logical == vector.Decimal || asDecimal(a) != a):
		return widerDecimal(asDecimal(a), b)
	case a.Logical == vector.Date && plainType(b) == vector.Int96:
		return vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Micros}, true
	case plainType(a) == vector.Int96 && b.Logical == vector.Timestamp:
		b.Unit = max(b.Unit, vector.Micros)
		return b, true
	case a.Logical == vector.Date && b.Logical == vector.Timestamp && !b.UTC:
		return b, true
	case a.Logical == vector.Timestamp || a.Logical == vector.Time:
		return b, a.Logical == b.Logical && a.UTC == b.UTC && b.Unit > a.Unit
	}
	return a, false
}

// widerBytes returns STRING for two types of text, and bytes if one of them may have no text.
func widerBytes(a, b vector.Type) vector.Type {
	t := vector.Type{Physical: vector.ByteArray, Logical: vector.String}
	for _, logical := range []vector.Logical{a.Logical, b.Logical} {
		if logical == vector.None || logical == vector.BSON {
			t.Logical = vector.None
		}
	}
	return t
}

// widerInteger returns the larger of two integers; of an unsigned one and a signed one that is no
// larger, the next signed one.
func widerInteger(a, b vector.Type) (vector.Type, bool) {
	if IsSigned(a) && !IsSigned(b) || IsSigned(a) == IsSigned(b) && IntegerBits(a) > IntegerBits(b) {
		a, b = b, a
	}
	n := IntegerBits(b)
	if IsSigned(a) != IsSigned(b) && IntegerBits(a) >= n {
		n = 2 * IntegerBits(a)
	}
	t := vector.Type{Physical: vector.Int32}
	switch {
	case n == IntegerBits(b):
		return b, true
	case n == 64:
		t.Physical = vector.Int64
	case n < 32:
		t.Logical, t.Bits, t.Signed = vector.Integer, uint8(n), true
	}
	return t, n <= 64
}

// asDecimal returns an integer's type as the decimal that has its values, for all but UINT64.
func asDecimal(t vector.Type) vector.Type {
	bits := IntegerBits(t)
	if bits == 0 || bits == 64 && !IsSigned(t) {
		return t
	}
	digits := map[int]int32{8: 3, 16: 5, 32: 10, 64: 19}
	return vector.Type{Physical: t.Physical, Logical: vector.Decimal, Precision: digits[bits]}
}

// widerDecimal returns the decimal with the digits of two on either side of the point, which 16 bytes
// must hold.
func widerDecimal(a, b vector.Type) (vector.Type, bool) {
	t := vector.Type{Logical: vector.Decimal, Scale: max(a.Scale, b.Scale)}
	t.Precision = max(a.Precision-a.Scale, b.Precision-b.Scale) + t.Scale
	switch {
	case b.Precision == t.Precision && b.Scale == t.Scale:
		return b, true
	case t.Precision <= 9:
		t.Physical = vector.Int32
	case t.Precision <= 18:
		t.Physical = vector.Int64
	default:
		t.Physical, t.Length = vector.FixedLenByteArray, 16
	}
	return t, t.Precision <= 38
}
