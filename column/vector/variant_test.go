package vector

import (
	"strings"
	"testing"
)

// An entry of a dictionary that many items have, and a long name that many objects have, do not become a variant out of all proportion.
func TestVariantOutOfProportion(t *testing.T) {
	binary := Type{Physical: ByteArray}
	value := Field{Name: "value", Type: binary, Nullable: true}
	item := Field{Name: "element", Layout: Struct, Children: []Field{value}}
	field := Field{
		Name: "v", Type: Type{Physical: Group, Logical: Variant}, Layout: Struct,
		Children: []Field{{Name: "metadata", Type: binary}, {Name: "typed_value", Layout: List, Nullable: true, Children: []Field{item}}},
	}
	name := strings.Repeat("n", 100)
	for i, c := range []struct {
		value string // of each item
		items int
		most  int
		parts string // what is refused: the value, or only its text
	}{
		{"\x00", 1000, 6000, ""},
		{"\xa5" + name[:41], 1000, 1000, "value"},
		{"\xa5" + name[:41], 1000, 1 << 20, ""},
		{"\x02\x01\x00\x00\x01\x00", 1000, 10000, "text"},
	} {
		column := &Vector{Layout: Struct, Type: field.Type, Len: 1}
		var leaves []*Vector
		for _, b := range []string{"\x01\x01\x00\x64" + name, c.value} {
			s, err := BytesOf(binary, []byte(b))
			if err != nil {
				t.Fatal(err)
			}
			leaves = append(leaves, s.Vector(c.items))
		}
		items := &Vector{Layout: Struct, Len: c.items, Children: leaves[1:]}
		list := &Vector{Layout: List, Len: 1, Offsets: []int32{0, int32(c.items)}, Children: []*Vector{items}}
		column.Children = []*Vector{leaves[0], list}
		r, err := field.Variants()
		if err != nil {
			t.Fatal(err)
		}
		r.most = c.most
		r.Use(column)
		_, _, valueErr := r.Binary(0)
		js, textErr := r.AppendJSON([]byte("before"), 0)
		if (valueErr != nil) != (c.parts == "value") || (textErr != nil) != (c.parts != "") || textErr != nil && string(js) != "before" {
			t.Errorf("%d: got a value with %v, JSON of %d bytes with %v", i, valueErr, len(js), textErr)
		}
	}
}
