package compile

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/value"
	"github.com/winnow-scan/winnow/thrift"
)

// oneColumn returns the schema of an optional column x.
func oneColumn(t testing.TB, e thrift.SchemaElement) *schema.Schema {
	t.Helper()
	e.Name, e.HasRepetition, e.Repetition = "x", true, thrift.Optional
	s, err := schema.New([]thrift.SchemaElement{{Name: "root", NumChildren: 1, HasNumChildren: true}, e})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func kind(name string) thrift.SchemaElement {
	for _, c := range leafKinds() {
		if c.name == name {
			return c.e
		}
	}
	panic(name)
}

// TestCoerce shows which test a literal becomes, and which values on both
// sides of it pass.
func TestCoerce(t *testing.T) {
	for _, c := range []struct {
		kind, where, program string
	}{
		// Integers that do not fit, and numbers between them.
		{"i32", "x = 2147483647", "x = 2147483647"},
		{"i32", "x = 2147483648", "FALSE"},
		{"i32", "x <> 2147483648", "x IS NOT NULL"},
		{"i32", "x < 2147483648", "x IS NOT NULL"},
		{"i32", "x > 2147483647", "FALSE"},
		{"i32", "x >= -2147483648", "x IS NOT NULL"},
		{"i32", "x < -2147483648", "FALSE"},
		{"i32", "x <= -2147483649", "FALSE"},
		{"i32", "NOT x <= -2147483649", "x IS NOT NULL"},
		{"i32", "x = 2.0", "x = 2"},
		{"i32", "x = 2e3", "x = 2000"},
		{"i32", "x = 2.5", "FALSE"},
		{"i32", "x <> 2.5", "x IS NOT NULL"},
		{"i32", "x < 2.5", "x < 3"},
		{"i32", "x <= 2.5", "x < 3"},
		{"i32", "x > 2.5", "x >= 3"},
		{"i32", "x >= -2.5", "x >= -2"},
		{"i32", "x BETWEEN 1.5 AND 1.9", "FALSE"},
		{"i32", "x < 1e400", "x IS NOT NULL"},
		{"i32", "x = DOUBLE 'NaN'", "FALSE"},
		{"i32", "x <> DOUBLE 'NaN'", "x IS NOT NULL"},
		{"i32", "x < DOUBLE 'Infinity'", "x IS NOT NULL"},
		{"i32", "x = NULL", "FALSE"},
		{"i32", "NOT x = NULL", "FALSE"},
		{"i32", "(x = NULL) IS NOT TRUE", "TRUE"},
		{"i32", "x NOT IN (1, NULL)", "FALSE"},
		{"i32", "x IN (1, NULL, 2.5)", "x = 1"},
		{"i32", "x IN (1, 2, 4)", "x in [1, 3), {4}"}, {"i32", "x IN (1, 4, 9)", "x in {1, 4, 9}"}, {"i32", "x NOT IN (1, 4)", "x not in {1, 4}"}, {"i32", "x <> 4", "x <> 4"},
		{"i32", "x IN (1, 3, 5, 7, 9)", "x in {1, 3, 5, 7, … 5 in all}"},
		{"i64", "x = 9223372036854775808", "FALSE"},
		{"i64", "x <= 9223372036854775807", "x IS NOT NULL"},
		{"u8", "x = -1", "FALSE"},
		{"u8", "x > -1", "x IS NOT NULL"},
		{"u32", "x = 4294967295", "x = 4294967295"},
		{"u32", "x < 4294967296", "x IS NOT NULL"},
		{"u64", "x = 18446744073709551615", "x = 18446744073709551615"},
		{"u64", "x = 18446744073709551616", "FALSE"},
		{"u64", "x >= 0", "x IS NOT NULL"},
		// Decimals at any scale.
		{"d32", "x = 1.5", "x = 1.50"},
		{"d32", "x = 1.505", "FALSE"},
		{"d32", "x < 1.505", "x < 1.51"},
		{"d32", "x > -1.505", "x >= -1.50"},
		{"d32", "x <= 21474836.47", "x IS NOT NULL"},
		{"d32", "x > 21474836.465", "x = 21474836.47"},
		{"d64", "x = 7.000", "x = 7"},
		{"dfix", "x <= 838860.7", "x IS NOT NULL"},
		{"dfix", "x = -838860.8", "x < -838860.7"},
		{"dfix", "x < 0.05", "x < 0.1"},
		{"dvar", "x = 123456789012345678901234567890.123", "x = 123456789012345678901234567890.123"},
		{"dvar", "x < 0.0005", "x < 0.001"},
		// Floats: a number with a point is the double next to it.
		{"f64", "x = 0.1", "x = 0.1"},
		{"f32", "x = 0.1", "x = 0.1"},
		{"f32", "x <> 0.1", "x <> 0.1 or NaN"},
		{"f32", "x = 0.5", "x = 0.5"},
		{"f32", "x < 0.1", "x < 0.1"},
		{"f32", "x <= 0.1", "x <= 0.1"},
		{"f32", "x > 0.1", "x > 0.1"},
		{"f32", "x >= 0.1", "x >= 0.1"},
		{"f32", "x BETWEEN 0.1 AND 0.1", "x = 0.1"},
		{"f32", "x IN (0.1, 0.25, 0.10000000149011612)", "x in {0.1, 0.25}"},
		{"f32", "x = '0.1'", "x = 0.1"},
		{"f32", "x = 3.4028235e38", "x = 3.4028235e+38"},
		{"f32", "x = 3.4028236e38", "FALSE"},
		{"f32", "x = DOUBLE '0.1'", "FALSE"},
		{"f32", "x < DOUBLE '0.1'", "x < 0.1"},
		{"f32", "x <= DOUBLE '0.1'", "x < 0.1"}, // the float 0.1 is above the double
		{"f32", "x > DOUBLE '0.1'", "x >= 0.1"},
		{"f32", "x IN (DOUBLE '0.1', DOUBLE '0.10000000149011612')", "x = 0.1"},
		{"f64", "x = DOUBLE '0.1'", "x = 0.1"},
		{"i32", "x = DOUBLE '2'", "x = 2"},
		{"i32", "x <= DOUBLE '2.5'", "x < 3"},
		{"u64", "x < DOUBLE '18446744073709551615'", "x IS NOT NULL"},
		{"d32", "x = DOUBLE '0.1'", "x = 0.10"},
		{"d32", "x < DOUBLE '0.1'", "x < 0.10"},
		{"d32", "x <= DOUBLE '0.105'", "x < 0.11"},
		{"d32", "x > DOUBLE '1e300'", "FALSE"},
		{"d64", "x = DOUBLE '0.1'", "FALSE"},
		// Strings that spell numbers.
		{"i32", "x = '12'", "x = 12"},
		{"i32", "x IN ('-1', '+2', '2.50')", "x in {-1, 2}"},
		{"u64", "x >= '18446744073709551615'", "x = 18446744073709551615"},
		{"d32", "x = '1.50'", "x = 1.50"},
		{"dvar", "x BETWEEN '-0.001' AND '1e0'", "x in [-0.001, 1.001)"},
		{"f64", "x < 'Infinity'", `x < "Infinity"`},
		{"bool", "x = 'True'", `x = "true"`},
		{"bool", "x <> 'YES'", `x = "false"`},
		{"bool", "x = 1", `x = "true"`},
		{"bool", "x NOT IN (0)", `x = "true"`},
		{"bool", "x = (x IS NULL)", `x = "false"`},
		{"bool", "(x = TRUE) IS UNKNOWN", "x IS NULL"},
		{"i32", "coalesce(x, 0) > 5", "x >= 6"},
		{"i32", "coalesce(x, 7) > 5", "x >= 6 or NULL"},
		{"i32", "coalesce(x, 7) + 1 BETWEEN 3 AND 8", "x in [2, 8) or NULL"},
		{"i32", "nullif(x, 5) = 5", "FALSE"},
		{"f64", "isnan(x)", "x in {} or NaN"},
		{"f32", "NOT isfinite(x)", `x not in [-3.4028235e+38, "Infinity") or NaN`},
		{"f64", "isinf(x) OR isnan(x)", `x not in [-1.7976931348623157e+308, "Infinity") or NaN`},
		{"f64", "isnan(x * 0.5)", "x in {} or NaN"},
		{"f64", "least(x, 2) = 2 AND greatest(1, x) = 1", "x IS NULL"},
		{"f64", "least(2, x) = 2 AND greatest(1, x) = 1", "x in {} or NaN or NULL"},
		{"i32", "isfinite(x)", "x IS NOT NULL"},
		{"d32", "isnan(x) OR isinf(x)", "FALSE"},
		{"date", "coalesce(x, '1970-01-02') > DATE '1970-01-01' AND coalesce(x, DATE '1970-01-02') <= '1970-01-02'", "x = 1970-01-02 or NULL"},
		{"i32", "'5' = 5.0 AND TRUE = 'true' AND '10:00:00' > TIME '09:00:00' AND '7' > '10'", "TRUE"},
		{"i32", "5 IN (1, 5, NULL) AND NOT 5 IN (1)", "TRUE"},
		{"i32", "5 NOT IN (1, NULL) IS NOT TRUE", "TRUE"},
		{"i32", "'abc' LIKE 'a%' AND contains('abc', 'd') IS FALSE AND 'a' NOT LIKE 'b'", "TRUE"},
		{"i32", "NULL LIKE 'a' IS NOT TRUE AND NULL IN (1) IS NOT FALSE", "TRUE"},
		{"date", "coalesce(x, '1970-01-02') BETWEEN '1970-01-02' AND '1970-01-03'", "x in [1970-01-02, 1970-01-04) or NULL"},
		{"str", "coalesce(x, '10') < '9'", "x < 9 or NULL"},
		{"str", "coalesce(x, 'b') ILIKE 'B'", `x in {"B", "b"} or NULL`},
		{"str", "coalesce(x, 'B') ILIKE 'b' AND 'É' NOT ILIKE 'é_'", `x in {"B", "b"} or NULL`},
		{"i32", "x IS DISTINCT FROM 5", "x <> 5 or NULL"},
		{"i32", "x IS NOT DISTINCT FROM NULL", "x IS NULL"},
		{"f32", "x < 16777217", "x < 16777218.0"},
		{"f32", "x > 16777217", "x >= 16777218.0"},
		{"f32", "x <= 1e39", `x < "Infinity"`},
		{"f32", "x > 1e39", `x = "Infinity"`},
		{"f32", "x < -1e39", `x = "-Infinity"`},
		{"f64", "x = 9007199254740993", "FALSE"},
		{"f64", "x > 9007199254740993", "x >= 9007199254740994.0"},
		{"f64", "x = 1e23", "x = 1e+23"},
		{"f64", "x < 1e400", `x < "Infinity"`},
		{"f64", "x = 1e400", "FALSE"},
		{"f64", "NOT x < 5", "x >= 5 or NaN"},
		{"f64", "x >= 5", "x >= 5"},
		{"f64", "x <> DOUBLE 'NaN'", "x IS NOT NULL"},
		{"f64", "NOT x <> DOUBLE 'NaN'", "FALSE"},
		{"f64", "x < -1e400", `x = "-Infinity"`},
		{"f64", "x > -1e400", "x >= -1.7976931348623157e+308"},
		{"f64", "NOT x < 5 OR x >= 4", "x >= 4 or NaN"},
		{"f64", "x >= 4 OR NOT x < 5", "x >= 4 or NaN"},
		{"f64", "NOT x < 5 AND x >= 4", "x >= 5"},
		{"f64", "x = -0.0", "x = 0"},
		{"f16", "x <= 65504.5", "x <= 65504"},
		{"f16", "x < 0.1", "x < 0.099975586"},
		{"f16", "x = 0.1", "x = 0.099975586"},
		{"f16", "x = 0.099975586", "x = 0.099975586"},
		{"f16", "x = 0.10000610351562499", "x = 0.099975586"}, // just below the middle of two
		{"f16", "x = 0.10000610351562501", "x = 0.10003662"},
		{"f16", "x = 65519.9", "x = 65504"},
		{"f16", "x = 65520.0", "FALSE"},
		{"f16", "x > 65520.0", `x = "Infinity"`},
		{"f16", "x < DOUBLE '0.1'", "x < 0.10003662"},
		{"f16", "x = 65504", "x = 65504"},
		// Moments.
		{"date", "x < TIMESTAMP '2024-01-31 10:00:00'", "x < 2024-02-01"},
		{"date", "x > TIMESTAMP '2024-01-31 10:00:00'", "x >= 2024-02-01"},
		{"date", "x = TIMESTAMP '2024-01-31 10:00:00'", "FALSE"},
		{"date", "x = '2024-01-31'", "x = 2024-01-31"},
		{"tms", "x = TIMESTAMP '2024-01-31 10:00:00.5001'", "FALSE"},
		{"tms", "x < TIMESTAMP '2024-01-31 10:00:00.5001'", "x < 2024-01-31T10:00:00.501Z"},
		{"tms", "x > TIMESTAMP '1969-12-31 23:59:59.9999'", "x >= 1970-01-01T00:00:00Z"},
		{"tus", "x >= DATE '2024-01-31'", "x >= 2024-01-31T00:00:00Z"},
		{"tms", "x = '2024-03-31 03:30:00+02:00'", "x = 2024-03-31T01:30:00Z"},
		{"tus", "x = TIMESTAMP '2024-03-31 00:30:00+02'", "x = 2024-03-30T22:30:00Z"},
		{"tns", "x < '2024-12-31T23:30:00.000000001-05:30'", "x < 2025-01-01T05:00:00.000000001Z"},
		{"tms", "x <= '2024-03-31 03:30:00.0001+0200'", "x < 2024-03-31T01:30:00.001Z"},
		{"tms", "x IN ('2024-03-31 03:30:00+02:00', TIMESTAMP '2024-03-31T01:30Z', '2024-03-31 01:30:00')", "x = 2024-03-31T01:30:00Z"},
		{"tus", "x BETWEEN '1970-01-01 00:00:00+02:00' AND '1970-01-01 00:00:00-02:00'", "x in [1969-12-31T22:00:00Z, 1970-01-01T02:00:00.000001Z)"},
		{"tus", "x > '2024-01-01 00:00:00+15:59' AND NOT x >= '2024-01-01 00:00:00-15:59'", "x in [2023-12-31T08:01:00.000001Z, 2024-01-01T15:59:00Z)"},
		{"date", "x = '2024-01-31 00:00:00Z'", "x = 2024-01-31"},
		{"i96", "x = '1970-01-01T00:00:00.000000001+00:00'", "x = 1970-01-01T00:00:00.000000001"},
		{"tns", "x < DATE '2500-01-01'", "x IS NOT NULL"},
		{"tns", "x = DATE '1600-01-01'", "FALSE"},
		{"oms", "x < TIME '10:00:00.0001'", "x < 10:00:00.001"},
		{"i96", "x = '1970-01-01 00:00:00.000000001'", "x = 1970-01-01T00:00:00.000000001"},
		// Strings by bytes.
		{"str", "x = ''", `x = ""`},
		{"str", "x >= ''", "x IS NOT NULL"},
		{"str", "x LIKE 'ab%'", `x in ["ab", "ac")`},
		{"str", "x LIKE 'ab%' AND x >= 'abc'", `x in ["abc", "ac")`},
		{"str", "x LIKE 'ab'", `x = "ab"`},
		{"str", "x LIKE '%'", "x IS NOT NULL"},
		{"bin", "x = X'ff'", "x = X'ff'"},
		{"fix", "x < 'a'", "x < X'61'"},
		{"uuid", "x = '00000000-0000-0000-0000-000000000007'", "x = 00000000-0000-0000-0000-000000000007"},
		{"bool", "x", `x = "true"`},
		{"bool", "NOT x", `x = "false"`},
		{"bool", "x IN (TRUE, FALSE)", "x IS NOT NULL"},
		{"bool", "x < TRUE", `x = "false"`}, // FALSE stands before TRUE
		{"bool", "x >= FALSE", "x IS NOT NULL"},
		{"bool", "x > TRUE", "FALSE"},
		{"bool", "x BETWEEN FALSE AND FALSE", `x = "false"`},
		{"bool", "x OR FALSE < TRUE", "TRUE"},
		{"nil", "x = 3", "FALSE"},
		{"nil", "x IS NULL", "TRUE"},
		// Tests of one column are one.
		{"i32", "x > 3 AND x < 7 AND x <> 3", "x in [4, 7)"},
		{"i32", "x > 3 AND x < 3", "FALSE"},
		{"i32", "x IN (1, 5, 9, 20) AND x BETWEEN 4 AND 10", "x in {5, 9}"},
		{"i32", "x = 1 OR x = 2 OR x = 7 OR x IS NULL", "x in [1, 3), {7} or NULL"},
		{"i32", "x < 3 OR x >= 3", "x IS NOT NULL"},
		{"f64", "x < 3 OR x >= 3", "x in (-∞, ∞)"},
		{"i32", "x < 3 OR x >= 3 OR x IS NULL", "TRUE"},
		{"i32", "x IS NOT NULL AND x > 3", "x >= 4"},
		{"i32", "x IS NULL AND x > 3", "FALSE"},
		{"i32", "x <> 5 AND x <> 6", "x not in [5, 7)"},
		{"i32", "x > 3 AND x <> 9", "x >= 4 AND x <> 9"},
	} {
		p, err := bindText(c.where, oneColumn(t, kind(c.kind)))
		if err != nil {
			t.Errorf("%s, %s: %v", c.kind, c.where, err)
			continue
		}
		if got := strings.NewReplacer(" OR x IS NULL", " or NULL").Replace(p.String()); got != c.program {
			t.Errorf("%s, %s:\n%s, want\n%s", c.kind, c.where, got, c.program)
		}
	}
}

func bindText(where string, s *schema.Schema) (*Program, error) {
	e, err := filter.Parse(where)
	if err != nil {
		return nil, err
	}
	return Bind(e, s, nil)
}

// TestFusion: the five conjuncts of TPC-H's query 6 are three tests.
func TestFusion(t *testing.T) {
	w := newWorld(t, random(1), 0)
	p, err := bindText("date >= DATE '1994-01-01' AND date < DATE '1995-01-01' AND f64 BETWEEN 0.05 AND 0.07 AND f64_r < 24", w.schema)
	if err != nil {
		t.Fatal(err)
	}
	const want = "date in [1994-01-01, 1995-01-01) AND f64 in [0.05, 0.07] AND f64_r < 24"
	if p.String() != want || len(testsOf(p)) != 3 {
		t.Errorf("%s, want %s", p, want)
	}
	lo, hi, ok := testsOf(p)[1].Pred.Floats()
	if !ok || lo != 0.05 || hi != 0.07 {
		t.Errorf("%v to %v", lo, hi)
	}
}

// TestHuge: long lists take no longer than sorting them would.
func TestHuge(t *testing.T) {
	for _, word := range []string{" OR x = ", " AND x <> "} {
		var b strings.Builder
		b.WriteString("x " + strings.Fields(word)[2] + " -1")
		for i := range 70_000 {
			b.WriteString(word)
			b.WriteString(value.Number{Coef: ratOf(int64(i) * 7919 % 1_000_003).Num()}.String())
		}
		p, err := bindText(b.String(), oneColumn(t, kind("i64")))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(testsOf(p)); n != 1 || testsOf(p)[0].Pred.Kind != pred.Set {
			t.Errorf("%d tests, the first %v", n, testsOf(p)[0])
		}
	}
	nested := "x = 1"
	for i := range 75 { // NOT swaps AND and OR, so that what is nested joins
		nested = "NOT (x <> " + string(rune('1'+i%9)) + " AND NOT (f(x) OR " + nested + "))"
	}
	nested = strings.ReplaceAll(nested, "f(x) OR ", "")
	if _, err := bindText(nested, oneColumn(t, kind("i64"))); err != nil {
		t.Fatal(err)
	}
}

// TestConstants: columns that a file lacks, and those that its path tells.
func TestConstants(t *testing.T) {
	null := vector.NullOf(vector.Type{Physical: vector.Int64})
	year, err := vector.IntOf(vector.Type{Physical: vector.Int32}, 2024)
	if err != nil {
		t.Fatal(err)
	}
	nested := func(layout vector.Layout) vector.Scalar {
		return build.Null(&vector.Field{Type: vector.Type{Physical: vector.Group}, Layout: layout}, 1).Scalar(0)
	}
	constants := filter.Constants{
		"gone": null, "year": year, "a.region": vector.StringOf("eu"),
		"list": nested(vector.List), "map": nested(vector.Map), "struct": nested(vector.Struct), "struct.a": null,
	}
	s := oneColumn(t, kind("i32"))
	for _, c := range []struct{ where, want string }{
		{"year = 2024", "TRUE"},
		{"year IN (1, 2024) AND x > 3", "x >= 4"},
		{"year + 1 = 2025 AND x + 1 > 4", "x >= 4"},
		{"year * 2 < 4048", "FALSE"},
		{"upper(a.region) = 'EU' AND length(a.region) = 2 AND a.region ILIKE '_U'", "TRUE"},
		{"lower(a.region) = 'EU' OR length(a.region) + 1 > 3", "FALSE"},
		{"gone + 1 > 3 OR gone - 1 IS NOT NULL", "FALSE"},
		{"year < 2024 OR x > 3", "x >= 4"},
		{"year > 2024 AND x > 3", "FALSE"},
		{"gone = 5", "FALSE"},
		{"NOT gone = 5", "FALSE"},
		{"gone IS NULL", "TRUE"},
		{"(gone = 5) IS NOT TRUE", "TRUE"},
		{"year IS NOT NULL", "TRUE"},
		{"a.region LIKE '%u'", "TRUE"},
		{"NOT suffix(a.region, 'x')", "TRUE"},
		{"year > gone", "FALSE"},
		{"year = 2024.5", "FALSE"},
		{"x > year", "x > year"},
		// Lists, maps and structs that are NULL.
		{"list IS NULL AND map IS NULL AND struct IS NULL AND struct.a IS NULL", "TRUE"},
		{"NOT list IS NULL", "FALSE"},
		{"ANY(list) = 1 OR ANY(list.a.b) LIKE 'x%' OR ANY(list) IS NULL", "FALSE"},
		{"NOT ANY(list) = 1 AND (ANY(map.key) = 1) IS NOT TRUE AND (ANY(list) = 1) IS FALSE", "TRUE"},
		{"NOT ALL(list) = 1 OR (ALL(list) = 1) IS FALSE", "FALSE"},
		{"ALL(list) = 1 AND (ALL(list) = 1) IS NOT FALSE AND ALL(list) IS NULL", "TRUE"},
		{"length(list) = 0 OR NOT length(list) = 0 OR length(list) < year", "FALSE"},
		{"length(list) IS NULL AND map['k'] IS NULL AND map['k'].x IS NULL", "TRUE"},
		{"map['k'] = 1 OR NOT map['k'] = 1 OR prefix(map['k'], 'x') OR struct.a > 1", "FALSE"},
	} {
		e, err := filter.Parse(c.where)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Bind(e, s, constants)
		if err != nil || p.String() != c.want {
			t.Errorf("%s: %v, %v, want %s", c.where, p, err, c.want)
		}
	}
	for _, where := range []string{"struct.b = 1", "ANY(gone) = 1", "ANY(struct.a) = 1"} {
		e, _ := filter.Parse(where)
		if p, err := Bind(e, s, constants); err == nil {
			t.Errorf("%s: %v", where, p)
		}
	}
	e, _ := filter.Parse("x > year")
	p, err := Bind(e, s, constants)
	if err != nil {
		t.Fatal(err)
	}
	x := &vector.Vector{}
	build.Reset(x, vector.Type{Physical: vector.Int32})
	for _, v := range []int32{2023, 2024, 2025} {
		appendPlain(x, le32(v), false)
	}
	sel := []uint64{7}
	p.Computes()[0].Filter(sel, 3, []*vector.Vector{x})
	if sel[0] != 4 {
		t.Errorf("%b", sel[0])
	}
}

// TestFunc: a caller's own function, TRUE or FALSE and never NULL.
func TestFunc(t *testing.T) {
	s := oneColumn(t, kind("i32"))
	odd := filter.Func("odd", func(columns []*vector.Vector, sel []uint64) error {
		v := columns[0]
		for i := range v.Len {
			if v.IsNull(i) || v.Int32s[i]%2 == 0 {
				bits.Clear(sel, i)
			}
		}
		return nil
	}, filter.Col("x"))
	for _, c := range []struct {
		e    *filter.Expr
		want uint64
	}{
		{odd, 0b0101}, {filter.Not(odd), 0b1010}, {odd.IsFalse(), 0b1010}, {filter.And(odd, filter.Col("x").Gt(1)), 0b0100}, {filter.Or(filter.Not(odd), filter.Col("x").Eq(3)), 0b1110},
	} {
		p, err := Bind(c.e, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := &vector.Vector{}
		build.Reset(x, vector.Type{Physical: vector.Int32})
		for _, v := range []int32{1, 2, 3} {
			appendPlain(x, le32(v), false)
		}
		build.AppendNulls(x, 1)
		sel := []uint64{15}
		err = runProgram(p, sel, 4, func(test *Test, sel []uint64) error {
			test.slot.filter(sel, x)
			return nil
		}, func(f *Compute, sel []uint64) error {
			return f.Filter(sel, 4, []*vector.Vector{x})
		})
		if err != nil || sel[0] != c.want {
			t.Errorf("%s: %04b, want %04b, %v", c.e, sel[0], c.want, err)
		}
	}
}

// TestKeys: the encodings that a Bloom filter is asked for.
func TestKeys(t *testing.T) {
	le := binary.LittleEndian
	for _, c := range []struct {
		kind, where string
		want        []string
	}{
		{"i32", "x IN (1, 2, -1)", []string{"ffffffff", "01000000", "02000000"}},
		{"i32", "x < 5", nil},
		{"u64", "x = 18446744073709551615", []string{"ffffffffffffffff"}},
		{"f32", "x = 0.5", []string{hex.EncodeToString(le.AppendUint32(nil, math.Float32bits(0.5)))}},
		{"f16", "x = 1", []string{"003c"}},
		{"str", "x IN ('', 'a')", []string{"", "61"}},
		{"str", "x LIKE 'a%'", nil},
		{"str", "x = 'a' OR x IS NULL", []string{"61"}}, // the test without NULL; the other has none
		{"uuid", "x = '00010203-0405-0607-0809-0a0b0c0d0e0f'", []string{"000102030405060708090a0b0c0d0e0f"}},
		{"dfix", "x = -0.1", []string{"ffffff"}},
		{"dvar", "x = -0.001", []string{"ff"}},
		{"date", "x = DATE '1970-01-02'", []string{"01000000"}},
		{"i96", "x = DATE '1970-01-01'", []string{"00000000000000008c3d2500"}},
	} {
		p, err := bindText(c.where, oneColumn(t, kind(c.kind)))
		if err != nil {
			t.Fatal(err)
		}
		keys, ok := testsOf(p)[0].Keys()
		var got []string
		for _, k := range keys {
			got = append(got, hex.EncodeToString(k))
		}
		if ok != (c.want != nil) || strings.Join(got, " ") != strings.Join(c.want, " ") {
			t.Errorf("%s, %s: %q, %v, want %q", c.kind, c.where, got, ok, c.want)
		}
	}
}
