package scanner

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// allLeaves asks for dictionaries of all leaves.
func allLeaves(use vector.DictionaryUse) map[string]vector.DictionaryUse {
	return map[string]vector.DictionaryUse{"": use}
}

// uses returns the uses of dictionaries in fields, by path of the leaf.
func uses(fields []vector.Field) string {
	var all []string
	var add func(path string, f *vector.Field)
	add = func(path string, f *vector.Field) {
		if f.Layout == vector.Leaf {
			all = append(all, fmt.Sprint(path, f.Name, ":", f.Dictionary))
		}
		for i := range f.Children {
			add(path+f.Name+".", &f.Children[i])
		}
	}
	for i := range fields {
		add("", &fields[i])
	}
	return strings.Join(all, " ")
}

// TestDictionaryPaths: which leaves the paths of Options.Dictionaries name.
func TestDictionaryPaths(t *testing.T) {
	f := hostFile(t)
	type paths = map[string]vector.DictionaryUse
	text := kind(vector.ByteArray, vector.String)
	byID := []Want{{Name: "number", FieldID: 1, Type: kind(vector.Int32, vector.None)}, {Name: "none", FieldID: 99, Type: text}}
	for _, tc := range []struct {
		o    Options
		uses string // or the error
	}{
		{Options{}, "id:0 s.x:0 s.y:0 l.item.p:0 l.item.q:0 m.key:0 m.value:0 r.item:0"},
		{Options{Dictionaries: paths{"": 2}}, "id:2 s.x:2 s.y:2 l.item.p:2 l.item.q:2 m.key:2 m.value:2 r.item:2"},
		{Options{Dictionaries: paths{"": 1, "s": 2, "s.x": 0, "r": 0}}, "id:1 s.x:0 s.y:2 l.item.p:1 l.item.q:1 m.key:1 m.value:1 r.item:0"},
		{Options{Dictionaries: paths{"l.element.p": 2, "m.key": 1}}, "id:0 s.x:0 s.y:0 l.item.p:2 l.item.q:0 m.key:1 m.value:0 r.item:0"},
		{Options{Dictionaries: paths{"l.q": 2, "l": 1, "r.item": 1}}, "id:0 s.x:0 s.y:0 l.item.p:1 l.item.q:2 m.key:0 m.value:0 r.item:1"},
		{Options{Select: []string{"s.y"}, Dictionaries: paths{"s": 2, "id": 2}}, "s.y:2"},
		{Options{Select: []string{"id"}, RowNumber: "n", FileName: "f", Dictionaries: paths{"f": 2}}, "id:0 n:0 f:2"},
		{Options{Select: []string{"id"}, Unnest: "l", Dictionaries: paths{"l.p": 2}}, "id:0 item.p:2 item.q:0"},
		{Options{Want: byID, By: ByFieldID, Dictionaries: paths{"number": 1, "none": 2}}, "number:1 none:2"},
		{Options{Want: []Want{{Name: "s", Layout: vector.Struct, Children: []Want{leafWant("z", text)}}}, Dictionaries: paths{"s.z": 2}}, "s.z:2"},

		{Options{Dictionaries: paths{"nothing": 0}}, "no column nothing, which Dictionaries names"},
		{Options{Dictionaries: paths{"s.z": 1}}, "no column s.z, which Dictionaries names"},
		{Options{Want: byID, By: ByFieldID, Dictionaries: paths{"": 1, "text": 2}}, "no column text, which Dictionaries names"},
	} {
		fields, err := f.Fields(t.Context(), tc.o)
		got := uses(fields)
		if err != nil {
			got = err.Error()
			if !errors.Is(err, ErrNoColumn) {
				t.Error(err, "is no ErrNoColumn")
			}
		}
		if !strings.HasSuffix(got, tc.uses) || err == nil && got != tc.uses {
			t.Errorf("%v: got %s, want %s", tc.o.Dictionaries, got, tc.uses)
		}
		if err == nil {
			lines(t, f, tc.o) // checks that vectors have the forms that fields promise
		}
	}
	if _, err := f.Fields(t.Context(), Options{Dictionaries: paths{"": 3}}); !errors.Is(err, ErrOptions) {
		t.Error(err)
	}
	if n, err := f.Count(t.Context(), Options{Dictionaries: paths{"id": 2}}); n != 2 || err != nil {
		t.Error(n, err)
	}
}

// fallbackFile has a column with dictionary pages, then PLAIN ones, in two row groups with
// dictionaries of their own, and a column of NULLs.
func fallbackFile(t *testing.T) (f *File, want []string) {
	t.Helper()
	file := gen.File{
		Schema: []*gen.Node{gen.Required("a", gen.ByteArray).As(gen.StringType()), gen.Optional("b", gen.Int64), gen.List("l", gen.Optional("element", gen.ByteArray).As(gen.StringType()))},
		All: gen.Column{
			PageRows:   []int{100},
			PageShapes: []gen.Shape{{Encoding: gen.Dictionary}, {Encoding: gen.Dictionary}, {Encoding: gen.Plain}},
		},
	}
	for g := range 2 {
		var group gen.RowGroup
		for i := range 300 {
			a := fmt.Sprintf("value %d, longer than a view holds", (i+g)%5)
			group.Rows = append(group.Rows, gen.Record{"a": a, "l": []any{a, nil, a}})
			want = append(want, fmt.Sprintf(`{"a":%q,"b":null,"l":[%q,null,%q]}`, a, a, a))
		}
		file.RowGroups = append(file.RowGroups, group)
	}
	return fileOf(t, file), want
}

// TestAlwaysDictionary: through pages of several encodings, NULLs, and row groups.
func TestAlwaysDictionary(t *testing.T) {
	f, want := fallbackFile(t)
	for _, size := range []int{7, 100, 150, 1000} {
		o := Options{BatchRows: size, Dictionaries: allLeaves(vector.DictionaryAlways)}
		var got []string
		var last *vector.Vector
		for b, err := range f.Scan(t.Context(), o) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, scannertest.Lines(t, b)...)
			a, nulls, items := b.Columns[0], b.Columns[1], b.Columns[2].Children[0]
			if a.Dict.Len > 5 || nulls.Dict.Len != 0 || items.Dict.Len > 5 {
				t.Errorf("dictionaries of %d, %d and %d entries", a.Dict.Len, nulls.Dict.Len, items.Dict.Len)
			}
			if from := b.Origin.Rows.From; size == 100 && from == 100 && a.Dict != last {
				t.Error("the file's dictionary was not used for its own codes")
			}
			last = a.Dict
		}
		if err := scannertest.Same(got, want); err != nil {
			t.Errorf("batches of %d: %v", size, err)
		}
	}
}

// TestAlwaysDictionaryTop: batches of Top have rows of several row groups, whose
// dictionaries merge.
func TestAlwaysDictionaryTop(t *testing.T) {
	f, _ := fallbackFile(t)
	o := Options{Select: []string{"a", "l"}, Limit: 500, Dictionaries: allLeaves(vector.DictionaryAlways), Threads: 2}
	rows := 0
	for b, err := range f.Top(t.Context(), Order{By: "a", Descending: true}, o) {
		if err != nil {
			t.Fatal(err)
		}
		scannertest.Lines(t, b)
		if n := b.Columns[0].Dict.Len; n != 5 {
			t.Errorf("%d entries", n)
		}
		if got := b.Columns[0].Bytes(0); string(got) != "value 4, longer than a view holds" {
			t.Errorf("%s", got)
		}
		rows += b.Len
	}
	if rows != 500 {
		t.Error(rows, "rows")
	}
}

// TestDictionariesBesideItems: columns beside an unnested list repeat their values, which
// must not bring another form than promised.
func TestDictionariesBesideItems(t *testing.T) {
	f, want := fallbackFile(t)
	for use := range vector.DictionaryAlways + 1 {
		o := Options{Select: []string{"a", "b"}, Unnest: "l", RowNumber: "n", Dictionaries: allLeaves(use)}
		got := lines(t, f, o)
		if len(got) != 3*len(want) || got[3] != `{"a":"value 1, longer than a view holds","b":null,"item":"value 1, longer than a view holds","n":1}` {
			t.Errorf("%d rows, %s", len(got), got[3])
		}
	}
}

// TestRepeatedEntries: a file whose dictionary has an entry twice.
func TestRepeatedEntries(t *testing.T) {
	values := []int64{7, 8, 7, 9, 7, 8}
	file := gen.File{Schema: []*gen.Node{gen.Required("a", gen.Int64)}, RowGroups: []gen.RowGroup{{Columns: []gen.Column{{
		Dictionary: []int64{7, 8, 7, 9},
		Pages:      []gen.Page{{Shape: gen.Shape{Encoding: gen.Dictionary}, Data: gen.Data{Values: values}, Codes: []uint32{0, 1, 2, 3, 2, 1}}},
	}}}}}
	f := fileOf(t, file)
	want := []string{`{"a":7}`, `{"a":8}`, `{"a":7}`, `{"a":9}`, `{"a":7}`, `{"a":8}`}
	for use, entries := range []int{0, 4, 3} {
		for b, err := range f.Scan(t.Context(), Options{Dictionaries: allLeaves(vector.DictionaryUse(use))}) {
			if err != nil {
				t.Fatal(err)
			}
			if err := scannertest.Same(scannertest.Lines(t, b), want); err != nil {
				t.Error(use, err)
			}
			if d := b.Columns[0].Dict; entries > 0 && d.Len != entries {
				t.Errorf("use %d: %d entries", use, d.Len)
			}
		}
	}
}
