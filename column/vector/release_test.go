//go:build invariants

package vector_test

import (
	"bytes"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
)

// Whoever reads a batch behind its release gets the pattern, or a panic.
func TestReleasedBatchesArePoisoned(t *testing.T) {
	long := vector.StringOf("longer than a view").Vector(1)
	b := vector.Batch{Len: 1, Columns: []*vector.Vector{
		{Type: int64Type, Len: 2, Int64s: []int64{1, 2}, Validity: []uint64{3}},
		{Type: int32Type, Len: 1, Int32s: []int32{1}},
		{Type: vector.Type{Physical: vector.FixedLenByteArray, Length: 2}, Len: 1, Fixed: []byte{1, 2}},
		{Type: vector.Type{Physical: vector.Group}, Layout: vector.List, Len: 1, Offsets: []int32{0, 1}, Children: []*vector.Vector{{Type: doubleType, Len: 1, Doubles: []float64{1}}}},
		long,
		{Type: long.Type, Form: vector.Dictionary, Len: 1, Codes: []uint32{0}, Dict: vector.StringOf("shared").Vector(1)},
	}}
	given := 0
	b.OnRelease(func() { given++ })
	whole, offsets, codes := b.Columns[0], b.Columns[3], b.Columns[5]
	b.Release()
	b.Release()
	if given != 1 || b.Len >= 0 || whole.Len >= 0 || offsets.Children[0].Len >= 0 {
		t.Errorf("given back %d times; lengths %d, %d", given, b.Len, whole.Len)
	}
	if uint64(whole.Int64s[1]) != 0xcccccccccccccccc || uint32(b.Columns[1].Int32s[0]) != 0xcccccccc || !bytes.Equal(b.Columns[2].Fixed, []byte{0xcc, 0xcc}) {
		t.Errorf("values %x, %x, %x", whole.Int64s, b.Columns[1].Int32s, b.Columns[2].Fixed)
	}
	for what, read := range map[string]func(){
		"a string": func() { _ = long.Views[0].Bytes(long.Buffers) }, "a code": func() { _ = codes.Dict.Views[codes.Codes[0]] },
		"a list": func() { _ = offsets.Children[0].Doubles[offsets.Offsets[0]:offsets.Offsets[1]] }, "a length": func() { _ = whole.Int64s[:whole.Len] },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s can be read", what)
				}
			}()
			read()
		}()
	}
	if string(codes.Dict.Bytes(0)) != "shared" {
		t.Error("a dictionary, which batches share, was overwritten")
	}
}
