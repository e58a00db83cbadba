package value

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
)

// TestNarrowed: a value is in the set that is left of one of a wider type, where it is in that as a value of it.
func TestNarrowed(t *testing.T) {
	i32, i64 := vector.Type{Physical: vector.Int32}, vector.Type{Physical: vector.Int64}
	float, double := vector.Type{Physical: vector.Float}, vector.Type{Physical: vector.Double}
	date, stamp := vector.Type{Physical: vector.Int32, Logical: vector.Date}, vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Millis}
	u32 := vector.Type{Physical: vector.Int32, Logical: vector.Integer, Bits: 32}
	fixed := vector.Type{Physical: vector.FixedLenByteArray, Length: 16, Logical: vector.Decimal, Precision: 25, Scale: 3}
	small := vector.Type{Physical: vector.Int32, Logical: vector.Decimal, Precision: 5, Scale: 2}
	literals := []*Literal{Of(0), Of(-1), Of(7), Of(7.5), Of(0.1), Of(int64(1) << 31), Of(int64(math.MinInt64)), Of(math.Inf(1)), Of(math.Inf(-1)), {Kind: LitFloat, Double: float64(float32(0.1))}, {Kind: LitFloat, Double: 0.1}}
	moments := []*Literal{{Kind: LitDate, Days: 1}, {Kind: LitStamp, Days: 1, Nanos: 1}, {Kind: LitStamp, Days: 1e6, Nanos: 1e6}, {Kind: LitDate, Days: -1e6}}
	for _, c := range []struct {
		from, to vector.Type
		literals []*Literal
	}{{i32, i64, literals}, {i32, double, literals}, {float, double, literals}, {u32, i64, literals}, {u32, double, literals}, {small, fixed, literals}, {i32, fixed, literals}, {date, stamp, moments}} {
		d, wide := DomainOf(c.from), DomainOf(c.to)
		for _, l := range c.literals {
			p, fault := wide.Place(l)
			if fault != "" {
				t.Fatal(fault)
			}
			for op := Eq; op <= Ge; op++ {
				set := p.Compare(op)
				narrow := d.Narrowed(&set, wide)
				if narrow.NaN != (set.NaN && d.HasNaN()) {
					t.Errorf("%s in %s %s %s: NaN %v", c.from, c.to, op, l, narrow.NaN)
				}
				for _, v := range []int32{0, 1, -1, 7, 8, 10, 75, 750, 1e6, -1e6, math.MaxInt32, math.MinInt32, math.MinInt32 + 1, int32(math.Float32bits(0.1)), int32(math.Float32bits(7.5)), int32(math.Float32bits(float32(math.Inf(1))))} {
					plain := binary.LittleEndian.AppendUint32(nil, uint32(v))
					k, isNaN, _ := d.AppendKey(nil, plain)
					if isNaN {
						continue
					}
					var w key
					if c.from == float {
						w = floatKey(float64(math.Float32frombits(uint32(v))))
					} else if at := d.Exact(plain); c.to == double {
						f, _ := at.Float64()
						w = floatKey(f)
					} else if w = wide.placeStored(at).Lo.Key; w == "" {
						t.Fatalf("%s: %d", c.to, v)
					}
					if got := narrow.hasBytes(k); got != set.hasBytes([]byte(w)) {
						t.Errorf("%s in %s %s %s: %d is in it: %v", c.from, c.to, op, l, v, got)
					}
				}
			}
		}
	}
}
