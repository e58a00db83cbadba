package project

import (
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
)

// types are those that other types widen to or from, and some that none does.
func types() (all []vector.Type) {
	add := func(t ...vector.Type) { all = append(all, t...) }
	for p := vector.Boolean; p <= vector.ByteArray; p++ {
		add(vector.Type{Physical: p}, vector.Type{Physical: p, Logical: vector.Null})
	}
	for _, bits := range []uint8{8, 16, 32, 64} {
		p := map[bool]vector.Physical{false: vector.Int32, true: vector.Int64}[bits == 64]
		add(vector.Type{Physical: p, Logical: vector.Integer, Bits: bits}, vector.Type{Physical: p, Logical: vector.Integer, Bits: bits, Signed: true})
	}
	for _, l := range []vector.Logical{vector.String, vector.JSON, vector.BSON, vector.Geometry} {
		add(vector.Type{Physical: vector.ByteArray, Logical: l})
	}
	for _, d := range [][2]int32{{4, 2}, {9, 2}, {18, 4}, {20, 0}, {38, 10}, {38, 0}} {
		add(vector.Type{Physical: vector.FixedLenByteArray, Length: 16, Logical: vector.Decimal, Precision: d[0], Scale: d[1]})
	}
	for _, utc := range []bool{false, true} {
		for unit := vector.Millis; unit <= vector.Nanos; unit++ {
			add(vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: unit, UTC: utc})
			p := map[bool]vector.Physical{true: vector.Int32, false: vector.Int64}[unit == vector.Millis]
			add(vector.Type{Physical: p, Logical: vector.Time, Unit: unit, UTC: utc})
		}
	}
	add(vector.Type{Physical: vector.Int32, Logical: vector.Date}, vector.Type{Physical: vector.FixedLenByteArray, Length: 16, Logical: vector.UUID})
	for _, n := range []int32{4, vector.MaxFixed + 1} {
		add(vector.Type{Physical: vector.FixedLenByteArray, Length: n})
	}
	return all
}

// Types widen to one that each of them converts to, in any order.
func TestWider(t *testing.T) {
	all := types()
	pairs := 0
	for _, a := range all {
		for _, b := range all {
			if w, ok := Wider(a, b); ok && a != b {
				pairs++
			} else if a == b && w != a {
				t.Errorf("%v is widened to %v", a, w)
			}
			for _, c := range all {
				w, ok := Wider(a, b, c)
				for _, order := range [][]vector.Type{{c, b, a}, {b, c, a}, {a, b, c, a}} {
					if again, sure := Wider(order...); again != w && ok || sure != ok {
						t.Fatalf("%v: %v %v, and %v: %v %v", []vector.Type{a, b, c}, w, ok, order, again, sure)
					}
				}
				for _, have := range []vector.Type{a, b, c} {
					if _, converts := ConversionOf(have, w); ok && !converts {
						t.Fatalf("%v has the wider type %v, to which %v does not convert", []vector.Type{a, b, c}, w, have)
					}
				}
			}
		}
	}
	if pairs < 600 {
		t.Errorf("%d pairs have a wider type", pairs)
	}
}
