package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// parse makes elements of a schema written as the format's documents do, one
// element a line, children indented by two more spaces:
//
//	message name
//	  optional group tags (LIST)
//	    repeated group list
//	      optional binary item (STRING)
//
// Annotations in capital letters are ConvertedTypes, those in small letters
// LogicalTypes.
func parse(t testing.TB, text string) []thrift.SchemaElement {
	t.Helper()
	var elements []thrift.SchemaElement
	var above []int // index of the last element of each depth
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		trimmed := strings.TrimLeft(line, " ")
		depth := (len(line) - len(trimmed)) / 2
		words := strings.Fields(trimmed)
		e := thrift.SchemaElement{Name: words[len(words)-1]}
		if last := words[len(words)-1]; last[0] == '(' {
			annotate(t, &e, strings.Trim(last, "()"))
			e.Name = words[len(words)-2]
		}
		if depth > 0 {
			repetitions := []string{"required", "optional", "repeated"}
			e.HasRepetition, e.Repetition = true, thrift.Repetition(slices.Index(repetitions, words[0]))
			types := []string{"boolean", "int32", "int64", "int96", "float", "double", "binary", "fixed"}
			if typ := slices.Index(types, words[1]); typ >= 0 {
				e.HasType, e.Type = true, thrift.Type(typ)
				e.TypeLength = 16
			} else if words[1] != "group" {
				t.Fatalf("type in %q", line)
			}
			elements[above[depth-1]].NumChildren++
		}
		above = append(above[:depth], len(elements))
		elements = append(elements, e)
	}
	return elements
}

func annotate(t testing.TB, e *thrift.SchemaElement, name string) {
	converted, err := wire.ConvertedTypeFromString(name)
	if err == nil {
		e.HasConverted, e.Converted = true, thrift.ConvertedType(converted)
		return
	}
	arms := map[string]thrift.Arm{"list": thrift.LogicalList, "map": thrift.LogicalMap, "string": thrift.LogicalString,
		"variant": thrift.LogicalVariant, "file": thrift.LogicalFile, "newer": 77}
	arm, ok := arms[name]
	if !ok {
		t.Fatalf("annotation %q", name)
	}
	e.Logical.Kind = arm
}

// show writes the tree with all that New found out.
func show(n *Node, depth int) string {
	s := fmt.Sprintf("%s%s %s: rep %d def %d", strings.Repeat("  ", depth), n.Name, n.Kind, n.MaxRep, n.MaxDef)
	if n.Kind == Leaf {
		s += fmt.Sprintf(" leaf %d %v", n.FirstLeaf, n.Type)
	} else if a := n.Type.Annotation(); a != "" {
		s += " " + a
	}
	if n.Parent != nil && n.IsBare() {
		s += fmt.Sprintf(" | bare: present %d item %d rep %d", n.MaxDef-1, n.MaxDef, n.MaxRep)
	}
	if n.Kind == List || n.Kind == Map {
		body := n.Children[0]
		s += fmt.Sprintf(" | present %d item %d rep %d", n.MaxDef, body.MaxDef, body.MaxRep)
	}
	switch n.Kind {
	case List:
		s += fmt.Sprintf(" rule %d items %v", n.Rule, n.Item())
	case Map:
		s += fmt.Sprintf(" key %v", n.Key())
		if v := n.Value(); v != nil {
			s += fmt.Sprintf(" value %v", v)
		}
	}
	s += "\n"
	for _, c := range n.Children {
		s += show(c, depth+1)
	}
	return s
}

func TestScripts(t *testing.T) {
	dtest.RunAll(t, "testdata/*.txt", func(t *testing.T, c *dtest.Case) string {
		s, err := New(parse(t, c.Input))
		if err != nil {
			return err.Error()
		}
		return show(s.Root(), 0)
	})
}

// The table of the sample in the nested types chapter: record by record, the
// states of the outer list, its item and the innermost value by level.
func TestStatesOfAListOfLists(t *testing.T) {
	s, err := New(parse(t, `message record
  required int64 id
  optional group array_col (LIST)
    repeated group list
      optional group item (LIST)
        repeated group list
          optional int32 item`))
	if err != nil {
		t.Fatal(err)
	}
	outer := s.Find("array_col")
	inner := outer.Item()
	state := func(def int) string {
		switch {
		case def < outer.MaxDef:
			return "NULL"
		case def < outer.Children[0].MaxDef:
			return "[]"
		case def < inner.MaxDef:
			return "[NULL]"
		case def < inner.Children[0].MaxDef:
			return "[[]]"
		case def < inner.Item().MaxDef:
			return "[[NULL]]"
		}
		return "[[1]]"
	}
	for def, want := range []string{"NULL", "[]", "[NULL]", "[[]]", "[[NULL]]", "[[1]]"} {
		if got := state(def); got != want {
			t.Errorf("definition level %d is %s, want %s", def, got, want)
		}
	}
	if outer, inner := outer.Children[0].MaxRep, inner.Children[0].MaxRep; outer != 1 || inner != 2 {
		t.Errorf("repetition levels %d and %d, want 1 and 2", outer, inner)
	}
}

func TestShallowest(t *testing.T) {
	s, err := New(parse(t, `message m
  optional group a
    repeated group many
      required int32 deep
    optional group b
      optional int32 first
      optional int32 second
  required group empty`))
	if err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]string{"a": "a.b.first", "a.many": "a.many.deep", "a.b.second": "a.b.second"} {
		if got := s.Find(strings.Split(from, ".")...).Shallowest(); got.String() != want {
			t.Errorf("below %s: %s, want %s", from, got, want)
		}
	}
	if got := s.Find("empty").Shallowest(); got != nil {
		t.Errorf("below a group without leaves: %s", got)
	}
}

func TestHostileLists(t *testing.T) {
	leaf := func(name string) thrift.SchemaElement {
		return thrift.SchemaElement{Name: name, HasType: true, Type: thrift.TypeInt32}
	}
	group := func(name string, n int32) thrift.SchemaElement {
		return thrift.SchemaElement{Name: name, NumChildren: n}
	}
	with := func(e thrift.SchemaElement, change func(*thrift.SchemaElement)) thrift.SchemaElement {
		change(&e)
		return e
	}
	deep := []thrift.SchemaElement{}
	for range maxDepth + 1 {
		deep = append(deep, group("g", 1))
	}
	type list = []thrift.SchemaElement
	for _, test := range []struct {
		elements list
		want     string
	}{
		{nil, "schema: no elements"},
		{list{group("root", 1)}, `schema: element 0 ("root") has 1 children where 0 elements are left`},
		{list{group("root", -1)}, `schema: element 0 ("root") has -1 children where 0 elements are left`},
		{list{group("root", 2), leaf("a")}, `schema: element 0 ("root") has 2 children where 1 elements are left`},
		{list{group("root", 1<<31-1), leaf("a")}, `schema: element 0 ("root") has 2147483647 children where 1 elements are left`},
		{list{group("root", 2), group("a", 1), leaf("b")}, `schema: element 1 ("a") has 1 children where 0 elements are left`},
		{list{group("root", 1), leaf("a"), leaf("b")}, `schema: element 2 ("b") lies behind the last child of the root`},
		{list{group("root", 0), leaf("a")}, `schema: element 1 ("a") lies behind the last child of the root`},
		{list{leaf("root"), leaf("a")}, `schema: element 1 ("a") lies behind the last child of the root`},
		{list{group("root", 1), with(leaf("a"), func(e *thrift.SchemaElement) { e.Type = 8 })}, `schema: element 1 ("a") has physical type 8`},
		{list{group("root", 1), with(leaf("a"), func(e *thrift.SchemaElement) { e.Type = -1 })}, `schema: element 1 ("a") has physical type -1`},
		{list{group("root", 1), with(leaf("a"), func(e *thrift.SchemaElement) { e.Repetition = 3 })}, `schema: element 1 ("a") has repetition type 3`},
		{list{group("root", 1), with(leaf("a"), func(e *thrift.SchemaElement) { e.Type = thrift.TypeFixedLenByteArray })}, `schema: element 1 ("a") has values of 0 bytes`},
		{list{group("root", 1), with(leaf(strings.Repeat("x", 200)), func(e *thrift.SchemaElement) { e.Type = 8 })},
			`schema: element 1 ("` + strings.Repeat("x", 64) + `…") has physical type 8`},
		{append(deep, leaf("a")), `schema: element 1024 ("g") nests deeper than 1024 levels`},
	} {
		_, err := New(test.elements)
		if err == nil || err.Error() != test.want || !errors.Is(err, corrupt.Bad) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}

func TestSchemasThatAreRight(t *testing.T) {
	for _, text := range []string{
		"root",                           // no columns
		"root\n  optional group nothing", // {}
	} {
		s, err := New(parse(t, text))
		if err != nil || len(s.Leaves()) != 0 {
			t.Errorf("%q: %v", text, err)
		}
	}
	// The root's own type and repetition mean nothing.
	elements := parse(t, "root\n  optional int32 a")
	elements[0].HasRepetition, elements[0].Repetition = true, thrift.Repeated
	elements[0].HasConverted, elements[0].Converted = true, thrift.ConvertedList
	elements[0].HasType = true
	s, err := New(elements)
	if err != nil {
		t.Fatal(err)
	}
	if a := s.Leaves()[0]; a.MaxDef != 1 || a.MaxRep != 0 || s.Root().Kind != Struct {
		t.Errorf("levels %d %d below a repeated root, which is a %v", a.MaxRep, a.MaxDef, s.Root().Kind)
	}
}

func TestDeepSchema(t *testing.T) {
	var text strings.Builder
	text.WriteString("root\n")
	const depth = maxDepth - 1
	for i := range depth {
		text.WriteString(strings.Repeat("  ", i+1) + []string{"optional", "repeated"}[i%2] + " group g\n")
	}
	text.WriteString(strings.Repeat("  ", depth+1) + "required int32 x\n")
	s, err := New(parse(t, text.String()))
	if err != nil {
		t.Fatal(err)
	}
	x := s.Leaves()[0]
	if x.MaxDef != depth || x.MaxRep != depth/2 || len(x.Path()) != depth+1 {
		t.Errorf("levels %d and %d, %d names", x.MaxDef, x.MaxRep, len(x.Path()))
	}
	if found, err := s.Lookup(x.String()); found != x {
		t.Errorf("the deep leaf is not found: %v", err)
	}
}

// wideSchema has flat columns, each tenth a list.
func wideSchema(columns int) []thrift.SchemaElement {
	elements := []thrift.SchemaElement{{Name: "root", NumChildren: int32(columns)}}
	for i := range columns {
		name := fmt.Sprintf("column_%d", i)
		if i%10 != 9 {
			elements = append(elements, thrift.SchemaElement{Name: name, HasType: true, Type: thrift.TypeByteArray, Repetition: 1,
				Logical: thrift.LogicalType{Kind: thrift.LogicalString}})
			continue
		}
		elements = append(elements,
			thrift.SchemaElement{Name: name, NumChildren: 1, Repetition: 1, Logical: thrift.LogicalType{Kind: thrift.LogicalList}},
			thrift.SchemaElement{Name: "list", NumChildren: 1, Repetition: 2},
			thrift.SchemaElement{Name: "element", HasType: true, Type: thrift.TypeInt32, Repetition: 1})
	}
	return elements
}

func TestWideSchemaTakesFewAllocations(t *testing.T) {
	elements := wideSchema(2000)
	if n := testing.AllocsPerRun(10, func() {
		if _, err := New(elements); err != nil {
			t.Fatal(err)
		}
	}); n > 4 {
		t.Errorf("%v allocations for 2000 columns", n)
	}
	s, _ := New(elements)
	for i, leaf := range s.Leaves() {
		if got := s.Find(leaf.Path()...); got != leaf || leaf.FirstLeaf != i || leaf.EndLeaf != i+1 {
			t.Fatalf("leaf %d: found %v", i, got)
		}
		if s.Node(leaf.Index) != leaf {
			t.Fatalf("leaf %d is not node %d", i, leaf.Index)
		}
	}
	if r := s.Root(); r.FirstLeaf != 0 || r.EndLeaf != 2000 || s.Len() != len(elements) {
		t.Errorf("root has leaves %d to %d", r.FirstLeaf, r.EndLeaf)
	}
}

func BenchmarkNew(b *testing.B) {
	for _, columns := range []int{16, 2000, 10000} {
		b.Run(fmt.Sprintf("columns=%d", columns), func(b *testing.B) {
			elements := wideSchema(columns)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := New(elements); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func FuzzNew(f *testing.F) {
	f.Add([]byte{1, 1, 1, 0, 0})
	f.Add([]byte{3, 17, 66, 0, 0, 33, 1, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		// Two bytes an element: children and repetition; type and annotation.
		var elements []thrift.SchemaElement
		for i := 0; i+1 < len(b); i += 2 {
			e := thrift.SchemaElement{Name: string('a' + rune(i%26)), NumChildren: int32(int8(b[i]<<4) >> 4)}
			e.Repetition = thrift.Repetition(b[i] >> 4 & 3)
			if e.NumChildren == 0 {
				e.HasType, e.Type, e.TypeLength = b[i]&0x80 == 0, thrift.Type(b[i+1]&7), int32(b[i+1]>>4)
			}
			e.HasConverted, e.Converted = b[i]&0x40 != 0, thrift.ConvertedType(b[i+1]>>3)
			e.Logical.Kind = thrift.Arm(b[i+1] % 21)
			elements = append(elements, e)
		}
		s, err := New(elements)
		if err != nil {
			return
		}
		if got := show(s.Root(), 0); strings.Count(got, "\n") != len(elements) {
			t.Fatalf("%d elements:\n%s", len(elements), got)
		}
		for i, leaf := range s.Leaves() {
			if leaf.Kind != Leaf || leaf.FirstLeaf != i || s.Find(leaf.Path()...) == nil {
				t.Fatalf("leaf %d is %v", i, leaf)
			}
			for p := leaf.Parent; p != nil; p = p.Parent {
				if i < p.FirstLeaf || i >= p.EndLeaf || p.MaxDef > leaf.MaxDef || p.MaxRep > leaf.MaxRep {
					t.Fatalf("leaf %d is not below %v", i, p)
				}
			}
		}
	})
}
