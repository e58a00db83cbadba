package vector

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// jsonOf is the model of a slot: AppendJSON's text of its PLAIN bytes, joined
// as the canonical form has it.
func jsonOf(t *testing.T, f Field, v *Vector, i int) string {
	if v.Form == Constant {
		i = 0
	}
	if v.Validity != nil && v.Validity[i/64]>>(i%64)&1 == 0 {
		return "null"
	}
	var parts []string
	switch f.Layout {
	case Struct:
		for c, child := range f.Children {
			name, _ := json.Marshal(child.Name)
			parts = append(parts, string(name)+":"+jsonOf(t, child, v.Children[c], i))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case List, Map:
		for j := int(v.Offsets[i]); j < int(v.Offsets[i+1]); j++ {
			item := jsonOf(t, f.Children[0], v.Children[0], j)
			if f.Layout == Map {
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
	if v.Form == Dictionary {
		return jsonOf(t, f, v.Dict, int(v.Codes[i]))
	}
	text, err := AppendJSON(nil, f.Type, plain(v, i))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every annotation on every physical type, and nested fields of some of them.
func TestSlotsAreWrittenAsTheirPlainBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	all := fields()
	for l := None; l <= Unrecognised; l++ {
		for _, typ := range leafTypes {
			typ.Logical, typ.Scale, typ.Unit, typ.UTC = l, 2, Millis+Unit(r.IntN(3)), true
			all = append(all, leaf(typ))
		}
	}
	all = append(all, leaf(Type{Physical: FixedLenByteArray, Length: 16, Logical: UUID}), leaf(Type{Physical: FixedLenByteArray, Length: 2, Logical: Float16}))
	n := leaf(Type{Physical: Int32, Logical: Date})
	twice := group(Struct, n, n, leaf(Type{Physical: ByteArray, Logical: String}))
	twice.Children[2].Name = `odd "name"`
	all = append(all, twice, group(Struct))
	for _, f := range all {
		for range 10 {
			v := random(r, f, r.IntN(50))
			s := f.JSON()
			s.Use(v)
			rows := JSONRows([]Field{f, {Name: "\n", Type: Type{Physical: Boolean}}, f})
			same := &Vector{Form: Constant, Bools: []uint64{1}, Len: v.Len}
			rows.Use(&Batch{Columns: []*Vector{v, same, v}, Len: v.Len})
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
	str := leaf(Type{Physical: ByteArray, Logical: String})
	v := str.New()
	v.Extend(1)
	v.Views[0] = bits.MakeInline([]byte(`a"b`))
	v.AppendNulls(1)
	s := str.Text()
	s.Use(v)
	list := group(List, str)
	l := list.New()
	l.extendNested(1)
	l.Offsets[1], l.Children[0] = 2, v
	l.AppendNulls(1)
	ls := list.Text()
	ls.Use(l)
	var got []string
	for _, s := range []*Slots{s, ls} {
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
	f := leaf(Type{Physical: ByteArray, Logical: Decimal})
	v := f.New()
	v.Extend(1)
	b := slices.Repeat([]byte{1}, maxDecimalBytes+1)
	v.Views[0] = bits.Make(b, v.AddBuffer(b), 0)
	list := group(List, f)
	l := list.New()
	l.extendNested(1)
	l.Offsets[1], l.Children[0] = 1, v
	rows := JSONRows([]Field{list})
	rows.Use(&Batch{Columns: []*Vector{l}, Len: 1})
	if got, err := rows.Append([]byte("x"), 0); err == nil || string(got) != "x" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestRowsWithoutColumns(t *testing.T) {
	rows := JSONRows(nil)
	rows.Use(&Batch{Len: 1})
	if got, err := rows.Append(nil, 0); err != nil || string(got) != "{}" {
		t.Errorf("%s, %v", got, err)
	}
}

func BenchmarkRows(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 4096
	for _, f := range []Field{
		{Name: "number", Type: Type{Physical: Int64}},
		{Name: "price", Type: Type{Physical: Int64, Logical: Decimal, Scale: 2}},
		{Name: "day", Type: Type{Physical: Int32, Logical: Date}},
		{Name: "at", Type: Type{Physical: Int64, Logical: Timestamp, Unit: Micros}},
		{Name: "ratio", Type: Type{Physical: Double}},
		{Name: "text", Type: Type{Physical: ByteArray, Logical: String}},
		group(List, group(Struct, leaf(Type{Physical: Int32}), leaf(Type{Physical: ByteArray, Logical: String}))),
	} {
		v := random(r, f, n)
		for v.Form != Flat {
			v = random(r, f, n)
		}
		rows := JSONRows([]Field{f})
		var out []byte
		write := func() {
			out = out[:0]
			rows.Use(&Batch{Columns: []*Vector{v}, Len: n})
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
