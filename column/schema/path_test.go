package schema

import (
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/thrift"
)

func TestParsePath(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
		err  string
	}{
		{`a`, []string{"a"}, ""},
		{`a.b.c`, []string{"a", "b", "c"}, ""},
		{`"odd name"`, []string{"odd name"}, ""},
		{`"odd.name".x`, []string{"odd.name", "x"}, ""},
		{`a."b.c".d`, []string{"a", "b.c", "d"}, ""},
		{`"say ""hi"""`, []string{`say "hi"`}, ""},
		{`""`, []string{""}, ""},
		{`"".a.""`, []string{"", "a", ""}, ""},
		{`größe mit raum.日本`, []string{"größe mit raum", "日本"}, ""},
		{``, nil, `path "", byte 0: name is missing`},
		{`.a`, nil, `path ".a", byte 0: name is missing`},
		{`a.`, nil, `path "a.", byte 2: name is missing`},
		{`a..b`, nil, `path "a..b", byte 2: name is missing`},
		{`a."b`, nil, `path "a.\"b", byte 2: quote is not closed`},
		{`"`, nil, `path "\"", byte 0: quote is not closed`},
		{`"a"b`, nil, `path "\"a\"b", byte 3: dot is missing`},
		{`a"b"`, nil, `path "a\"b\"", byte 1: quote within a name`},
	} {
		got, err := ParsePath(test.text)
		if test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("%s: %v, want %s", test.text, err, test.err)
			}
			continue
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, %v, want %q", test.text, got, err, test.want)
		}
		if again, err := ParsePath(FormatPath(got)); err != nil || !slices.Equal(again, got) {
			t.Errorf("%q is written %s and read as %q, %v", got, FormatPath(got), again, err)
		}
	}
}

func FuzzPath(f *testing.F) {
	f.Add("a", "b.c", `"x"`)
	f.Add("", " ", "a,b")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		path := []string{a, b, c}
		if got, err := ParsePath(FormatPath(path)); err != nil || !slices.Equal(got, path) {
			t.Fatalf("%q is written %s and read as %q, %v", path, FormatPath(path), got, err)
		}
		if path, err := ParsePath(a); err == nil {
			if again, err := ParsePath(FormatPath(path)); err != nil || !slices.Equal(again, path) {
				t.Fatalf("%q is read as %q, then as %q, %v", a, path, again, err)
			}
		}
	})
}

func TestLookup(t *testing.T) {
	s, err := New(parse(t, `m
  required int32 id
  optional group tags (LIST)
    repeated group list
      optional group element
        optional int32 x
        optional int32 list
  optional group attrs (MAP)
    repeated group key_value
      required binary key (UTF8)
      optional group value
        optional int32 y
  optional group old (LIST)
    repeated group array
      required int32 z
  optional int32 id`))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path string
		want int // element, 0 for none
		err  string
	}{
		{"id", 1, ""}, // the first of two
		{"tags", 2, ""},
		{"tags.list.element.x", 5, ""},
		{"tags.element.x", 5, ""},
		{"tags.list.element.list", 6, ""},
		{"tags.element.list", 6, ""},
		{"tags.list", 3, ""},
		{"attrs.key", 9, ""},
		{"attrs.value.y", 11, ""},
		{"attrs.key_value.value", 10, ""},
		{"old.array.z", 14, ""},
		{"old.z", 0, "no column old.z: old has array"},
		{"tags.x", 0, "no column tags.x: tags has element"},
		{"ID", 0, "no column ID"},
		{"id.a", 0, "no column id.a: id has no fields"},
		{"attrs.value.z", 0, "no column attrs.value.z: attrs.key_value.value has y"},
		{"m", 0, "no column m"},
		{"id.", 0, `path "id.", byte 3: name is missing`},
	} {
		n, err := s.Lookup(test.path)
		switch {
		case test.want > 0 && (err != nil || n.Index != test.want):
			t.Errorf("%s: %v, %v, want element %d", test.path, n, err, test.want)
		case test.want == 0 && (err == nil || err.Error() != test.err):
			t.Errorf("%s: %v, %v, want %s", test.path, n, err, test.err)
		}
	}
}

// Among many children, found by a map, the first of a name counts too.
func TestFindAmongMany(t *testing.T) {
	elements := []thrift.SchemaElement{{Name: "root", NumChildren: 100}}
	for i := range 100 {
		name := string(rune('a' + i%50))
		elements = append(elements, thrift.SchemaElement{Name: name, HasType: true, Type: thrift.TypeInt32})
	}
	s, err := New(elements)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		if n := s.Find(string(rune('a' + i))); n == nil || n.Index != i+1 {
			t.Errorf("%c is %v", 'a'+i, n)
		}
	}
	if s.Find("nothing") != nil || s.Find() != s.Root() {
		t.Error("what is not there was found")
	}
}
