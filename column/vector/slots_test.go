package vector_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// jsonOf is the model of a slot: the JSON of its PLAIN bytes, joined
// as the canonical form has it.
func jsonOf(t *testing.T, f vector.Field, v *vector.Vector, i int) string {
	if v.Form == vector.Constant {
		i = 0
	}
	if len(v.Validity) > 0 && v.Validity[i/64]>>(i%64)&1 == 0 {
		return "null"
	}
	var parts []string
	switch f.Layout {
	case vector.Struct:
		for c, child := range f.Children {
			name, _ := json.Marshal(child.Name)
			parts = append(parts, string(name)+":"+jsonOf(t, child, v.Children[c], i))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case vector.List, vector.Map:
		for j := int(v.Offsets[i]); j < int(v.Offsets[i+1]); j++ {
			item := jsonOf(t, f.Children[0], v.Children[0], j)
			if f.Layout == vector.Map {
				value := "null"
				if len(f.Children) > 1 {
					value = jsonOf(t, f.Children[1], v.Children[1], j)
				}
				item = `{"key":` + item + `,"value":` + value + "}"
			}
			parts = append(parts, item)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	if v.Form == vector.Dictionary {
		return jsonOf(t, f, v.Dict, int(v.Codes[i]))
	}
	format := f.Type.JSON()
	text, err := format.Append(nil, plain(v, i))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every annotation on every physical type, and nested fields of some of them.
func TestSlotsAreWrittenAsTheirPlainBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	all := fields()
	for l := vector.None; l <= vector.Unrecognised; l++ {
		for _, typ := range leafTypes {
			typ.Logical, typ.Scale, typ.Unit, typ.UTC = l, 2, vector.Millis+vector.Unit(r.IntN(3)), true
			all = append(all, leaf(typ))
		}
	}
	all = append(all, leaf(vector.Type{Physical: vector.FixedLenByteArray, Length: 16, Logical: vector.UUID}), leaf(vector.Type{Physical: vector.FixedLenByteArray, Length: 2, Logical: vector.Float16}))
	n := leaf(vector.Type{Physical: vector.Int32, Logical: vector.Date})
	twice := group(vector.Struct, n, n, leaf(vector.Type{Physical: vector.ByteArray, Logical: vector.String}))
	twice.Children[2].Name = `odd "name"`
	all = append(all, twice, group(vector.Struct))
	for _, f := range all {
		for range 10 {
			v := random(r, f, r.IntN(50))
			s := f.JSON()
			s.Use(v)
			rows := vector.JSONRows([]vector.Field{f, {Name: "\n", Type: vector.Type{Physical: vector.Boolean}}, f})
			same := &vector.Vector{Form: vector.Constant, Bools: []uint64{1}, Len: v.Len}
			rows.Use(&vector.Batch{Columns: []*vector.Vector{v, same, v}, Len: v.Len})
			for i := range v.Len {
				want := jsonOf(t, f, v, i)
				got, err := s.Append([]byte("x"), i)
				if err != nil || string(got) != "x"+want {
					t.Fatalf("%v, slot %d: %s, %v; want %s", f, i, got[1:], err, want)
				}
				if !json.Valid(got[1:]) {
					t.Fatalf("not JSON: %s", got)
				}
				row, err := rows.Append(nil, i)
				name := `"` + f.Name + `":`
				if wantRow := "{" + name + want + `,"\n":true,` + name + want + "}"; err != nil || string(row) != wantRow {
					t.Fatalf("row %s, %v; want %s", row, err, wantRow)
				}
			}
		}
	}
}

// As text, leaves lose their quotes, NULL is nothing, and what is nested stays JSON.
func TestSlotsAsText(t *testing.T) {
	str := leaf(vector.Type{Physical: vector.ByteArray, Logical: vector.String})
	v := build.New(&str)
	build.Extend(v, 1)
	v.Views[0] = bits.MakeInline([]byte(`a"b`))
	build.AppendNulls(v, 1)
	s := str.Text()
	s.Use(v)
	list := group(vector.List, str)
	l := build.New(&list)
	build.ResetNested(l, list.Type, vector.List, 1)
	l.Offsets[1], l.Children[0] = 2, v
	build.AppendNulls(l, 1)
	ls := list.Text()
	ls.Use(l)
	var got []string
	for _, s := range []*vector.Slots{s, ls} {
		for i := range 2 {
			text, err := s.Append(nil, i)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(text))
		}
	}
	if want := []string{`a"b`, "", `["a\"b",null]`, ""}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A decimal that is too long to be written is an error, wherever it stands.
func TestSlotsThatCannotBeWritten(t *testing.T) {
	f := leaf(vector.Type{Physical: vector.ByteArray, Logical: vector.Decimal})
	v := build.New(&f)
	build.Extend(v, 1)
	b := slices.Repeat([]byte{1}, 1<<16+1)
	v.Views[0] = bits.Make(b, build.AddBuffer(v, b), 0)
	list := group(vector.List, f)
	l := build.New(&list)
	build.ResetNested(l, list.Type, vector.List, 1)
	copy(l.Offsets, []int32{0, 1})
	l.Children[0] = v
	rows := vector.JSONRows([]vector.Field{list})
	rows.Use(&vector.Batch{Columns: []*vector.Vector{l}, Len: 1})
	if got, err := rows.Append([]byte("x"), 0); err == nil || string(got) != "x" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestRowsWithoutColumns(t *testing.T) {
	rows := vector.JSONRows(nil)
	rows.Use(&vector.Batch{Len: 1})
	if got, err := rows.Append(nil, 0); err != nil || string(got) != "{}" {
		t.Errorf("%s, %v", got, err)
	}
}

func BenchmarkRows(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 4096
	for _, f := range []vector.Field{
		{Name: "number", Type: vector.Type{Physical: vector.Int64}},
		{Name: "price", Type: vector.Type{Physical: vector.Int64, Logical: vector.Decimal, Scale: 2}},
		{Name: "day", Type: vector.Type{Physical: vector.Int32, Logical: vector.Date}},
		{Name: "at", Type: vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Micros}},
		{Name: "ratio", Type: vector.Type{Physical: vector.Double}},
		{Name: "text", Type: vector.Type{Physical: vector.ByteArray, Logical: vector.String}},
		group(vector.List, group(vector.Struct, leaf(vector.Type{Physical: vector.Int32}), leaf(vector.Type{Physical: vector.ByteArray, Logical: vector.String}))),
	} {
		v := random(r, f, n)
		for v.Form != vector.Flat {
			v = random(r, f, n)
		}
		rows := vector.JSONRows([]vector.Field{f})
		var out []byte
		write := func() {
			out = out[:0]
			rows.Use(&vector.Batch{Columns: []*vector.Vector{v}, Len: n})
			for i := range n {
				var err error
				if out, err = rows.Append(out, i); err != nil {
					b.Fatal(err)
				}
				out = append(out, '\n')
			}
		}
		write()
		b.Run(fmt.Sprintf("column=%s/layout=%d", f.Name, f.Layout), func(b *testing.B) {
			b.SetBytes(int64(len(out)))
			b.ReportAllocs()
			for range b.N {
				write()
			}
		})
	}
}
