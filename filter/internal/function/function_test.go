package function

import (
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// TestBytes: what bytes that are part of no code point, and huge numbers, do.
func TestBytes(t *testing.T) {
	of := func(v any) *value.Literal { return value.Of(v) }
	for _, c := range []struct {
		name      string
		constants []*value.Literal
		of, want  string
	}{
		{"trim", []*value.Literal{of("\ufffd")}, "\ufffd\xffa\xff\ufffd", "\xffa\xff"},
		{"trim", []*value.Literal{of("\xff")}, "\xff\xff\ufffda\xff", "\ufffda"},
		{"ltrim", []*value.Literal{of("\xffé")}, "é\xffa\xff", "a\xff"},
		{"rtrim", []*value.Literal{of("\xffé")}, "é\xffaé\xff\xc3", "é\xffaé\xff\xc3"},
		{"trim", []*value.Literal{of("é")}, "éa\xffé", "a\xff"},
		{"trim", nil, " \u3000a\t\u00a0", "a\t"},
		{"substr", []*value.Literal{of(3), of(-9)}, "éabc", "éa"},
		{"substr", []*value.Literal{of(-1), of(-2)}, "éabc", "ab"},
		{"substr", []*value.Literal{of(2), of(2)}, "\xffé\xffa", "é\xff"},
		{"substr", []*value.Literal{of(-2), of(1)}, "\xffé\xffa", "\xff"},
		{"substr", []*value.Literal{of(0), of(int64(math.MinInt64))}, "abc", ""},
		{"substr", []*value.Literal{of(-9), of(int64(math.MinInt64))}, "abc", ""},
		{"substr", []*value.Literal{of(int64(math.MinInt64)), of(int64(math.MaxInt64))}, "abc", ""},
		{"substr", []*value.Literal{of(-9), of(int64(math.MaxInt64))}, "abc", "abc"},
		{"substr", []*value.Literal{of(int64(math.MaxInt64)), of(int64(math.MaxInt64))}, "abc", ""},
		{"left", []*value.Literal{of(int64(math.MinInt64))}, "abc", ""},
		{"right", []*value.Literal{of(int64(math.MinInt64))}, "abc", ""},
		{"right", []*value.Literal{of(int64(math.MaxInt64))}, "abc", "abc"},
		{"split_part", []*value.Literal{of(""), of(2)}, "aéb", "é"},
		{"split_part", []*value.Literal{of(""), of(-1)}, "aé\xff", "\xff"},
		{"split_part", []*value.Literal{of(""), of(4)}, "aéb", ""},
		{"split_part", []*value.Literal{of("b"), of(int64(math.MinInt64))}, "abc", ""},
	} {
		call := Named(c.name).With(c.constants...)
		if got, fault := call.OfConstant(of(c.of)); fault != "" || got.Text != c.want {
			t.Errorf("%s of %q: %q, want %q", c.name, c.of, got.Text, c.want)
		}
	}
}

// TestToText has the texts of edges, as DuckDB writes them.
func TestToText(t *testing.T) {
	typed := func(p vector.Physical, l vector.Logical, unit vector.Unit) vector.Type {
		return vector.Type{Physical: p, Logical: l, Unit: unit, UTC: true}
	}
	for _, c := range []struct {
		t    vector.Type
		v    any
		want string
	}{
		{typed(vector.Double, 0, 0), float64(0), "0.0"},
		{typed(vector.Double, 0, 0), float64(math.Copysign(0, -1)), "-0.0"},
		{typed(vector.Double, 0, 0), float64(1e15), "1000000000000000.0"},
		{typed(vector.Double, 0, 0), float64(1e16), "1e+16"},
		{typed(vector.Double, 0, 0), float64(-1.5e-5), "-1.5e-05"},
		{typed(vector.Double, 0, 0), float64(0.0001), "0.0001"},
		{typed(vector.Double, 0, 0), math.NaN(), "nan"},
		{typed(vector.Double, 0, 0), math.Copysign(math.NaN(), -1), "nan"},
		{typed(vector.Double, 0, 0), math.Inf(-1), "-inf"},
		{vector.Type{Physical: vector.Int32, Logical: vector.Decimal, Precision: 2, Scale: 2}, int64(-5), "-.05"},
		{vector.Type{Physical: vector.Int32, Logical: vector.Decimal, Precision: 2, Scale: 2}, int64(0), ".00"},
		{vector.Type{Physical: vector.Int32, Logical: vector.Decimal, Precision: 2, Scale: 2}, int64(105), "1.05"}, // more than it claims
		{vector.Type{Physical: vector.Int64, Logical: vector.Decimal, Precision: 3, Scale: 2}, int64(5), "0.05"},
		{typed(vector.Int32, vector.Date, 0), int64(19753), "2024-01-31"},
		{typed(vector.Int32, vector.Date, 0), int64(-719529), "0002-12-31 (BC)"},
		{typed(vector.Int32, vector.Date, 0), int64(-719528 + 59), "0001-02-29 (BC)"}, // the year 0 leaps
		{typed(vector.Int32, vector.Date, 0), int64(3700000), "12100-04-04"},
		{typed(vector.Int32, vector.Date, 0), int64(math.MinInt32), "5877642-06-23 (BC)"},
		{typed(vector.Int64, vector.Timestamp, vector.Micros), int64(-1), "1969-12-31 23:59:59.999999+00"},
		{typed(vector.Int64, vector.Timestamp, vector.Nanos), int64(math.MinInt64), "1677-09-21 00:12:43.145224192+00"},
		{typed(vector.Int64, vector.Timestamp, vector.Millis), int64(1500), "1970-01-01 00:00:01.5+00"},
		{typed(vector.Int64, vector.Time, vector.Micros), int64(36000500000), "10:00:00.5"},
	} {
		v := &vector.Vector{}
		build.Reset(v, c.t)
		build.Extend(v, 1)
		if n, ok := c.v.(int64); ok {
			copy(v.Int32s, []int32{int32(n)})
			copy(v.Int64s, []int64{n})
		} else {
			copy(v.Doubles, []float64{c.v.(float64)})
		}
		out := NewResults().Of([]Call{ToText.With()}, v, []uint64{1})
		if got := string(out.Bytes(0)); got != c.want {
			t.Errorf("%s of %v: %s, want %s", c.t, c.v, got, c.want)
		}
	}
}

// TestEverywhere wants each function in the grammar, in the help, in the naive evaluator and in a
// random text, under its own name.
func TestEverywhere(t *testing.T) {
	for path, but := range map[string]string{
		"../../doc.go": "", "../../../internal/cli/guide/where.go": "", "../../../internal/test/naive/function.go": "trim ltrim",
		"../../compile/steps_test.go": "mod", "../../../.ci/peers/where.py": "length octet_length mod epoch split_part",
	} {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range table {
			if !regexp.MustCompile(`\b`+f.Name+`\b`).Match(b) && !strings.Contains(" "+but+" ", " "+f.Name+" ") {
				t.Errorf("%s: no function %s", path, f.Name)
			}
		}
	}
}

// TestFromText: numbers at the ends of a type, and what is none.
func TestFromText(t *testing.T) {
	for _, c := range []struct {
		to    value.Target
		texts []string
		want  []int64 // of the last ones
	}{
		{value.Target{Name: value.ToInteger}, []string{"2147483648", "-2147483648.5", "x", "", "1 2", "-2147483648", "+5", " 2147483647 ", "1e3", "-2.5"}, []int64{-1 << 31, 5, 1<<31 - 1, 1000, -3}},
		{value.Target{Name: value.ToBigint}, []string{"9223372036854775808", "1e9999", "9223372036854775807"}, []int64{math.MaxInt64}},
		{value.Target{Name: value.ToUTinyint}, []string{"-1", "256", "255"}, []int64{255}},
		{value.Target{Name: value.ToDecimal, Precision: 4, Scale: 2}, []string{"99.995", "nan", "-99.994", "7"}, []int64{-9999, 700}},
		{value.Target{Name: value.ToTimestamp}, []string{"999999-01-01 00:00:00", "2024-01-32", "1970-01-01 00:00:01.5"}, []int64{1500000}},
	} {
		v := &vector.Vector{}
		build.Reset(v, text)
		for i, s := range c.texts {
			build.Extend(v, 1)
			v.Views[i] = bits.Make([]byte(s), build.AddBuffer(v, []byte(s)), 0)
		}
		call := FromText(c.to).With()
		out := NewResults().Of([]Call{call}, v, []uint64{1<<len(c.texts) - 1})
		nulls := len(c.texts) - len(c.want)
		for i, s := range c.texts {
			got := value.DomainOf(out.Type).Integer(build.Plain(nil, out, i))
			if out.IsNull(i) != (i < nulls) || i >= nulls && got != c.want[i-nulls] {
				t.Errorf("%s of %q: %d, NULL %t", c.to, s, got, out.IsNull(i))
			}
		}
	}
}
