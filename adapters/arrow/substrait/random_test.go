package substrait_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/compute/exprs"
	"github.com/substrait-io/substrait-go/v8/expr"
	"github.com/substrait-io/substrait-go/v8/extensions"
	"github.com/substrait-io/substrait-go/v8/types"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/adapters/arrow/substrait"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// told builds expressions from what testdata/conditions.py writes, and notes their functions.
type told struct {
	columns exprs.ExprBuilder
	met     map[string]bool
}

func (b *told) expression(t *testing.T, v any) expr.Expression {
	of, ok := v.([]any)
	if !ok {
		for kind, v := range v.(map[string]any) {
			return b.leaf(t, kind, fmt.Sprint(v))
		}
	}
	name := of[0].(string)
	if name == "cast" {
		to := map[string]types.Type{"i64": (&types.Int64Type{}).WithNullability(types.NullabilityNullable), "fp64": (&types.Float64Type{}).WithNullability(types.NullabilityNullable)}[of[1].(string)]
		return &expr.Cast{Type: to, Input: b.expression(t, of[2])}
	}
	var args []types.FuncArg
	var all []expr.Expression
	for _, arg := range of[1:] {
		all = append(all, b.expression(t, arg))
		args = append(args, all[len(all)-1])
	}
	switch name {
	case "in":
		return &expr.SingularOrList{Value: all[0], Options: all[1:]}
	case "if":
		e, err := expr.NewIfThen(expr.IfThenPair{If: all[0], Then: all[1]}, all[2])
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	b.met[name] = true
	result := all[0].GetType()
	if !slices.Contains([]string{"add", "subtract", "multiply", "divide", "negate", "coalesce"}, name) {
		result = (&types.BooleanType{}).WithNullability(types.NullabilityNullable)
	}
	registry := expr.NewEmptyExtensionRegistry(extensions.GetDefaultCollectionWithNoError())
	e, err := expr.NewCustomScalarFunc(registry, extensions.NewScalarFuncVariant(extensions.ID{URN: "extension:io.substrait:x", Name: name}), result, nil, args...)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (b *told) leaf(t *testing.T, kind, text string) expr.Expression {
	number, _ := strconv.ParseInt(text, 10, 64)
	float, _ := strconv.ParseFloat(text, 64)
	switch kind {
	case "i64":
		return expr.NewPrimitiveLiteral(number, true)
	case "i32":
		return expr.NewPrimitiveLiteral(int32(number), true)
	case "date":
		return expr.NewPrimitiveLiteral(types.Date(number), true)
	case "fp64":
		return expr.NewPrimitiveLiteral(float, true)
	case "fp32":
		return expr.NewPrimitiveLiteral(float32(float), true)
	case "bool":
		return expr.NewPrimitiveLiteral(text == "true", true)
	case "str":
		return expr.NewPrimitiveLiteral(text, true)
	}
	e, err := b.columns.FieldRef(text).BuildExpr()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestPyarrow: the conditions of testdata/conditions.py return the rows that pyarrow returns, and each
// function of the table is met. WINNOW_CONDITIONS is another folder that conditions.py has written.
func TestPyarrow(t *testing.T) {
	folder := os.Getenv("WINNOW_CONDITIONS")
	if folder == "" {
		folder = "testdata"
	}
	text, err := os.ReadFile(filepath.Join(folder, "conditions.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all [][2]any
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	if err := decoder.Decode(&all); err != nil {
		t.Fatal(err)
	}
	file, err := scanner.Open(t.Context(), filepath.Join(folder, "conditions.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	schema := rowsOf(t, file, nil, func(*arrowscan.Reader) {})
	b := told{exprs.NewExprBuilder(exprs.NewDefaultExtensionSet()), map[string]bool{}}
	if err := b.columns.SetInputSchema(schema); err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, pair := range all {
		e := b.expression(t, pair[0])
		where, err := substrait.Filter(e, schema)
		if errors.Is(err, substrait.ErrUnsupported) {
			refused++
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		found := new(big.Int)
		rowsOf(t, file, where, func(r *arrowscan.Reader) {
			for _, id := range r.RecordBatch().Column(0).(*array.Int64).Int64Values() {
				found.SetBit(found, int(id), 1)
			}
		})
		if got := fmt.Sprintf("%#x", found); got != pair[1] {
			t.Errorf("%s\n%s\n%s, and pyarrow %s", e, where, got, pair[1])
		}
	}
	if missing := substrait.Missing(b.met); len(missing) > 0 {
		t.Errorf("no condition has %s", missing)
	}
	t.Logf("%d conditions, %d refused, with %s", len(all), refused, slices.Sorted(maps.Keys(b.met)))
	if refused > len(all)/10 {
		t.Error("many are refused")
	}
}

// rowsOf calls do for each batch of a filter, and returns the schema.
func rowsOf(t *testing.T, file *scanner.File, where *filter.Expr, do func(*arrowscan.Reader)) *arrow.Schema {
	r, err := arrowscan.NewReader(t.Context(), file, scanner.Options{Filter: where}, arrowscan.Options{Strings: arrowscan.Offsets})
	if err != nil {
		t.Errorf("%s: %v", where, err)
		return nil
	}
	defer r.Release()
	for r.Next() {
		do(r)
	}
	if r.Err() != nil {
		t.Errorf("%s: %v", where, r.Err())
	}
	return r.Schema()
}
