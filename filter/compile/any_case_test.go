package compile

import (
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/thrift"
)

// TestAnyCase: a name in another case is that of a column, a field or a constant, where just one fits.
func TestAnyCase(t *testing.T) {
	leaf := func(name string) thrift.SchemaElement {
		e := kind("i32")
		e.Name, e.HasRepetition, e.Repetition = name, true, thrift.Optional
		return e
	}
	root := thrift.SchemaElement{Name: "root", NumChildren: 6, HasNumChildren: true}
	s := thrift.SchemaElement{Name: "St", NumChildren: 1, HasNumChildren: true}
	list := thrift.SchemaElement{Name: "Attrs", NumChildren: 1, HasNumChildren: true, HasRepetition: true, Repetition: thrift.Repeated}
	names, err := schema.New([]thrift.SchemaElement{root, leaf("Id"), leaf("id"), leaf("Price"), leaf("place"), s, leaf("K"), list, leaf("Key")})
	if err != nil {
		t.Fatal(err)
	}
	five, _ := vector.IntOf(vector.Type{Physical: vector.Int32}, 5)
	constants := filter.Constants{"Year": five, "PLACE": five}
	for where, want := range map[string]string{
		"PRICE = 1": "Price = 1", "price + 1 = 2 AND Price < 5": "Price = 1", "st.k = 2": "St.K = 2", "st['k'] = 2": "St.K = 2",
		"id = 1": "id = 1", "Id = 1": "Id = 1", "ID = 1": "", "year = 5": "TRUE", "place = 5": "place = 5", "Place = 5": "",
		"coalesce(price, '7') > '6'":              "Price >= 7 OR Price IS NULL",
		"PRICE - 2 > st.k * Id":                   "PRICE - 2 > st.k * Id",
		"ANY(attrs AS A: a.key > 1 AND year = 5)": "", "ANY(attrs AS A: a.KEY > 1)": "ANY(Attrs.Key) >= 2",
		"ANY(attrs AS A: a.KEY IS NULL)":         "ANY(Attrs.Key) IS NULL AND ANY(Attrs AS A: Attrs.Key IS NULL)",
		"COUNT(ATTRS AS year: YEAR.key > 1) > 2": "ANY(Attrs.Key) >= 2 AND COUNT(Attrs AS year: Attrs.Key >= 2) >= 3",
	} {
		e, err := filter.Parse(where)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if p, err := Bind(AnyCase(e), names, constants); err == nil {
			got = p.String()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", where, got, want)
		}
		if _, err := Bind(e, names, nil); err == nil && where != "id = 1" && where != "Id = 1" && where != "place = 5" {
			t.Errorf("%s is bound without AnyCase", where)
		}
	}
	nested, _ := filter.Parse("ST.k = 5")
	if p, err := Bind(AnyCase(nested), names, filter.Constants{"St.K": five}); err != nil || p.String() != "TRUE" {
		t.Errorf("a constant that hides St.K: %v, %v", p, err)
	}
	// What a program adds to such a condition is not, and so are all that it is made of.
	written, _ := filter.Parse("PRICE = 1 AND ST.K = 3")
	pushed := filter.Col("PLACE").Eq(4)
	for _, e := range append(AnyCase(written).Conjuncts(), filter.And(AnyCase(written), filter.Or(AnyCase(written)))) {
		if _, err := Bind(e, names, nil); err != nil {
			t.Errorf("%s: %v", e, err)
		}
		if _, err := Bind(filter.And(e, pushed), names, nil); err == nil {
			t.Errorf("PLACE = 4 is bound beside %s", e)
		}
	}
}
