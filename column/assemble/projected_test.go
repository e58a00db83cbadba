package assemble

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

func plan(t *testing.T, p Projected) *Plan {
	t.Helper()
	plan, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// Fields come in the order that is wanted, some are missing in the file, and
// some of the file's are not wanted.
func TestPartsAndMissingFields(t *testing.T) {
	s := schemaOf(t, []*gen.Node{gen.List("l", gen.Optional("element", gen.Group,
		gen.Optional("a", gen.Int64), gen.Required("b", gen.Int64), gen.List("deep", gen.Required("element", gen.Int64))))})
	element := s.Find("l", "element")
	missing := vector.Field{Type: vector.Type{Physical: vector.Double}, Nullable: true}
	p := plan(t, Projected{Name: "L", Node: s.Find("l"), Children: []Projected{{Node: element, Children: []Projected{
		{Node: s.Find("l", "element", "b"), Name: "B"},
		{Name: "gone", Missing: &Missing{build.Null(&missing, 1).Scalar(0), missing}},
		{Node: s.Find("l", "element", "a")},
	}}}})
	if f := p.Field(); f.Name != "L" || f.Children[0].Name != "item" || f.Children[0].Children[0].Name != "B" {
		t.Error("names of", f)
	}
	if got := p.Sources(); len(got) != 2 || got[0].Node.Name != "b" || got[1].Node.Name != "a" || got[0].Levels {
		t.Errorf("sources %v", got)
	}
	a := column{rep: []uint8{0, 1, 0, 0}, def: []uint8{4, 2, 3, 1}, values: []int64{10}}
	b := column{rep: []uint8{0, 1, 0, 0}, def: []uint8{3, 2, 3, 1}, values: []int64{20, 21}}
	typ := s.Leaves()[0].Type
	got := vectorRows(t, p, []Leaf{b.leaf(typ, false), a.leaf(typ, true)}, 3)
	want(t, got, `[{"B":20,"gone":null,"a":10},null]`, `[{"B":21,"gone":null,"a":null}]`, `[]`)
}

// Where nothing is wanted that tells of a struct or a list, the shallowest
// leaf below is asked for its levels.
func TestLevelsOnly(t *testing.T) {
	s := schemaOf(t, []*gen.Node{gen.Optional("s", gen.Group,
		gen.List("deep", gen.Required("element", gen.Int64)), gen.Optional("x", gen.Int64))})
	missing := vector.Field{Type: vector.Type{Physical: vector.Int32}, Nullable: true}
	p := plan(t, Projected{Node: s.Find("s"), Children: []Projected{{Name: "new", Missing: &Missing{build.Null(&missing, 1).Scalar(0), missing}}}})
	if got := p.Sources(); len(got) != 1 || got[0].Node.Name != "x" || !got[0].Levels {
		t.Fatalf("sources %v", got)
	}
	want(t, vectorRows(t, p, []Leaf{{Def: []uint8{1, 0, 2}}}, 3), `{"new":null}`, `null`, `{"new":null}`)

	p = plan(t, Projected{Node: s.Find("s"), Children: []Projected{{Node: s.Find("s", "deep"), Children: []Projected{{Name: "item", Missing: &Missing{build.Null(&missing, 1).Scalar(0), missing}}}}}})
	if got := p.Sources(); len(got) != 1 || got[0].Node.Name != "element" || !got[0].Levels {
		t.Fatalf("sources %v", got)
	}
	want(t, vectorRows(t, p, []Leaf{{Rep: []uint8{0, 1, 0, 0}, Def: []uint8{3, 3, 1, 0}}}, 3), `{"deep":[null,null]}`, `{"deep":null}`, `null`)

	// A required struct is there in any case: nobody needs to be asked.
	s = schemaOf(t, []*gen.Node{gen.Required("s", gen.Group, gen.Required("x", gen.Int64))})
	p = plan(t, Projected{Node: s.Find("s")})
	if got := p.Sources(); len(got) != 0 {
		t.Fatalf("sources %v", got)
	}
	want(t, vectorRows(t, p, nil, 2), `{}`, `{}`)
}

// deepSchema returns n repeated groups, one in the other, around a number.
func deepSchema(t *testing.T, n int) *schema.Schema {
	return schemaOf(t, []*gen.Node{gen.Deep(n, gen.Repeated("x", gen.Int64), gen.Many)})
}

func TestHundredLevels(t *testing.T) {
	const depth = 100
	s := deepSchema(t, depth)
	p := plan(t, Whole(s.Root().Children[0]))
	c := column{rep: []uint8{0, depth, 0, 50}, def: []uint8{depth, depth, 49, depth}, values: []int64{1, 2, 3}}
	_, err := p.Assemble(nil, []Leaf{c.leaf(s.Leaves()[0].Type, false)}, 2)
	if err == nil || !strings.Contains(err.Error(), "entry 3") {
		t.Errorf("a list goes on that has not begun: %v", err)
	}
	c.def[2] = 50
	got := vectorRows(t, p, []Leaf{c.leaf(s.Leaves()[0].Type, false)}, 2)
	if strings.Count(got[0], "[") != depth || !strings.Contains(got[0], "[1,2]") || strings.Count(got[1], "[") != 50+1+50 || !strings.Contains(got[1], "[3]") {
		t.Error(got)
	}

	if _, err := New(Whole(deepSchema(t, 256).Root().Children[0])); !errors.Is(err, corrupt.Unsupported) {
		t.Errorf("256 levels: %v", err)
	}
	s = deepSchema(t, 255)
	p = plan(t, Whole(s.Root().Children[0]))
	c = column{rep: []uint8{0, 255, 0, 254}, def: []uint8{255, 255, 254, 255}, values: []int64{1, 2, 3}}
	if _, err := p.Assemble(nil, []Leaf{c.leaf(s.Leaves()[0].Type, false)}, 2); err != nil {
		t.Errorf("255 levels: %v", err)
	}
}

func TestFaults(t *testing.T) {
	list := gen.List("l", gen.Required("element", gen.Group, gen.Required("a", gen.Int64), gen.Required("b", gen.Int64)))
	s := schemaOf(t, []*gen.Node{list})
	p := plan(t, Whole(s.Find("l")))
	typ := s.Leaves()[0].Type
	good := func() column { return column{rep: []uint8{0, 1, 0}, def: []uint8{2, 2, 1}, values: []int64{1, 2}} }
	for _, c := range []struct {
		name  string
		spoil func(a, b *column)
		want  string
	}{
		{"none", func(a, b *column) {}, ""},
		{"other structure", func(a, b *column) { b.def[2] = 0 }, `nesting: l.list.element.b has another structure than l.list.element.a from slot 2 on`},
		{"fewer entries", func(a, b *column) { b.def, b.rep = b.def[:2], b.rep[:2] }, `nesting: l.list.element.b has another structure than l.list.element.a from slot 2 on`},
		{"list goes on after NULL", func(a, b *column) { a.def[0] = 0; a.values = []int64{1} }, `nesting: l.list.element.a goes on at entry 1 with a list that has no item`},
		{"begins with 1", func(a, b *column) { a.rep[0] = 1 }, `nesting: l.list.element.a goes on at entry 0 with a list that has no item`},
		{"rows", func(a, b *column) { a.rep[2] = 1; a.def[2] = 2 }, `nesting: l.list.element.a has 1 rows where 2 are wanted`},
		{"values", func(a, b *column) { b.values = []int64{1} }, `nesting: l.list.element.b has 1 values where its levels promise 2`},
		{"more values", func(a, b *column) { b.values = []int64{1, 2, 3} }, `nesting: l.list.element.b has 3 values where its levels promise 2`},
		{"no repetition", func(a, b *column) { a.rep = nil }, `nesting: l.list.element.a has 0 repetition and 3 definition levels`},
		{"one level short", func(a, b *column) { b.rep = b.rep[:2] }, `nesting: l.list.element.b has 2 repetition and 3 definition levels`},
	} {
		a, b := good(), good()
		c.spoil(&a, &b)
		got := ""
		if _, err := p.Assemble(nil, []Leaf{a.leaf(typ, false), b.leaf(typ, false)}, 2); err != nil {
			if got = err.Error(); !errors.Is(err, corrupt.Bad) {
				t.Errorf("%s: not corrupt: %v", c.name, err)
			}
		}
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Masks compare levels as a plain loop does, whatever the level.
func TestMasks(t *testing.T) {
	levels := make([]uint8, 256)
	for i := range levels {
		levels[i] = uint8(i * 7)
	}
	for c := range 256 {
		total := 0
		for _, l := range levels {
			if l >= uint8(c) {
				total++
			}
		}
		if got := count(levels, uint8(c)); got != total {
			t.Fatalf("%d levels at least %d, want %d", got, c, total)
		}
		for x := range 256 {
			if c < 0x80 {
				got := minBytes(uint64(x)*0x0101010101010101, uint64(c)*0x0101010101010101)
				if want := uint64(min(x, c)) * 0x0101010101010101; got != want {
					t.Fatalf("least of %d and %d: %#x", x, c, got)
				}
			}
		}
	}
}

func TestRepeatLeaves(t *testing.T) {
	f := vector.Field{Type: vector.Type{Physical: vector.Int64}, Nullable: true}
	v := build.New(&f)
	build.Extend(v, 2)
	v.Int64s[0], v.Int64s[1] = 7, 8
	build.AppendNulls(v, 1)
	offsets := []int32{0, 2, 2, 5}
	got := Repeat(v, offsets)
	want(t, slotsOf(t, f, got), "7", "7", "null", "null", "null")
	want(t, slotsOf(t, f, Repeat(got, []int32{0, 0, 1, 1, 1, 3})), "7", "null", "null")
	want(t, slotsOf(t, f, Repeat(build.Null(&f, 3), offsets)), "null", "null", "null", "null", "null")
	got.Flatten()
	want(t, slotsOf(t, f, got), "7", "7", "null", "null", "null")
}

// A list within structs: where a struct above is NULL, the list is.
func TestUnnestBelowStructs(t *testing.T) {
	list := gen.List("l", gen.Optional("element", gen.Group, gen.Repeated("x", gen.Int64)))
	s := schemaOf(t, []*gen.Node{gen.Optional("s", gen.Group, list)})
	p := plan(t, Whole(s.Find("s")))
	// s is 1, l is 2, its items are at 3, the structs in it at 4, x at 5.
	c := column{rep: []uint8{0, 0, 0, 0, 1, 2, 1}, def: []uint8{0, 1, 2, 5, 5, 5, 3}, values: []int64{7, 8, 9}}
	v, err := p.Assemble(nil, []Leaf{c.leaf(s.Leaves()[0].Type, false)}, 4)
	if err != nil {
		t.Fatal(err)
	}
	want(t, slotsOf(t, p.Field(), v), `null`, `{"l":null}`, `{"l":[]}`, `{"l":[{"x":[7]},{"x":[8,9]},null]}`)
	way, ok := p.Way(s.Find("s", "l", "element", "x"))
	if !ok {
		t.Fatal("no way")
	}
	items, offsets := way.Unnest(v)
	want(t, slotsOf(t, way.Field(), items), "7", "8", "9")
	if !slices.Equal(offsets[0], []int32{0, 0, 0, 0, 3}) {
		t.Errorf("offsets of x: %v", offsets[0])
	}
	way, _ = p.Way(s.Find("s", "l"))
	items, offsets = way.Unnest(v)
	want(t, slotsOf(t, way.Field(), items), `{"x":[7]}`, `{"x":[8,9]}`, "null")
	if !slices.Equal(offsets[0], []int32{0, 0, 0, 0, 3}) {
		t.Errorf("offsets of l: %v", offsets[0])
	}
	if _, ok := p.Way(s.Root()); ok {
		t.Error("a way out of the column")
	}
}
