package vector_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/validate"
)

var (
	int32Type    = vector.Type{Physical: vector.Int32}
	int64Type    = vector.Type{Physical: vector.Int64}
	floatType    = vector.Type{Physical: vector.Float}
	doubleType   = vector.Type{Physical: vector.Double}
	dateType     = vector.Type{Physical: vector.Int32, Logical: vector.Date}
	microsType   = vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Micros, UTC: true}
	timeType     = vector.Type{Physical: vector.Int32, Logical: vector.Time, Unit: vector.Millis}
	decimal4     = vector.Type{Physical: vector.Int32, Logical: vector.Decimal, Precision: 4, Scale: 2}
	decimal20    = vector.Type{Physical: vector.FixedLenByteArray, Length: 9, Logical: vector.Decimal, Precision: 20, Scale: 3}
	decimalBytes = vector.Type{Physical: vector.ByteArray, Logical: vector.Decimal, Precision: 40, Scale: 0}
	wholeType    = func(physical vector.Physical, size uint8, signed bool) vector.Type {
		return vector.Type{Physical: physical, Logical: vector.Integer, Bits: size, Signed: signed}
	}
)

// Each slot of each vector, of any layout and form, is a scalar; its vector has the same slots again.
func TestScalarsAreSlots(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for _, f := range fields() {
		for range 20 {
			v := random(r, f, 1+r.IntN(70))
			want := slots(v)
			for i := range v.Len {
				s := v.Scalar(i)
				if s.IsNull() != v.IsNull(i) || s.Type() != v.Type || s.Layout() != v.Layout {
					t.Fatalf("%s: slot %d, %s: another type or NULL", f.Name, i, want[i])
				}
				n := r.IntN(4)
				copies := s.Vector(n)
				if err := validate.Vector(copies); err != nil || copies.Form != vector.Constant || copies.Len != n {
					t.Fatalf("%s: slot %d, %s, as %d: %v", f.Name, i, want[i], n, err)
				}
				copies.Flatten()
				if err := validate.Vector(copies); err != nil {
					t.Fatal(err)
				}
				for _, got := range slots(copies) {
					if got != want[i] {
						t.Fatalf("%s: slot %d is %s, not %s", f.Name, i, got, want[i])
					}
				}
				if again := s.Vector(1).Scalar(0); !again.Equal(s) || !s.Equal(again) {
					t.Fatalf("%s: slot %d, %s: not equal to itself", f.Name, i, want[i])
				}
				j := r.IntN(v.Len)
				if equal := s.Equal(v.Scalar(j)); equal != (want[i] == want[j]) {
					t.Fatalf("%s: equal is %v: %s and %s", f.Name, equal, want[i], want[j])
				}
			}
		}
	}
}

// A scalar keeps its value whatever happens to the vector that it came from, or to its own vectors.
func TestScalarsDoNotChange(t *testing.T) {
	long := "a string that does not fit in a view"
	v := vector.StringOf(long).Vector(1)
	s := v.Scalar(0)
	clear(v.Buffers[0])
	clear(s.Vector(1).Buffers[0])
	b, _ := s.Bytes()
	clear(b)
	clear(s.Plain())
	list := &vector.Vector{Type: vector.Type{Physical: vector.Group}, Layout: vector.List, Len: 1, Offsets: []int32{0, 1}, Children: []*vector.Vector{s.Vector(1)}}
	list.Flatten()
	nested := list.Scalar(0)
	clear(list.Children[0].Buffers[0])
	clear(nested.Vector(1).Children[0].Buffers[0])
	if s.String() != long || nested.String() != `["`+long+`"]` {
		t.Errorf("%s, %s", s, nested)
	}
}

func TestScalarsOfGoValues(t *testing.T) {
	with := func(s vector.Scalar, err error) string {
		if err != nil {
			return "error: " + err.Error()
		}
		if err := validate.Vector(s.Vector(1)); err != nil {
			return err.Error()
		}
		return s.String()
	}
	intOf := func(typ vector.Type, v int64) string { return with(vector.IntOf(typ, v)) }
	at := time.Date(1969, 12, 31, 23, 59, 59, 999_999_000, time.UTC)
	for _, c := range []struct{ got, want string }{
		{vector.Scalar{}.String(), "NULL"},
		{vector.NullOf(int64Type).String(), "NULL"},
		{vector.BoolOf(true).String() + vector.BoolOf(false).String(), "truefalse"},
		{intOf(int32Type, math.MinInt32), "-2147483648"},
		{intOf(int32Type, math.MaxInt32+1), "error: 2147483648: no value of INT32"},
		{intOf(int64Type, math.MinInt64), "-9223372036854775808"},
		{intOf(wholeType(vector.Int32, 8, true), -128), "-128"},
		{intOf(wholeType(vector.Int32, 8, true), 128), "error: 128: no value of INT32 INT(8)"},
		{intOf(wholeType(vector.Int32, 16, false), 65535), "65535"},
		{intOf(wholeType(vector.Int32, 16, false), 65536), "error: 65536: no value of INT32 UINT(16)"},
		{intOf(wholeType(vector.Int32, 32, false), -1), "error: -1: no value of INT32 UINT(32)"},
		{intOf(wholeType(vector.Int64, 64, true), math.MinInt64), "-9223372036854775808"},
		{with(vector.UintOf(wholeType(vector.Int64, 64, false), math.MaxUint64)), "18446744073709551615"},
		{with(vector.UintOf(int64Type, math.MaxUint64)), "error: 18446744073709551615: no value of INT64"},
		{with(vector.UintOf(wholeType(vector.Int32, 32, false), 1<<32)), "error: 4294967296: no value of INT32 UINT(32)"},
		{intOf(floatType, 1), "error: 1: no value of FLOAT"},
		{intOf(dateType, -1), "1969-12-31"},
		{intOf(decimal4, -123), "-1.23"},
		{with(vector.FloatOf(floatType, 0.1)), "0.1"},
		{with(vector.FloatOf(doubleType, math.Inf(-1))), "-Infinity"},
		{with(vector.FloatOf(floatType, 1e300)), "error: 1e+300: no value of FLOAT"},
		{with(vector.FloatOf(int32Type, 1)), "error: 1: no value of INT32"},
		{vector.StringOf("å").String(), "å"},
		{with(vector.BytesOf(vector.Type{Physical: vector.FixedLenByteArray, Length: 2}, []byte{1, 2})), "AQI="},
		{with(vector.BytesOf(vector.Type{Physical: vector.FixedLenByteArray, Length: 3}, []byte{1, 2})), "error: 2 bytes: no value of FIXED_LEN_BYTE_ARRAY(3)"},
		{with(vector.BytesOf(int32Type, make([]byte, 4))), "error: bytes: no value of INT32"},
		{vector.UUIDOf([16]byte{15: 1}).String(), "00000000-0000-0000-0000-000000000001"},
		{with(vector.DecimalOf(decimal4, "-1.250")), "-1.25"},
		{with(vector.DecimalOf(decimal4, "99.99")), "99.99"},
		{with(vector.DecimalOf(decimal4, "100")), `error: "100": no value of INT32 DECIMAL(4,2)`},
		{with(vector.DecimalOf(decimal4, "1.255")), `error: "1.255": no value of INT32 DECIMAL(4,2)`},
		{with(vector.DecimalOf(decimal4, "-0")), "0.00"},
		{with(vector.DecimalOf(decimal4, "1e2")), `error: "1e2": no value of INT32 DECIMAL(4,2)`},
		{with(vector.DecimalOf(decimal4, "")), `error: "": no value of INT32 DECIMAL(4,2)`},
		{with(vector.DecimalOf(decimal4, "--1")), `error: "--1": no value of INT32 DECIMAL(4,2)`},
		{with(vector.DecimalOf(decimal20, "-12345678901234567.891")), "-12345678901234567.891"},
		{with(vector.DecimalOf(decimalBytes, "-170141183460469231731687303715884105728")), "-170141183460469231731687303715884105728"},
		{with(vector.DecimalOf(int32Type, "1")), `error: "1": no value of INT32`},
		{with(vector.TimeOf(microsType, at)), "1969-12-31T23:59:59.999999Z"},
		{with(vector.TimeOf(microsType, at.Add(1))), "error: 1969-12-31T23:59:59.999999001Z: no value of INT64 TIMESTAMP(MICROS,UTC)"},
		{with(vector.TimeOf(dateType, time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC))), "2024-02-29"},
		{with(vector.TimeOf(dateType, at)), "error: 1969-12-31T23:59:59.999999Z: no value of INT32 DATE"},
		{with(vector.TimeOf(vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Nanos}, time.Date(2263, 1, 1, 0, 0, 0, 0, time.UTC))),
			"error: 2263-01-01T00:00:00Z: no value of INT64 TIMESTAMP(NANOS,local)"},
		{with(vector.DurationOf(timeType, 25*time.Hour)), "25:00:00"},
		{with(vector.DurationOf(timeType, time.Microsecond)), "error: 1µs: no value of INT32 TIME(MILLIS,local)"},
		{with(vector.PlainOf(int32Type, []byte{1, 0, 0, 0})), "1"},
		{with(vector.PlainOf(int32Type, []byte{1})), "error: 1 bytes: no value of INT32"},
		{with(vector.PlainOf(int32Type, nil)), "NULL"},
		{with(vector.PlainOf(vector.Type{Physical: vector.Group}, []byte{1})), "error: bytes: no value of group"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

func TestScalarsAsGoValues(t *testing.T) {
	must := func(s vector.Scalar, err error) vector.Scalar {
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	at := time.Date(1969, 12, 31, 23, 59, 59, 999_999_000, time.UTC)
	half := must(vector.PlainOf(vector.Type{Physical: vector.FixedLenByteArray, Length: 2, Logical: vector.Float16}, []byte{0, 0x3e}))
	int96 := must(vector.PlainOf(vector.Type{Physical: vector.Int96}, []byte{5, 0, 0, 0, 0, 0, 0, 0, 0x8c, 0x3d, 0x25, 0}))
	show := func(v any, ok bool) string { return fmt.Sprint(v, " ", ok) }
	for i, s := range []vector.Scalar{
		vector.NullOf(int64Type), vector.BoolOf(true), must(vector.IntOf(int32Type, -5)), must(vector.PlainOf(wholeType(vector.Int32, 8, true), []byte{255, 0, 0, 0})),
		must(vector.UintOf(wholeType(vector.Int64, 64, false), math.MaxUint64)), must(vector.FloatOf(floatType, 1.5)), half, vector.StringOf("x"),
		must(vector.TimeOf(microsType, at)), must(vector.IntOf(dateType, 1)), int96, must(vector.DurationOf(timeType, time.Hour)),
	} {
		got := ""
		add := func(name string, v any, ok bool) {
			if ok {
				got += name + " " + fmt.Sprint(v) + "; "
			}
		}
		b, ok := s.Bool()
		add("bool", b, ok)
		n, ok := s.Int64()
		add("int", n, ok)
		u, ok := s.Uint64()
		add("uint", u, ok)
		f, ok := s.Float64()
		add("float", f, ok)
		text, ok := s.Bytes()
		add("bytes", text, ok)
		when, ok := s.Time()
		add("time", when.Format(time.RFC3339Nano), ok)
		d, ok := s.Duration()
		add("duration", d, ok)
		want := []string{
			"", "bool true; ", "int -5; ", "int -1; ", "uint 18446744073709551615; ", "float 1.5; ", "float 1.5; bytes [0 62]; ", "bytes [120]; ",
			"int -1; time 1969-12-31T23:59:59.999999Z; ", "int 1; uint 1; time 1970-01-02T00:00:00Z; ",
			"bytes [5 0 0 0 0 0 0 0 140 61 37 0]; time 1970-01-01T00:00:00.000000005Z; ", "int 3600000; uint 3600000; duration 1h0m0s; ",
		}[i]
		if got != want {
			t.Errorf("%s %s: got %s, want %s", s.Type(), s, got, want)
		}
	}
	if got := show(must(vector.IntOf(vector.Type{Physical: vector.Int64, Logical: vector.Time, Unit: vector.Micros}, math.MaxInt64)).Duration()); got[len(got)-5:] != "false" {
		t.Error(got)
	}
}

// Decimals of any size sort as big numbers do, other values as Go's.
func TestScalarsCompare(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 2000 {
		a, b := big.NewInt(r.Int64()-r.Int64()), big.NewInt(r.Int64()-r.Int64())
		if r.IntN(3) == 0 {
			b.Set(a)
		}
		if r.IntN(2) == 0 {
			a.Rsh(a, uint(r.IntN(64)))
			b.Mul(b, big.NewInt(r.Int64N(1e9)))
		}
		x, err := vector.DecimalOf(decimalBytes, a.String())
		y, err2 := vector.DecimalOf(decimalBytes, b.String())
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if order, ok := x.Compare(y); order != a.Cmp(b) || !ok || x.Equal(y) != (order == 0) {
			t.Fatalf("%s and %s: %d", a, b, order)
		}
	}
	nan, _ := vector.FloatOf(doubleType, math.NaN())
	zero, _ := vector.FloatOf(doubleType, 0)
	minus, _ := vector.FloatOf(doubleType, math.Copysign(0, -1))
	big, _ := vector.UintOf(wholeType(vector.Int64, 64, false), math.MaxUint64)
	one, _ := vector.IntOf(wholeType(vector.Int64, 64, false), 1)
	few, _ := vector.BytesOf(decimalBytes, []byte{5})
	same, _ := vector.BytesOf(decimalBytes, []byte{0, 0, 5})
	none, _ := vector.BytesOf(decimalBytes, nil)
	interval, _ := vector.BytesOf(vector.Type{Physical: vector.FixedLenByteArray, Length: 12, Logical: vector.Interval}, make([]byte, 12))
	for _, c := range []struct {
		a, b vector.Scalar
		want string
	}{
		{nan, nan, "0 false true"}, {nan, zero, "-1 false false"}, {zero, minus, "0 true true"}, {big, one, "1 true false"},
		{few, same, "0 true true"}, {none, few, "-1 true false"}, {interval, interval, "0 false true"},
		{vector.NullOf(int32Type), vector.NullOf(int32Type), "0 false true"}, {vector.NullOf(int32Type), vector.NullOf(int64Type), "0 false false"},
		{vector.BoolOf(false), vector.BoolOf(true), "-1 true false"}, {vector.StringOf("b"), vector.StringOf("ab"), "1 true false"},
	} {
		order, ok := c.a.Compare(c.b)
		if got := fmt.Sprint(order, ok, c.a.Equal(c.b)); got != c.want {
			t.Errorf("%s and %s: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}
