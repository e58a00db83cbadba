package compile

import (
	"math"
	"testing"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/thrift"
)

// TestQuery6: five conjuncts of TPC-H's sixth query are three tests of stored integers.
func TestQuery6(t *testing.T) {
	decimal := thrift.LogicalType{Kind: thrift.LogicalDecimal, Precision: 15, Scale: 2}
	s, err := schema.New([]thrift.SchemaElement{
		{Name: "lineitem", NumChildren: 4, HasNumChildren: true},
		element("l_quantity", thrift.TypeInt64, decimal, 0),
		element("l_extendedprice", thrift.TypeInt64, decimal, 0),
		element("l_discount", thrift.TypeInt64, decimal, 0),
		element("l_shipdate", thrift.TypeInt32, thrift.LogicalType{Kind: thrift.LogicalDate}, 0),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{
		"l_shipdate >= DATE '1994-01-01' AND l_shipdate < DATE '1995-01-01' AND l_discount >= 0.05 AND l_discount <= 0.07 AND l_quantity < 24",
		"l_shipdate >= '1994-01-01' AND (l_discount BETWEEN 0.05 AND 0.07 AND (24 > l_quantity AND NOT l_shipdate >= TIMESTAMP '1995-01-01 00:00:00'))",
		"NOT (l_shipdate < DATE '1994-01-01' OR l_shipdate > DATE '1994-12-31' OR l_discount < 0.0499 OR l_discount > 0.0701 OR l_quantity >= 23.995)",
	} {
		p, err := bindText(where, s)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][2]int64{"l_shipdate": {8766, 9130}, "l_discount": {5, 7}, "l_quantity": {math.MinInt64, 2399}}
		if p.Root.Op != OpAnd || len(p.Root.Args) != len(want) {
			t.Errorf("%s\nis %s", where, p)
			continue
		}
		for _, test := range testsOf(p) {
			lo, hi, ok := test.Pred.Ints()
			if w := want[test.Leaf.Name]; !ok || test.Pred.Negate || lo != w[0] || hi != w[1] {
				t.Errorf("%s: from %d to %d, want %v", test.Leaf, lo, hi, w)
			}
		}
	}
}

// TestFuse: how many tests are left of conditions on x, and on y, under AND and
// OR, and of which kinds.
func TestFuse(t *testing.T) {
	x, y := kind("i32"), kind("str")
	x.Name, y.Name = "x", "y"
	x.Repetition, y.Repetition = thrift.Optional, thrift.Optional
	s, err := schema.New([]thrift.SchemaElement{{Name: "root", NumChildren: 2, HasNumChildren: true}, x, y})
	if err != nil {
		t.Fatal(err)
	}
	const rng, set, equal, prefix, contains = pred.Range, pred.Set, pred.Equal, pred.Prefix, pred.Contains
	for _, c := range []struct {
		where string
		kinds []pred.Kind
	}{
		{"x > 1 AND y = 'a' AND x < 9", []pred.Kind{rng, equal}},
		{"(x > 1 AND y = 'a') AND (x < 9 AND y < 'b')", []pred.Kind{rng, equal}},
		{"x = 1 OR y = 'a' OR x = 5 OR x IN (7, 9)", []pred.Kind{set, equal}},
		{"x = 1 OR (y = 'a' OR x = 2)", []pred.Kind{rng, equal}},
		{"NOT (x < 3 OR y = 'a' OR x > 7)", []pred.Kind{rng, equal}},
		{"x < 3 OR y = 'a' OR x > 7", []pred.Kind{rng, equal}},
		{"x = 1 OR (x > 5 AND y = 'a' AND x < 9)", []pred.Kind{rng, rng, equal}},
		{"(x > 1 AND x < 9) OR (y >= 'a' AND y < 'b')", []pred.Kind{rng, prefix}},
		{"y LIKE 'a%' AND y ~ '^ab' AND prefix(y, 'abc')", []pred.Kind{prefix}},
		{"y LIKE '%a%' AND y > 'b' AND y < 'c'", []pred.Kind{contains, rng}},
		{"x BETWEEN 1 AND 9 AND x <> 1 AND x <> 9 AND x IS NOT NULL", []pred.Kind{rng}},
		{"x > 5 AND y = 'a' AND x < 3", nil},
		{"x > 5 OR y = 'a' OR x IS NULL OR x <= 5", nil},
	} {
		p, err := bindText(c.where, s)
		if err != nil {
			t.Fatal(err)
		}
		var kinds []pred.Kind
		for _, test := range testsOf(p) {
			kinds = append(kinds, test.Pred.Kind)
		}
		same := len(kinds) == len(c.kinds)
		for i := range kinds {
			same = same && kinds[i] == c.kinds[i]
		}
		if !same {
			t.Errorf("%s is %s: kinds %v, want %v", c.where, p, kinds, c.kinds)
		}
	}
}
