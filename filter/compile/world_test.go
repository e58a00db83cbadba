package compile

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/internal/value"
	"github.com/winnow-scan/winnow/thrift"
)

// A world is random rows in the shape of a schema: what a naive reader would
// hold, and the vectors and levels that a scan would.

// datum is one value as anyone would think of it.
type datum struct {
	rat    *big.Rat // numbers; moments and times in nanoseconds
	float  *float64
	narrow int // of float: 0 for 64 bits, 1 for 32, 2 for 16
	text   *string
	truth  *bool
	plain  []byte
}

// raw is a node of a record: NULL, a leaf, fields, or occurrences of a repeated
// node.
type raw struct {
	null   bool
	leaf   *datum
	fields []raw
	many   []raw
}

type column struct {
	name string
	e    thrift.SchemaElement
	pool func(r *rand.Rand) *datum
}

func element(name string, typ thrift.Type, logical thrift.LogicalType, length int32) thrift.SchemaElement {
	return thrift.SchemaElement{Name: name, HasType: true, Type: typ, Logical: logical, TypeLength: length, HasRepetition: true}
}

func pick[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

func le32(v int32) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(v)) }
func le64(v int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(v)) }

func ratOf(v int64) *big.Rat { return new(big.Rat).SetInt64(v) }

func scaled(v int64, scale int) *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(v), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
}

// decimalDatum is a number with a point, which meets floats as a double.
func decimalDatum(v int64, scale int, plain []byte) *datum {
	d := &datum{rat: scaled(v, scale), plain: plain}
	f, _ := d.rat.Float64()
	d.float = &f
	return d
}

func textDatum(s string) *datum { return &datum{text: &s, plain: []byte(s)} }

func floatDatum(f float64, narrow int, plain []byte) *datum {
	return &datum{float: &f, narrow: narrow, plain: plain}
}

func pickString(r *rand.Rand) string {
	return pick(r, "", "12", " -2.55", "a", "ab", "abc", "abd", "b", "é", "\xff", "\xff\xff", "a_c", "a%c", "a\x00", "aéc", "日本", "xaby", "AB", "aBc", "É", "İx", "\u212a", "ſS", "ß", "Ⱥb", "an ASCII string of more than 12 bytes", "AN ASCII STRING OF MORE THAN 12 BYTES, AND É")
}

// leafKinds are all types of leaves, with values that meet often.
func leafKinds() []column {
	i32 := func(r *rand.Rand) int32 {
		return pick[int32](r, 0, 1, 2, 3, 5, -1, -2, 100, math.MaxInt32, math.MinInt32, 127, 250)
	}
	i64 := func(r *rand.Rand) int64 {
		return pick[int64](r, 0, 1, 2, 3, 5, -1, -2, 100, math.MaxInt64, math.MinInt64, 1<<53+1, 250)
	}
	f64 := func(r *rand.Rand) float64 {
		return pick(r, 0, math.Copysign(0, -1), 0.1, 0.5, 1, 2, 3, -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 5e-324, 1<<53, 2.5)
	}
	logical := func(k thrift.Arm) thrift.LogicalType { return thrift.LogicalType{Kind: k} }
	decimal := func(scale int32) thrift.LogicalType {
		return thrift.LogicalType{Kind: thrift.LogicalDecimal, Precision: 9, Scale: scale}
	}
	stamp := func(unit thrift.Arm) thrift.LogicalType {
		return thrift.LogicalType{Kind: thrift.LogicalTimestamp, Unit: unit, AdjustedToUTC: true}
	}
	clock := func(unit thrift.Arm) thrift.LogicalType {
		return thrift.LogicalType{Kind: thrift.LogicalTime, Unit: unit}
	}
	integer := func(bits int8, signed bool) thrift.LogicalType {
		return thrift.LogicalType{Kind: thrift.LogicalInteger, BitWidth: bits, Signed: signed}
	}
	fixed := func(v int64, n int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(v))[8-n:] }
	moments := func(r *rand.Rand) int64 { // milliseconds
		return pick[int64](r, 0, 1, -1, 86400000, 86399999, 1706659200000, 1706695200500, -86400000)
	}
	return []column{
		{"bool", element("bool", thrift.TypeBoolean, thrift.LogicalType{}, 0), func(r *rand.Rand) *datum {
			b := r.IntN(2) == 1
			p := []byte{0}
			if b {
				p[0] = 1
			}
			return &datum{truth: &b, plain: p}
		}},
		{"i32", element("i32", thrift.TypeInt32, thrift.LogicalType{}, 0), func(r *rand.Rand) *datum {
			v := i32(r)
			return &datum{rat: ratOf(int64(v)), plain: le32(v)}
		}},
		{"i8", element("i8", thrift.TypeInt32, integer(8, true), 0), func(r *rand.Rand) *datum {
			v := int32(int8(i32(r)))
			return &datum{rat: ratOf(int64(v)), plain: le32(v)}
		}},
		{"u8", element("u8", thrift.TypeInt32, integer(8, false), 0), func(r *rand.Rand) *datum {
			v := int32(uint8(i32(r)))
			return &datum{rat: ratOf(int64(v)), plain: le32(v)}
		}},
		{"u32", element("u32", thrift.TypeInt32, integer(32, false), 0), func(r *rand.Rand) *datum {
			v := i32(r)
			return &datum{rat: ratOf(int64(uint32(v))), plain: le32(v)}
		}},
		{"i64", element("i64", thrift.TypeInt64, thrift.LogicalType{}, 0), func(r *rand.Rand) *datum {
			v := i64(r)
			return &datum{rat: ratOf(v), plain: le64(v)}
		}},
		{"u64", element("u64", thrift.TypeInt64, integer(64, false), 0), func(r *rand.Rand) *datum {
			v := i64(r)
			return &datum{rat: new(big.Rat).SetInt(new(big.Int).SetUint64(uint64(v))), plain: le64(v)}
		}},
		{"f32", element("f32", thrift.TypeFloat, thrift.LogicalType{}, 0), func(r *rand.Rand) *datum {
			f := float32(f64(r))
			return floatDatum(float64(f), 1, le32(int32(math.Float32bits(f))))
		}},
		{"f64", element("f64", thrift.TypeDouble, thrift.LogicalType{}, 0), func(r *rand.Rand) *datum {
			f := f64(r)
			return floatDatum(f, 0, le64(int64(math.Float64bits(f))))
		}},
		{"f16", element("f16", thrift.TypeFixedLenByteArray, logical(thrift.LogicalFloat16), 2), func(r *rand.Rand) *datum {
			h := pick[uint16](r, 0, 0x8000, 0x3c00, 0x4000, 0x2e66, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 1, 0x7bff, 0x4100)
			return floatDatum(float64(vector.HalfToFloat(h)), 2, binary.LittleEndian.AppendUint16(nil, h))
		}},
		{"d32", element("d32", thrift.TypeInt32, decimal(2), 0), func(r *rand.Rand) *datum {
			v := i32(r)
			return decimalDatum(int64(v), 2, le32(v))
		}},
		{"d64", element("d64", thrift.TypeInt64, decimal(0), 0), func(r *rand.Rand) *datum {
			v := i64(r)
			return &datum{rat: ratOf(v), plain: le64(v)}
		}},
		{"dfix", element("dfix", thrift.TypeFixedLenByteArray, decimal(1), 3), func(r *rand.Rand) *datum {
			v := pick[int64](r, 0, 1, -1, 25, 100, -250, 1<<23-1, -1<<23, 127, 128, -128, -129)
			return decimalDatum(v, 1, fixed(v, 3))
		}},
		{"dvar", element("dvar", thrift.TypeByteArray, decimal(3), 0), func(r *rand.Rand) *datum {
			v := pick[int64](r, 0, 1, -1, 2500, 100, -250, 127, 128, -128, -129)
			p := fixed(v, pick(r, 2, 3, 8))
			if v >= -128 && v < 128 && r.IntN(2) == 0 {
				p = fixed(v, 1)
			}
			if v == 0 && r.IntN(3) == 0 {
				p = nil
			}
			return decimalDatum(v, 3, p)
		}},
		{"str", element("str", thrift.TypeByteArray, logical(thrift.LogicalString), 0), func(r *rand.Rand) *datum {
			return textDatum(pickString(r))
		}},
		{"bin", element("bin", thrift.TypeByteArray, thrift.LogicalType{}, 0), func(r *rand.Rand) *datum {
			return textDatum(pickString(r))
		}},
		{"fix", element("fix", thrift.TypeFixedLenByteArray, thrift.LogicalType{}, 3), func(r *rand.Rand) *datum {
			return textDatum(pick(r, "abc", "abd", "aaa", "\xff\xff\xff", "\x00\x00\x00"))
		}},
		{"uuid", element("uuid", thrift.TypeFixedLenByteArray, logical(thrift.LogicalUUID), 16), func(r *rand.Rand) *datum {
			return textDatum(pick(r, strings.Repeat("\x01", 16), strings.Repeat("\xfe", 16), strings.Repeat("\x00", 15)+"\x07"))
		}},
		{"date", element("date", thrift.TypeInt32, logical(thrift.LogicalDate), 0), func(r *rand.Rand) *datum {
			v := pick[int32](r, 0, 1, -1, 19753, 19754, 8766)
			return &datum{rat: new(big.Rat).Mul(ratOf(int64(v)), ratOf(value.NanosPerDay)), plain: le32(v)}
		}},
		{"tms", element("tms", thrift.TypeInt64, stamp(thrift.Millis), 0), func(r *rand.Rand) *datum {
			v := moments(r)
			return &datum{rat: new(big.Rat).Mul(ratOf(v), ratOf(1e6)), plain: le64(v)}
		}},
		{"tus", element("tus", thrift.TypeInt64, stamp(thrift.Micros), 0), func(r *rand.Rand) *datum {
			v := moments(r)*1000 + pick[int64](r, 0, 0, 1)
			return &datum{rat: new(big.Rat).Mul(ratOf(v), ratOf(1e3)), plain: le64(v)}
		}},
		{"tns", element("tns", thrift.TypeInt64, stamp(thrift.Nanos), 0), func(r *rand.Rand) *datum {
			v := moments(r)*1e6 + pick[int64](r, 0, 0, 1)
			return &datum{rat: ratOf(v), plain: le64(v)}
		}},
		{"i96", element("i96", thrift.TypeInt96, thrift.LogicalType{}, 0), func(r *rand.Rand) *datum {
			v := moments(r) * 1e6
			day := int32(value.FloorDiv(v, value.NanosPerDay))
			return &datum{rat: ratOf(v), plain: append(le64(v-int64(day)*value.NanosPerDay), le32(day+value.JulianEpoch)...)}
		}},
		{"oms", element("oms", thrift.TypeInt32, clock(thrift.Millis), 0), func(r *rand.Rand) *datum {
			v := pick[int32](r, 0, 1, 36000000, 36000500, 86399999)
			return &datum{rat: new(big.Rat).Mul(ratOf(int64(v)), ratOf(1e6)), plain: le32(v)}
		}},
		{"ons", element("ons", thrift.TypeInt64, clock(thrift.Nanos), 0), func(r *rand.Rand) *datum {
			v := pick[int64](r, 0, 1, 36000000*1e6, 36000500*1e6, 86399999*1e6)
			return &datum{rat: ratOf(v), plain: le64(v)}
		}},
		{"nil", element("nil", thrift.TypeInt32, logical(thrift.LogicalUnknown), 0), nil},
	}
}

type world struct {
	schema *schema.Schema
	pools  map[*schema.Node]func(r *rand.Rand) *datum
	kinds  map[*schema.Node]string
	rows   []raw      // records: fields of the root
	keys   [][]*datum // tuples
}

// newWorld makes a schema of all leaf kinds, required, optional and nested.
func newWorld(t testing.TB, r *rand.Rand, rows int) *world {
	var elements []thrift.SchemaElement
	pools := map[string]func(r *rand.Rand) *datum{}
	group := func(name string, rep thrift.Repetition, kind thrift.Arm, children int32) {
		elements = append(elements, thrift.SchemaElement{Name: name, NumChildren: children, HasNumChildren: true, HasRepetition: true, Repetition: rep, Logical: thrift.LogicalType{Kind: kind}})
	}
	leaf := func(c column, name string, rep thrift.Repetition) {
		e := c.e
		e.Name, e.Repetition = name, rep
		elements = append(elements, e)
	}
	kinds := leafKinds()
	const required, optional, repeated = thrift.Required, thrift.Optional, thrift.Repeated
	group("root", required, 0, 0)
	top := int32(0)
	for _, c := range kinds {
		pools[c.name] = c.pool
		leaf(c, c.name, optional)
		leaf(c, c.name+"_r", required)
		top += 2
	}
	some := func() column { return kinds[r.IntN(len(kinds)-1)] }
	group("s", optional, 0, 2)
	c := some()
	leaf(c, "odd name", optional)
	c2 := some()
	leaf(c2, "b", required)
	group("tags", optional, thrift.LogicalList, 1)
	group("list", repeated, 0, 1)
	c3 := some()
	leaf(c3, "element", optional)
	group("deep", optional, thrift.LogicalList, 1)
	group("list", repeated, 0, 1)
	group("element", optional, thrift.LogicalList, 1)
	group("list", repeated, 0, 1)
	c4 := some()
	leaf(c4, "element", optional)
	group("items", required, thrift.LogicalList, 1)
	group("list", repeated, 0, 1)
	group("element", optional, 0, 1)
	c5 := some()
	leaf(c5, "price", optional)
	group("attrs", optional, thrift.LogicalMap, 1)
	group("key_value", repeated, 0, 2)
	leaf(kinds[14], "key", required)
	c6 := some()
	leaf(c6, "value", optional)
	group("parts", optional, thrift.LogicalMap, 1)
	group("key_value", repeated, 0, 2)
	leaf(kinds[14], "key", required)
	group("value", optional, 0, 2)
	c8 := some()
	leaf(c8, "x", optional)
	group("in", optional, 0, 1)
	c9 := some()
	leaf(c9, "y y", optional)
	group("nest", optional, thrift.LogicalList, 1)
	group("list", repeated, 0, 1)
	group("element", optional, 0, 2)
	group("b", optional, thrift.LogicalList, 1)
	group("list", repeated, 0, 1)
	c10 := some()
	leaf(c10, "element", optional)
	c11 := some()
	leaf(c11, "c", required)
	c7 := some()
	leaf(c7, "bare", repeated)
	elements[0].NumChildren = top + 8
	sch, err := schema.New(elements)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{schema: sch, pools: map[*schema.Node]func(r *rand.Rand) *datum{}, kinds: map[*schema.Node]string{}}
	for i, n := range sch.Leaves() {
		switch {
		case i < 2*len(kinds):
			w.kinds[n] = kinds[i/2].name
		default:
			w.kinds[n] = []string{c.name, c2.name, c3.name, c4.name, c5.name, "str", c6.name, "str", c8.name, c9.name, c10.name, c11.name, c7.name}[i-2*len(kinds)]
		}
		w.pools[n] = pools[w.kinds[n]]
	}
	for range rows {
		w.rows = append(w.rows, w.body(r, sch.Root()))
	}
	return w
}

func (w *world) random(r *rand.Rand, n *schema.Node) raw {
	switch n.Repetition {
	case schema.Optional:
		if r.IntN(4) == 0 || n.Kind == schema.Leaf && w.pools[n] == nil {
			return raw{null: true}
		}
	case schema.Repeated:
		var out raw
		for range pick(r, 0, 1, 1, 2, 3) {
			out.many = append(out.many, w.body(r, n))
		}
		return out
	}
	return w.body(r, n)
}

func (w *world) body(r *rand.Rand, n *schema.Node) raw {
	if n.Kind == schema.Leaf {
		if w.pools[n] == nil { // required and UNKNOWN: any bytes, all NULL
			return raw{leaf: &datum{plain: le32(0)}}
		}
		return raw{leaf: w.pools[n](r)}
	}
	var out raw
	for _, c := range n.Children {
		out.fields = append(out.fields, w.random(r, c))
	}
	return out
}

// entry is a slot of a leaf.
type entry struct {
	row, def int
	plain    []byte
}

// shred returns the slots of a leaf.
func (w *world) shred(leaf *schema.Node) (out []entry) {
	var path []*schema.Node
	for n := leaf; n.Parent != nil; n = n.Parent {
		path = append([]*schema.Node{n}, path...)
	}
	var down func(row int, v raw, at []*schema.Node, def int)
	down = func(row int, v raw, at []*schema.Node, def int) {
		if len(at) == 0 {
			out = append(out, entry{row, def, v.leaf.plain})
			return
		}
		n := at[0]
		f := v.fields[childIndex(n)]
		switch n.Repetition {
		case schema.Required:
			down(row, f, at[1:], def)
		case schema.Optional:
			if f.null {
				out = append(out, entry{row: row, def: def})
			} else {
				down(row, f, at[1:], def+1)
			}
		default:
			if len(f.many) == 0 {
				out = append(out, entry{row: row, def: def})
			}
			for _, o := range f.many {
				down(row, o, at[1:], def+1)
			}
		}
	}
	for i := range w.rows {
		down(i, w.rows[i], path, 0)
	}
	return out
}

func childIndex(n *schema.Node) int {
	for i, c := range n.Parent.Children {
		if c == n {
			return i
		}
	}
	panic("no child")
}

// at returns what stands at a node that is in no list, for a row.
func (w *world) at(row int, n *schema.Node) raw {
	v := w.rows[row]
	var path []*schema.Node
	for m := n; m.Parent != nil; m = m.Parent {
		path = append([]*schema.Node{m}, path...)
	}
	for _, m := range path {
		if v = v.fields[childIndex(m)]; v.null {
			return v
		}
	}
	return v
}
