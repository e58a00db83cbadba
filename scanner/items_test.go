package scanner

import (
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// Columns of a list that have different numbers of items, of rows that are tested.
func TestItemsThatDiffer(t *testing.T) {
	schema := []*gen.Node{gen.List("attrs", gen.Required("element", gen.Group,
		gen.Required("key", gen.Int64), gen.Required("value", gen.Int64), gen.List("tags", gen.Required("element", gen.Int64))))}
	data := func(rep ...uint32) gen.Column { // of items that are there
		d, values := gen.Data{Rep: rep}, []int64{}
		for i := range rep {
			d.Def, values = append(d.Def, 2), append(values, int64(i))
		}
		d.Values = values
		return gen.Column{Data: &d}
	}
	one, less, more := data(0, 1, 0), data(0, 0), data(0, 1, 1, 0, 1)
	tags := data(0, 2, 1, 0)
	for i := range tags.Data.Def {
		tags.Data.Def[i] = 4
	}
	for _, c := range []struct {
		columns []gen.Column
		where   string
		differ  bool
	}{
		{[]gen.Column{one, one, tags}, "a.key >= 0 AND a.value >= 0 AND ANY(a.tags AS t: t >= 0)", false},
		{[]gen.Column{one, less, tags}, "a.key >= 0 AND a.value >= 0", true},
		{[]gen.Column{one, more, tags}, "a.key >= 0 AND a.value >= 0", true},
		{[]gen.Column{less, one, tags}, "a.key >= 0 AND ANY(a.tags AS t: t >= 0)", true},
		{[]gen.Column{more, one, tags}, "a.key >= 0 AND ANY(a.tags AS t: t >= 0)", true},
	} {
		f, _ := recorded(t, scannertest.Write(t, gen.File{Schema: schema, RowGroups: []gen.RowGroup{{Columns: c.columns}}}))
		e := scannertest.Parsed(t, "ANY(attrs AS a: "+c.where+")")
		n, err := f.Count(t.Context(), Options{Filter: e})
		if differ := err != nil && strings.Contains(err.Error(), "different numbers of items"); differ != c.differ || !c.differ && (n != 2 || err != nil) {
			t.Errorf("%s: %d rows, %v", c.where, n, err)
		}
	}
}
