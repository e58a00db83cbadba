package forms

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/internal/test/validate"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// types has one type for each store of values.
func types() []vector.Type {
	return []vector.Type{
		{Physical: vector.Boolean}, {Physical: vector.Int32}, {Physical: vector.Int64}, {Physical: vector.Float},
		{Physical: vector.Double}, {Physical: vector.Int96}, {Physical: vector.ByteArray},
		{Physical: vector.FixedLenByteArray, Length: 5}, {Physical: vector.FixedLenByteArray, Length: vector.MaxFixed + 1},
		{Physical: vector.Int32, Logical: vector.Null},
	}
}

// plain returns the PLAIN encoding of value x of a type: equal for equal x only, except
// for booleans.
func plain(t vector.Type, x int) []byte {
	switch t.Physical {
	case vector.Boolean:
		return []byte{byte(x & 1)}
	case vector.ByteArray: // short and long ones that start alike
		return fmt.Appendf(nil, "%.*s%d", x%3*8, "common part of many", x)
	case vector.Float:
		return fmt.Appendf(nil, "%04d", x)[:4]
	}
	b := fmt.Appendf(nil, "%0*d", vector.MaxFixed+1, x)
	return b[len(b)-max(t.Width(), int(t.Length)):]
}

// flatOf returns a flat vector of values, NULL where nil.
func flatOf(t vector.Type, values [][]byte) *vector.Vector {
	v := &vector.Vector{Type: t}
	for _, b := range values {
		build.AppendSlots(v, scannertest.Plain(t, b).Vector(1), 0, 1)
	}
	return v
}

// checkEncoded fails unless v is a dictionary of just the values, in the order in which
// they first come.
func checkEncoded(t *testing.T, v *vector.Vector, values [][]byte) {
	t.Helper()
	if err := validate.Vector(v); err != nil {
		t.Fatal(v.Type, err)
	}
	if v.Form != vector.Dictionary || v.Len != len(values) || len(v.Dict.Validity) > 0 {
		t.Fatalf("%v: form %d, %d slots of %d", v.Type, v.Form, v.Len, len(values))
	}
	code := map[string]uint32{}
	for i, b := range values {
		if b == nil {
			if !v.IsNull(i) || v.Codes[i] != 0 {
				t.Fatalf("%v: slot %d has code %d, want NULL and 0", v.Type, i, v.Codes[i])
			}
			continue
		}
		want, known := code[string(b)]
		if !known {
			want = uint32(len(code))
			code[string(b)] = want
		}
		if v.IsNull(i) || v.Codes[i] != want || string(v.Dict.Scalar(int(want)).Plain()) != string(b) {
			t.Fatalf("%v: slot %d has code %d, want %d for %q", v.Type, i, v.Codes[i], want, b)
		}
	}
	if v.Dict.Len != len(code) {
		t.Fatalf("%v: %d entries, want %d", v.Type, v.Dict.Len, len(code))
	}
}

func TestEncode(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, typ := range types() {
		var e Encoder // its memory serves all vectors
		for _, distinct := range []int{1, 2, 200, 5000} {
			for _, nulls := range []int{0, 5, 10} { // of ten
				for _, n := range []int{0, 1, 64, 3000} {
					values := make([][]byte, n)
					for i := range values {
						if r.IntN(10) >= nulls && typ.Logical != vector.Null {
							values[i] = plain(typ, r.IntN(distinct))
						}
					}
					v := flatOf(typ, values)
					e.Encode(v, false)
					checkEncoded(t, v, values)
					v.Flatten()
					checkFlat(t, v, values)
				}
			}
		}
	}
}

// checkFlat fails unless v has the values.
func checkFlat(t *testing.T, v *vector.Vector, values [][]byte) {
	t.Helper()
	for i, b := range values {
		if v.IsNull(i) != (b == nil) || b != nil && string(v.Scalar(i).Plain()) != string(b) {
			t.Fatalf("%v: slot %d is %q, want %q", v.Type, i, v.Scalar(i).Plain(), b)
		}
	}
}

// Floats are equal if their bits are.
func TestEncodeFloats(t *testing.T) {
	negative, nan, other := math.Copysign(0, -1), math.NaN(), math.Float64frombits(math.Float64bits(math.NaN())^1)
	v := &vector.Vector{Type: vector.Type{Physical: vector.Double}}
	build.Extend(v, 7)
	copy(v.Doubles, []float64{0, negative, nan, other, nan, negative, 0})
	new(Encoder).Encode(v, false)
	if got := fmt.Sprint(v.Codes, v.Dict.Len); got != "[0 1 2 3 2 1 0] 4" {
		t.Error(got)
	}
}

func TestEncodeConstant(t *testing.T) {
	for _, typ := range types() {
		for _, value := range [][]byte{plain(typ, 7), nil} {
			if typ.Logical == vector.Null && value != nil {
				continue
			}
			for _, n := range []int{0, 1, 100} {
				v := scannertest.Plain(typ, value).Vector(1)
				before := *v
				v.Form, v.Len = vector.Constant, n
				new(Encoder).Encode(v, false)
				values := make([][]byte, n)
				for i := range values {
					values[i] = value
				}
				checkEncoded(t, v, values)
				checkFlat(t, &before, [][]byte{value})
			}
		}
	}
}

// A dictionary with an entry twice is replaced, and stays as it is for others.
func TestDropRepeats(t *testing.T) {
	for _, typ := range types() {
		if typ.Logical == vector.Null {
			continue
		}
		entries := [][]byte{plain(typ, 1), plain(typ, 2), plain(typ, 1), plain(typ, 2)}
		dict := flatOf(typ, entries)
		var e Encoder
		for range 2 {
			v := &vector.Vector{Type: typ}
			build.UseDictionary(v, dict)
			build.AppendNulls(v, 1)
			build.Extend(v, 4)
			copy(v.Codes[1:], []uint32{3, 2, 1, 0})
			e.Encode(v, false)
			if got := fmt.Sprint(v.Codes, v.Dict.Len, v.IsNull(0)); got != "[0 1 0 1 0] 2 true" {
				t.Error(typ, got)
			}
		}
		checkFlat(t, dict, entries)

		distinct := flatOf(typ, entries[:2])
		v := &vector.Vector{Type: typ}
		build.UseDictionary(v, distinct)
		build.Extend(v, 2)
		v.Codes[0], v.Codes[1] = 1, 1
		if e.Encode(v, false); v.Dict != distinct || v.Codes[0] != 1 {
			t.Error(typ, "a dictionary without repeats was replaced")
		}
	}
}
