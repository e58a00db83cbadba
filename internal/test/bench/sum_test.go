package bench

import (
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

func TestSums(t *testing.T) {
	plain := func(p vector.Physical) vector.Type { return vector.Type{Physical: p} }
	words := func(list ...string) *vector.Vector {
		v := &vector.Vector{}
		build.Reset(v, plain(vector.ByteArray))
		first := build.Extend(v, len(list))
		for i, s := range list {
			buffer := build.AddBuffer(v, []byte(s))
			v.Views[first+i] = bits.Make([]byte(s), buffer, 0)
		}
		return v
	}
	// Slots that are NULL hold what no sum may take.
	numbers := &vector.Vector{Type: plain(vector.Int32), Len: 4, Validity: []uint64{0b1101}, Int32s: []int32{5, 99, -7, 8}}
	cases := []struct {
		name string
		v    *vector.Vector
		want Sum
	}{
		{"NULL", numbers, Sum{3, 6}},
		{"booleans", &vector.Vector{Type: plain(vector.Boolean), Len: 3, Bools: []uint64{0b1111_011}}, Sum{3, 2}},
		{"floats", &vector.Vector{Type: plain(vector.Float), Len: 2, Floats: []float32{0.5, -2}}, Sum{2, -1.5}},
		{"doubles", &vector.Vector{Type: plain(vector.Double), Len: 2, Doubles: []float64{0.25, 4}}, Sum{2, 4.25}},
		{"unsigned", &vector.Vector{Type: vector.Type{Physical: vector.Int32, Logical: vector.Integer, Bits: 32}, Len: 1, Int32s: []int32{-1}}, Sum{1, 1<<32 - 1}},
		{"milliseconds", &vector.Vector{Type: vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Millis}, Len: 2, Int64s: []int64{3, 4}}, Sum{2, 7000}},
		{"nanoseconds", &vector.Vector{Type: vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Nanos}, Len: 1, Int64s: []int64{5999}}, Sum{1, 5}},
		{"fixed", &vector.Vector{Type: vector.Type{Physical: vector.FixedLenByteArray, Length: 3}, Len: 2, Validity: []uint64{1}, Fixed: make([]byte, 6)}, Sum{1, 3}},
		{"halves", &vector.Vector{Type: vector.Type{Physical: vector.FixedLenByteArray, Length: 2, Logical: vector.Float16}, Len: 2, Fixed: []byte{0, 0x3e, 0, 0xc0}}, Sum{2, -0.5}},
		{"decimals in bytes", &vector.Vector{Type: vector.Type{Physical: vector.FixedLenByteArray, Length: 3, Logical: vector.Decimal, Precision: 6, Scale: 2}, Len: 2,
			Fixed: []byte{0xff, 0xff, 0xfe, 1, 0, 2}}, Sum{2, 65536}},
		{"strings", words("", "short", "longer than what a view holds"), Sum{3, 34}},
		{"dictionary", &vector.Vector{Type: plain(vector.ByteArray), Form: vector.Dictionary, Len: 4, Validity: []uint64{0b1011},
			Codes: []uint32{1, 1, 0, 0}, Dict: words("a", "four")}, Sum{3, 9}},
		{"constant", &vector.Vector{Type: plain(vector.Int64), Form: vector.Constant, Len: 1000, Int64s: []int64{3}}, Sum{1000, 3000}},
		{"constant NULL", &vector.Vector{Type: plain(vector.Int64), Form: vector.Constant, Len: 1000, Validity: []uint64{0}, Int64s: []int64{3}}, Sum{0, 0}},
		{"struct", &vector.Vector{Type: plain(vector.Group), Layout: vector.Struct, Len: 4, Validity: []uint64{0b0111}, Children: []*vector.Vector{
			numbers, {Type: plain(vector.Int64), Form: vector.Constant, Len: 4, Int64s: []int64{10}},
		}}, Sum{5, 28}},
		{"list", &vector.Vector{Type: plain(vector.Group), Layout: vector.List, Len: 3, Validity: []uint64{0b101},
			Offsets: []int32{0, 2, 2, 3}, Children: []*vector.Vector{numbers}}, Sum{2, -2}},
		{"map", &vector.Vector{Type: plain(vector.Group), Layout: vector.Map, Len: 1,
			Offsets: []int32{0, 2}, Children: []*vector.Vector{words("k", "kk"), numbers}}, Sum{3, 8}},
		{"constant list", &vector.Vector{Type: plain(vector.Group), Layout: vector.List, Form: vector.Constant, Len: 5,
			Offsets: []int32{0, 3}, Children: []*vector.Vector{numbers}}, Sum{10, -10}},
	}
	for _, c := range cases {
		var got Sum
		if got.add(c.v, c.v.Len, nil); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestOnes(t *testing.T) {
	bitmap := []uint64{^uint64(0), 0b1011, ^uint64(0)} // the last word is after the last slot
	for n, want := range map[int]int64{0: 0, 1: 1, 63: 63, 64: 64, 66: 66, 67: 66, 68: 67, 128: 67} {
		if got := ones(bitmap, n); got != want {
			t.Errorf("%d bits: %d, want %d", n, got, want)
		}
	}
}

func TestNear(t *testing.T) {
	for _, c := range []struct {
		a, b Sum
		want bool
	}{
		{Sum{3, 1}, Sum{3, 1}, true},
		{Sum{3, 1}, Sum{4, 1}, false},
		{Sum{3, 1e15}, Sum{3, 1e15 + 1}, true},
		{Sum{3, 1000}, Sum{3, 1000.1}, false},
		{Sum{3, -1}, Sum{3, 1}, false},
		{Sum{3, 0}, Sum{3, 1e-7}, true},
	} {
		if c.a.Near(c.b) != c.want || c.b.Near(c.a) != c.want {
			t.Errorf("%v and %v: want near %v", c.a, c.b, c.want)
		}
	}
}
