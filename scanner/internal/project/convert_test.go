package project

import (
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
)

// Values that the wanted type lacks are NULL, each of them, and the first is told. The source keeps its NULLs.
func TestApplyLosesEachValue(t *testing.T) {
	const day = "\x01\x00\x00\x00"
	fixed, bytes := vector.Type{Physical: vector.FixedLenByteArray, Length: 16}, vector.Type{Physical: vector.ByteArray}
	decimal := func(t vector.Type, digits, scale int32) vector.Type {
		t.Logical, t.Precision, t.Scale = vector.Decimal, digits, scale
		return t
	}
	stamp := func(u vector.Unit) vector.Type {
		return vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: u}
	}
	int32s, int64s := vector.Type{Physical: vector.Int32}, vector.Type{Physical: vector.Int64}
	for _, c := range []struct {
		have, want           vector.Type
		good, bad, converted string
	}{
		{vector.Type{Physical: vector.Int32, Logical: vector.Date}, stamp(vector.Nanos), day, "\x00\x00\x00\x40", "1970-01-02T00:00:00"},
		{stamp(vector.Millis), stamp(vector.Nanos), day + "\x00\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\x00\x7f", "1970-01-01T00:00:00.001"},
		{vector.Type{Physical: vector.Int96}, stamp(vector.Micros), "\xe8\x03\x00\x00\x00\x00\x00\x00\x8d\x3d\x25\x00", "\xe9\x03\x00\x00\x00\x00\x00\x00\x8d\x3d\x25\x00", "1970-01-02T00:00:00.000001"},
		{decimal(bytes, 4, 2), decimal(int32s, 6, 4), "\x07", "\x7f\xff\xff", "0.0700"},
		{decimal(bytes, 4, 2), decimal(int64s, 16, 4), "\x07", "\x7f\xff\xff\xff\xff\xff\xff\xff\xff", "0.0700"},
		{decimal(bytes, 20, 2), decimal(fixed, 38, 4), "\x07", "\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "0.0700"},
		{decimal(bytes, 4, 2), decimal(bytes, 30, 4), "\x07", "\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "0.0700"},
		{decimal(bytes, 4, 2), decimal(bytes, 30, 2), "\x80", "\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "-1.28"},
		{decimal(int32s, 9, 2), decimal(int32s, 9, 2), "\x07\x00\x00\x00", "\xff\xff\xff\x7f", "0.07"},
	} {
		v := &vector.Vector{Type: c.have}
		for _, plain := range []string{c.good, c.bad, c.good, c.bad} {
			s, err := vector.PlainOf(c.have, []byte(plain))
			if err != nil {
				t.Fatal(c.have, err)
			}
			one := s.Vector(1)
			one.Flatten()
			build.AppendSlots(v, one, 0, 1)
		}
		build.AppendNulls(v, 1)
		conversion, ok := ConversionOf(c.have, c.want)
		if c.have == c.want {
			conversion, ok = &Conversion{to: c.want, values: decimalConversion(c.have, c.want)}, true
		}
		if !ok {
			t.Fatal(c.have, c.want)
		}
		out, bad := conversion.Apply(v)
		if bad != 1 || !v.IsNull(4) || v.IsNull(1) {
			t.Errorf("%v to %v: bad is %d", c.have, c.want, bad)
		}
		for i := range out.Len {
			if want := []string{c.converted, "NULL"}[i%2|i/4]; out.Scalar(i).String() != want {
				t.Errorf("%v to %v: slot %d is %v, not %s", c.have, c.want, i, out.Scalar(i), want)
			}
		}
	}
}
