package substrait_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/compute"
	"github.com/apache/arrow-go/v18/arrow/compute/exprs"
	"github.com/substrait-io/substrait-go/v8/expr"
	"github.com/substrait-io/substrait-go/v8/extensions"
	"github.com/substrait-io/substrait-go/v8/types"

	"github.com/winnow-scan/winnow/adapters/arrow/substrait"
)

var schema = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "odd name", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "price", Type: &arrow.Decimal128Type{Precision: 10, Scale: 2}, Nullable: true},
	{Name: "ok", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
	{Name: "at", Type: arrow.StructOf(arrow.Field{Name: "day", Type: arrow.FixedWidthTypes.Date32}), Nullable: true},
}, nil)

// build returns an expression that a builder of Arrow's makes.
func build(t testing.TB, make func(b *exprs.ExprBuilder) exprs.Builder) expr.Expression {
	b := exprs.NewExprBuilder(exprs.NewDefaultExtensionSet())
	if err := b.SetInputSchema(schema); err != nil {
		t.Fatal(err)
	}
	e, err := make(&b).BuildExpr()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func literal[T int64 | string | bool | float64](v T) expr.Literal {
	return expr.NewPrimitiveLiteral(v, false)
}

func decimal(t testing.TB, text string) expr.Literal {
	value, precision, scale, err := expr.DecimalStringToBytes(text)
	if err != nil {
		t.Fatal(err)
	}
	l, err := expr.NewLiteral(&types.Decimal{Value: value[:16], Precision: precision, Scale: scale}, false)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestLiterals are literals as conditions show them.
func TestLiterals(t *testing.T) {
	id := build(t, func(b *exprs.ExprBuilder) exprs.Builder { return b.FieldRef("id") })
	for want, l := range map[string]expr.Literal{
		`id IN (TIMESTAMP '2024-01-31 00:00:00.5')`: expr.NewPrecisionTimestampTzLiteral(1706659200500, types.PrecisionMilliSeconds, types.NullabilityRequired),
		`id IN ('2024-01-31 00:00:00.000001')`:      expr.NewPrecisionTimestampLiteral(1706659200000001, types.PrecisionMicroSeconds, types.NullabilityRequired),
		`id IN (-1.5)`:                              decimal(t, "-1.50"),
		`id IN (DOUBLE '0.25')`:                     literal(0.25),
		`id IN (X'00ff')`:                           expr.NewByteSliceLiteral([]byte{0, 255}, false),
		`id IN (TRUE)`:                              literal(true),
	} {
		got, err := substrait.Filter(&expr.SingularOrList{Value: id, Options: []expr.Expression{l}}, schema)
		if err != nil || got.String() != want {
			t.Errorf("%s, want %s, %v", got, want, err)
		}
	}
}

// TestNamesakes: a name stands for the first of several fields, so a reference to another is an error.
func TestNamesakes(t *testing.T) {
	twice := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "id", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "s", Type: arrow.StructOf(arrow.Field{Name: "f", Type: arrow.PrimitiveTypes.Int64}, arrow.Field{Name: "f", Type: arrow.PrimitiveTypes.Int64})},
	}, nil)
	for field, want := range map[string]string{"0": "id IS NULL", "1": "", "2.0": "s.f IS NULL", "2.1": ""} {
		path := compute.FieldPath{}
		for _, step := range strings.Split(field, ".") {
			path = append(path, int(step[0]-'0'))
		}
		b := exprs.NewExprBuilder(exprs.NewDefaultExtensionSet())
		if err := b.SetInputSchema(twice); err != nil {
			t.Fatal(err)
		}
		e, err := b.MustCallScalar("is_null", nil, b.FieldPath(path)).BuildExpr()
		if err != nil {
			t.Fatal(err)
		}
		got, err := substrait.Filter(e, twice)
		if want == "" && !errors.Is(err, substrait.ErrUnsupported) || want != "" && (err != nil || got.String() != want) {
			t.Errorf("field %s: %v, %v, want %q", field, got, err, want)
		}
	}
}

func TestFilter(t *testing.T) {
	type B = *exprs.ExprBuilder
	call := func(b B, name string, args ...expr.FuncArgBuilder) exprs.Builder {
		return b.MustCallScalar(name, nil, args...)
	}
	day := func(b B) exprs.Builder { return b.FieldPath(compute.FieldPath{4, 0}) }
	for want, e := range map[string]expr.Expression{
		`id > 5`:  build(t, func(b B) exprs.Builder { return call(b, "greater", b.FieldRef("id"), b.Literal(literal[int64](5))) }),
		`id >= 5`: build(t, func(b B) exprs.Builder { return call(b, "less_equal", b.Literal(literal[int64](5)), b.FieldRef("id")) }),
		`"odd name" = 'it''s' AND ok`: build(t, func(b B) exprs.Builder {
			return call(b, "and_kleene", call(b, "equal", b.FieldRef("odd name"), b.Literal(literal("it's"))), b.FieldRef("ok"))
		}),
		`id <> 1 OR NOT id < 0`: build(t, func(b B) exprs.Builder {
			return call(b, "or_kleene", call(b, "not_equal", b.FieldRef("id"), b.Literal(literal[int64](1))),
				call(b, "not", call(b, "less", b.FieldRef("id"), b.Literal(literal[int64](0)))))
		}),
		`at.day = DATE '2024-01-31'`: build(t, func(b B) exprs.Builder {
			return call(b, "equal", day(b), b.Literal(expr.NewPrimitiveLiteral(types.Date(19753), false)))
		}),
		`"odd name" IS NULL`: build(t, func(b B) exprs.Builder { return call(b, "is_null", b.FieldRef("odd name")) }),
		`id IN (1, NULL, 3)`: &expr.SingularOrList{Value: build(t, func(b B) exprs.Builder { return b.FieldRef("id") }),
			Options: []expr.Expression{literal[int64](1), expr.NewNullLiteral(&types.Int64Type{}), literal[int64](3)}},
	} {
		got, err := substrait.Filter(e, schema)
		if err != nil || got.String() != want {
			t.Errorf("%s: %v, want %s, %v", e, got, want, err)
		}
	}
}

// TestUnsupported: integers that wrap around, and a factor that a scan refuses.
func TestUnsupported(t *testing.T) {
	for _, literal := range []expr.Literal{literal[int64](0), literal[int64](2)} {
		e := build(t, func(b *exprs.ExprBuilder) exprs.Builder {
			return b.MustCallScalar("greater", nil, b.MustCallScalar("multiply", nil, b.FieldRef("id"), b.Literal(literal)), b.Literal(literal))
		})
		multiply := e.(*expr.ScalarFunction).Arg(0).(*expr.ScalarFunction)
		wraps := []*types.FunctionOption{{Name: "overflow", Preference: []string{"SILENT"}}}
		registry := expr.NewEmptyExtensionRegistry(extensions.GetDefaultCollectionWithNoError())
		silent, err := expr.NewScalarFunc(registry, multiply.ID(), wraps, multiply.Arg(0), multiply.Arg(1))
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range []expr.Expression{multiply, silent} {
			all := &expr.SingularOrList{Value: value, Options: []expr.Expression{literal}}
			got, err := substrait.Filter(all, schema)
			if wanted := value == multiply && literal.ValueString() == "2"; wanted != (err == nil) || !wanted && !errors.Is(err, substrait.ErrUnsupported) {
				t.Errorf("%s: %v, %v", all, got, err)
			}
		}
	}
}

// TestReadme: the table of functions in the README, which -rewrite writes anew.
func TestReadme(t *testing.T) {
	const path = "../README.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), "<!-- by substrait_test.go -->\n")
	table, after, found := strings.Cut(rest, "\n\n")
	if want := substrait.Table(); *rewrite && found {
		err = os.WriteFile(path, []byte(before+"<!-- by substrait_test.go -->\n"+want+"\n\n"+after), 0o666)
	} else if table != want {
		t.Errorf("the table of the README is not that of the functions (-rewrite writes it):\n%s", want)
	}
	if err != nil {
		t.Fatal(err)
	}
}

var rewrite = flag.Bool("rewrite", false, "write the table of the README anew")

func ExampleFilter() {
	b := exprs.NewExprBuilder(exprs.NewDefaultExtensionSet())
	if err := b.SetInputSchema(schema); err != nil {
		panic(err)
	}
	e, err := b.MustCallScalar("greater", nil, b.FieldRef("id"), b.Literal(expr.NewPrimitiveLiteral(int64(5), false))).BuildExpr()
	if err != nil {
		panic(err)
	}
	where, err := substrait.Filter(e, schema)
	fmt.Println(where, err)
	// Output: id > 5 <nil>
}
