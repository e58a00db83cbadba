package selection

import (
	"reflect"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
)

// pathsOf returns the selection of paths.
func pathsOf(paths ...[]string) (s Columns) {
	for _, p := range paths {
		s = append(s, Selector{Path: p})
	}
	return s
}

func TestSelection(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want Columns
	}{
		{"a", pathsOf([]string{"a"})},
		{"a,b.c", pathsOf([]string{"a"}, []string{"b", "c"})},
		{`"odd, name".x,"say ""hi""."`, pathsOf([]string{"odd, name", "x"}, []string{`say "hi".`})},
		{`""`, pathsOf([]string{""})},
		{`a b`, pathsOf([]string{"a b"})},
		{`"-a","b*",a-b,-`, pathsOf([]string{"-a"}, []string{"b*"}, []string{"a-b"}, []string{"-"})},
		{`-a,c*,-x.y*`, Columns{{Path: []string{"a"}, Without: true}, {Path: []string{"c*"}, Pattern: true}, {Path: []string{"x", "y*"}, Pattern: true, Without: true}}},
		{`v['a, "b'][3].c,x::DECIMAL(9,2),CAST`, Columns{{Path: []string{"v"}, Within: `v['a, "b'][3].c`}, {Path: []string{"x::DECIMAL(9,2)"}, Within: "x::DECIMAL(9,2)"}, {Path: []string{"CAST"}}}},
	} {
		var got Columns
		if err := got.Set(tc.in); err != nil || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: %v, %v", tc.in, got, err)
		}
		for _, c := range tc.want {
			if first := c.Path[0]; c.Within != "" || c.Pattern || c.Without || strings.HasPrefix(first, "-") || strings.Contains(first, "*") {
				continue // these need quotes in a selection
			}
			var again Columns
			if err := again.Set(schema.FormatPath(c.Path)); err != nil || !reflect.DeepEqual(again, Columns{c}) {
				t.Errorf("%q written as %s reads as %v, %v", c.Path, schema.FormatPath(c.Path), again, err)
			}
		}
	}
	for _, bad := range []string{"", ",", "a,", "a..b", ".a", `"a`, `"a"b`, `a,"`} {
		if err := new(Columns).Set(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
