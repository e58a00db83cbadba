package compile

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/value"
	"github.com/winnow-scan/winnow/thrift"
)

// TestScalarsAsLiterals: of a column's values, those equal to a scalar pass.
func TestScalarsAsLiterals(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	for _, k := range leafKinds() {
		s := oneColumn(t, k.e)
		typ := s.Leaves()[0].Type
		d := value.DomainOf(typ)
		for range 50 {
			if k.pool == nil {
				break
			}
			plain, other := k.pool(r).plain, k.pool(r).plain
			v, err := vector.PlainOf(typ, append([]byte{}, plain...))
			if err != nil {
				t.Fatal(k.name, err)
			}
			key, isNaN, _ := d.AppendKey(nil, plain)
			otherKey, otherNaN, _ := d.AppendKey(nil, other)
			if isNaN || otherNaN {
				continue
			}
			for _, e := range []*filter.Expr{filter.Col("x").Eq(v), filter.Col("x").In(v, v), filter.And(filter.Col("x").Eq(v), filter.Not(filter.Col("x").Ne(v)))} {
				p, err := Bind(e, s, nil)
				if err != nil || p.Root.Op != OpTest {
					t.Errorf("%s: %s: %v, %v", k.name, v, p, err)
					continue
				}
				at := func(plain []byte) Verdict {
					return p.Root.Test.Verdict(&Bounds{Min: plain, Max: plain, HasMin: true, HasMax: true, MinExact: true, MaxExact: true, Sure: true, Slots: 1})
				}
				if at(plain) != All {
					t.Errorf("%s: %s does not pass %s", k.name, v, p)
				}
				if !bytes.Equal(key, otherKey) && at(other) != None {
					t.Errorf("%s: % x passes %s", k.name, other, p)
				}
			}
		}
		if p, err := Bind(filter.Col("x").Eq(vector.NullOf(typ)), s, nil); err != nil || p.Root.Op != OpFalse {
			t.Errorf("%s: NULL: %v, %v", k.name, p, err)
		}
	}
	list := (&vector.Vector{Type: vector.Type{Physical: vector.Group}, Layout: vector.List, Len: 1, Offsets: []int32{0, 0}, Children: []*vector.Vector{{}}}).Scalar(0)
	if _, err := Bind(filter.Col("x").Eq(list), oneColumn(t, kind("i32")), nil); err == nil || err.Error() != "filter: a struct, a list or a map stands where a value is wanted" {
		t.Error(err)
	}
}

// TestEmptyValidity: a vector whose bitmap is empty, as reused memory is, has no NULL.
func TestEmptyValidity(t *testing.T) {
	p, err := Bind(filter.Col("x").Gt(1), oneColumn(t, kind("i32")), nil)
	if err != nil {
		t.Fatal(err)
	}
	sel := []uint64{7}
	p.Root.Test.slot.filter(sel, &vector.Vector{Type: vector.Type{Physical: vector.Int32}, Len: 3, Int32s: []int32{1, 2, 3}, Validity: []uint64{}})
	if sel[0] != 6 {
		t.Errorf("%b", sel[0])
	}

	// Several columns.
	x, y := kind("i32"), kind("i32")
	x.Name, y.Name = "x", "y"
	two, err := schema.New([]thrift.SchemaElement{{Name: "root", NumChildren: 2, HasNumChildren: true}, x, y})
	if err != nil {
		t.Fatal(err)
	}
	k := filter.NewKeys(1)
	k.Add(2, 2)
	column := func() *vector.Vector {
		return &vector.Vector{Type: vector.Type{Physical: vector.Int32}, Len: 3, Int32s: []int32{1, 2, 3}, Validity: []uint64{}}
	}
	if p, err = Bind(filter.InKeys(k, filter.Col("x"), filter.Col("y")), two, nil); err != nil {
		t.Fatal(err)
	}
	sel = []uint64{7}
	err = runProgram(p, sel, 3, func(test *Test, sel []uint64) error {
		test.slot.filter(sel, column())
		return nil
	}, func(f *Compute, sel []uint64) error { return f.Filter(sel, 3, []*vector.Vector{column(), column()}) })
	if err != nil || sel[0] != 2 {
		t.Errorf("%b, %v", sel[0], err)
	}
}
