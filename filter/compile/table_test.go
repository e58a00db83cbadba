package compile

import (
	"bytes"
	"math"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
)

// TestInTable: what bounds of a file's type prove where the table has a wider one, and how one value is tested.
func TestInTable(t *testing.T) {
	w := newWorld(t, random(1), 0)
	double, stamp := vector.Type{Physical: vector.Double}, vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Millis}
	table := &Table{Types: map[string]vector.Type{"i32": double, "f32": double, "date": stamp}}
	table.Widen = func(v *vector.Vector, to vector.Type) *vector.Vector {
		out := &vector.Vector{}
		build.Reset(out, to)
		build.Extend(out, v.Len)
		for i := range v.Len {
			switch {
			case v.Type.Physical == vector.Float:
				out.Doubles[i] = float64(v.Floats[i])
			case to == double:
				out.Doubles[i] = float64(v.Int32s[i])
			case v.Int32s[i] > 1000:
				build.NeedValidity(out)
				bits.Clear(out.Validity, i)
			default:
				out.Int64s[i] = int64(v.Int32s[i]) * 86400e3
			}
		}
		return out
	}
	ints := func(lo, hi int32) Bounds {
		return Bounds{Min: le32(lo), Max: le32(hi), HasMin: true, HasMax: true, MinExact: true, MaxExact: true, Sure: true, Slots: 10}
	}
	floats := func(f float32) Bounds { return ints(int32(math.Float32bits(f)), int32(math.Float32bits(f))) }
	for _, c := range []struct {
		where string
		b     Bounds // of the columns that it names
		want  Verdict
		bound string
	}{
		{"f32 = 0.1", floats(0.1), None, "FALSE"},
		{"f32 > 0.1", floats(0.1), All, "f32 >= 0.1"},
		{"f32 < DOUBLE 'Infinity'", floats(0.1), All, `f32 < "Infinity"`},
		{"f32 + 0.1 > 0.2", floats(0.1), All, ""},
		{"f32 + 0.1 = 0.2", floats(0.1), None, "FALSE"},
		{"i32 / 4 = 1.75", ints(7, 7), All, "i32 = 7"},
		{"i32 + 0.1 > 7.1", ints(-9, 7), None, "i32 >= 8"},
		{"abs(i32) >= 7.5", ints(-7, 7), None, ""},
		{"i32 + f32 > 0.5", ints(-1, 7), Some, ""},
		{"i32 + i32_r > 10", ints(6, 7), All, ""},
		{"i32 * 0.5 < i32_r", ints(6, 6), All, ""},
		{"CAST(i32 AS VARCHAR) = '7.0'", ints(7, 7), All, ""},
		{"CAST(i32 AS VARCHAR) = '7'", ints(7, 7), None, ""},
		{"CAST(date AS VARCHAR) = '1970-01-02 00:00:00'", ints(1, 1), All, ""},
		{"month(date) = 1", ints(1, 1), All, ""},
		{"month(date) > 0", ints(1001, 1001), None, ""}, // which widen takes for one that the type lacks
		{"date > TIMESTAMP '2300-01-01'", ints(1<<20, 1<<20), All, ""},
		{"date IS NULL", ints(1, 1), None, "date IS NULL"},
	} {
		e, err := filter.Parse(c.where)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Bind(InTable(e, table), w.schema, nil)
		if err != nil {
			t.Fatalf("%s: %v", c.where, err)
		}
		got := None
		switch n := p.Root; n.Op {
		case OpTest:
			got = n.Test.Verdict(&c.b)
		case OpCompute:
			got = n.Compute.Verdict(func(*schema.Node) *Bounds { return &c.b })
		}
		if got != c.want || c.bound != "" && p.String() != c.bound {
			t.Errorf("%s: %v, bound as %s, want %v", c.where, got, p, c.want)
		}
		if bytes.Equal(EncodedKeys(InTable(e, table)), EncodedKeys(e)) {
			t.Errorf("%s: a plan for the file alone is one for the table", c.where)
		}
	}
}
