package assemble

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/validate"
)

// rows returns the rows of hand-written columns as JSON.
func rows(t *testing.T, nodes []*gen.Node, n int, columns ...column) []string {
	t.Helper()
	plans := plansOf(t, schemaOf(t, nodes))
	lines, err := assembleRows(plans, make([]*vector.Vector, len(plans)), columns, n, false)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func want(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func text(name string, r gen.Repetition) *gen.Node {
	return (&gen.Node{Name: name, Type: gen.ByteArray, Repetition: r}).As(gen.StringType())
}

// The address book of the article on Dremel and Parquet, with its levels.
func TestAddressBook(t *testing.T) {
	book := []*gen.Node{
		text("owner", gen.Once),
		text("ownerPhoneNumbers", gen.Many),
		gen.Repeated("contacts", gen.Group, text("name", gen.Once), text("phoneNumber", gen.Maybe)),
	}
	got := rows(t, book, 2,
		column{values: []string{"Julien Le Dem", "A. Nonymous"}},
		column{rep: []uint8{0, 1, 0}, def: []uint8{1, 1, 0}, values: []string{"555 123 4567", "555 666 1337"}},
		column{rep: []uint8{0, 1, 0}, def: []uint8{1, 1, 0}, values: []string{"Dmitriy Ryaboy", "Chris Aniszczyk"}},
		column{rep: []uint8{0, 1, 0}, def: []uint8{2, 1, 0}, values: []string{"555 987 6543"}},
	)
	want(t, got,
		`{"owner":"Julien Le Dem","ownerPhoneNumbers":["555 123 4567","555 666 1337"],"contacts":[{"name":"Dmitriy Ryaboy","phoneNumber":"555 987 6543"},{"name":"Chris Aniszczyk","phoneNumber":null}]}`,
		`{"owner":"A. Nonymous","ownerPhoneNumbers":[],"contacts":[]}`)
}

// The contacts' phone numbers alone, as the article projects them.
func TestAddressBookProjected(t *testing.T) {
	s := schemaOf(t, []*gen.Node{gen.Repeated("contacts", gen.Group, text("name", gen.Once), text("phoneNumber", gen.Maybe))})
	p, err := New(Projected{Node: s.Find("contacts"), Children: []Projected{{Node: s.Find("contacts", "phoneNumber")}}})
	if err != nil {
		t.Fatal(err)
	}
	phones := column{rep: []uint8{0, 1, 0}, def: []uint8{2, 1, 0}, values: []string{"555 987 6543"}}
	got := vectorRows(t, p, []Leaf{phones.leaf(s.Leaves()[1].Type, false)}, 2)
	want(t, got, `[{"phoneNumber":"555 987 6543"},{"phoneNumber":null}]`, `[]`)
}

// vectorRows returns the slots of the one vector that p assembles.
func vectorRows(t *testing.T, p *Plan, leaves []Leaf, n int) []string {
	t.Helper()
	v, err := p.Assemble(nil, leaves, n)
	if err != nil {
		t.Fatal(err)
	}
	return slotsOf(t, p.Field(), v)
}

func slotsOf(t *testing.T, f vector.Field, v *vector.Vector) (lines []string) {
	t.Helper()
	b := vector.Batch{Fields: []vector.Field{f}, Columns: []*vector.Vector{v}, Len: v.Len}
	if err := validate.Batch(&b); err != nil {
		t.Fatal(err)
	}
	w := f.JSON()
	w.Use(v)
	for i := range v.Len {
		line, err := w.Append(nil, i)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	return lines
}

// Three optional fields, one in the other, make definition levels up to 3; if
// the one in the middle is required, up to 2.
func TestDefinitionLevels(t *testing.T) {
	nest := func(b gen.Repetition) []*gen.Node {
		inner := &gen.Node{Name: "b", Repetition: b, Children: []*gen.Node{text("c", gen.Maybe)}}
		return []*gen.Node{gen.Optional("a", gen.Group, inner)}
	}
	got := rows(t, nest(gen.Maybe), 4, column{def: []uint8{0, 1, 2, 3}, values: []string{"foo"}})
	want(t, got, `{"a":null}`, `{"a":{"b":null}}`, `{"a":{"b":{"c":null}}}`, `{"a":{"b":{"c":"foo"}}}`)
	got = rows(t, nest(gen.Once), 3, column{def: []uint8{0, 1, 2}, values: []string{"foo"}})
	want(t, got, `{"a":null}`, `{"a":{"b":{"c":null}}}`, `{"a":{"b":{"c":"foo"}}}`)
}

// 0 begins a record with both lists, 1 a new inner list, 2 goes on with it.
func TestRepetitionLevels(t *testing.T) {
	nodes := []*gen.Node{gen.Repeated("level1", gen.Group, text("level2", gen.Many))}
	got := rows(t, nodes, 2, column{
		rep:    []uint8{0, 2, 2, 1, 2, 2, 2, 0, 1, 2},
		def:    []uint8{2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
		values: []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"},
	})
	want(t, got,
		`{"level1":[{"level2":["a","b","c"]},{"level2":["d","e","f","g"]}]}`,
		`{"level1":[{"level2":["h"]},{"level2":["i","j"]}]}`)
}

// nested is the sample of the text on scanning nested types: every state of a
// list of lists, in 9 pairs of levels.
func nested(t *testing.T) (*schema.Schema, []column) {
	inner := gen.List("item", gen.Optional("item", gen.Int64))
	s := schemaOf(t, []*gen.Node{gen.Required("id", gen.Int64), gen.List("array_col", inner)})
	return s, []column{
		{values: []int64{0, 1, 2, 3, 4, 5, 6}},
		{
			def:    []uint8{0, 1, 2, 3, 4, 5, 4, 5, 5},
			rep:    []uint8{0, 0, 0, 0, 0, 0, 2, 1, 0},
			values: []int64{1, 2, 3},
		},
	}
}

func TestStatesOfNestedLists(t *testing.T) {
	s, columns := nested(t)
	plans := plansOf(t, s)
	got, err := assembleRows(plans, make([]*vector.Vector, 2), columns, 7, false)
	if err != nil {
		t.Fatal(err)
	}
	want(t, got,
		`{"id":0,"array_col":null}`,
		`{"id":1,"array_col":[]}`,
		`{"id":2,"array_col":[null]}`,
		`{"id":3,"array_col":[[]]}`,
		`{"id":4,"array_col":[[null]]}`,
		`{"id":5,"array_col":[[1,null],[2]]}`,
		`{"id":6,"array_col":[[3]]}`)
}

// assembled returns the vectors of the sample, the plan of array_col, and the
// node of its inner arrays.
func assembled(t *testing.T) (id, arrays *vector.Vector, p *Plan, inner *schema.Node) {
	t.Helper()
	s, columns := nested(t)
	var vectors []*vector.Vector
	for i, plan := range plansOf(t, s) {
		v, err := plan.Assemble(nil, []Leaf{columns[i].leaf(s.Leaves()[i].Type, false)}, 7)
		if err != nil {
			t.Fatal(err)
		}
		vectors, p = append(vectors, v), plan
	}
	return vectors[0], vectors[1], p, s.Find("array_col", "item")
}

// select id, inner.item from tbl t, t.array_col outer, outer.item inner: the
// three levels are there, and joined one after the other.
func TestQuery1JoinsLevelByLevel(t *testing.T) {
	id, arrays, _, _ := assembled(t)
	outer, inner := arrays, arrays.Children[0]
	items := slotsOf(t, vector.Field{Type: inner.Children[0].Type, Nullable: true}, inner.Children[0])
	var got []string
	for row := range id.Len {
		for o := outer.Offsets[row]; o < outer.Offsets[row+1]; o++ {
			for i := inner.Offsets[o]; i < inner.Offsets[o+1]; i++ {
				got = append(got, fmt.Sprint(id.Int64s[row], ",", items[i]))
			}
		}
	}
	want(t, got, "4,null", "5,1", "5,null", "5,2", "6,3")
}

// select inner.item from tbl.array_col.item inner: the innermost items alone.
func TestQuery2UnnestsInnermostItems(t *testing.T) {
	_, arrays, p, inner := assembled(t)
	for _, n := range []*schema.Node{inner, inner.Item()} {
		way, ok := p.Way(n)
		if !ok {
			t.Fatal("no way to", n)
		}
		items, offsets := way.Unnest(arrays)
		want(t, slotsOf(t, way.Field(), items), "null", "1", "null", "2", "3")
		if !slices.Equal(offsets[0], []int32{0, 0, 0, 0, 0, 1, 4, 5}) {
			t.Errorf("offsets %v", offsets[0])
		}
	}
}

// select id, inner.item from tbl t, t.array_col.item inner: the items of the
// inner collection, next to the columns of its parent.
func TestQuery3UnnestsNextToTheParent(t *testing.T) {
	id, arrays, p, inner := assembled(t)
	way, _ := p.Way(inner)
	items, offsets := way.Unnest(arrays)
	ids := Repeat(id, offsets[0])
	got := slotsOf(t, vector.Field{Type: id.Type}, ids)
	for i, item := range slotsOf(t, way.Field(), items) {
		got[i] += "," + item
	}
	want(t, got, "4,null", "5,1", "5,null", "5,2", "6,3")
}

// The keys and values of a map in a struct in a list are items too.
func TestUnnestPairs(t *testing.T) {
	m := gen.Map("m", gen.Required("key", gen.Int64), gen.Optional("value", gen.Int64))
	s := schemaOf(t, []*gen.Node{gen.List("l", gen.Optional("element", gen.Group, m))})
	p, err := New(Whole(s.Root().Children[0]))
	if err != nil {
		t.Fatal(err)
	}
	rep := []uint8{0, 0, 1, 1, 1, 0}
	keys := column{rep: rep, def: []uint8{0, 5, 2, 5, 3, 5}, values: []int64{1, 2, 3}}
	values := column{rep: rep, def: []uint8{0, 6, 2, 5, 3, 6}, values: []int64{7, 9}}
	v, err := p.Assemble(nil, []Leaf{keys.leaf(s.Leaves()[0].Type, false), values.leaf(s.Leaves()[1].Type, false)}, 3)
	if err != nil {
		t.Fatal(err)
	}
	want(t, slotsOf(t, p.Field(), v),
		`null`,
		`[{"m":[{"key":1,"value":7}]},null,{"m":[{"key":2,"value":null}]},{"m":null}]`,
		`[{"m":[{"key":3,"value":9}]}]`)
	way, ok := p.Way(s.Find("l", "element", "m"))
	if !ok {
		t.Fatal("no way")
	}
	items, offsets := way.Unnest(v)
	want(t, slotsOf(t, way.Field(), items), `{"key":1,"value":7}`, `{"key":2,"value":null}`, `{"key":3,"value":9}`)
	if !slices.Equal(offsets[0], []int32{0, 0, 2, 3}) {
		t.Errorf("offsets %v", offsets[0])
	}
	repeated := Repeat(v, offsets[0])
	if got := slotsOf(t, p.Field(), repeated); got[0] != got[1] || len(got) != 3 {
		t.Errorf("repeated: %v", got)
	}
}
