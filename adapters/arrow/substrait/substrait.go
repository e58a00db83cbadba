//every:condition substrait but Constant Match Func Keys (AND and OR of nothing; Substrait has none)
package substrait

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/substrait-io/substrait-go/v8/expr"
	"github.com/substrait-io/substrait-go/v8/types"
	proto "github.com/substrait-io/substrait-protobuf/go/substraitpb"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
)

// ErrUnsupported is matched by errors about expressions that no condition of winnow states.
var ErrUnsupported = errors.New("not supported as a filter")

// Filter returns the condition that e states about rows of a schema, whose columns e names by
// position: and, or, not, comparisons, between, is_null, is_not_null, is_true, is_false, IN lists,
// like, starts_with, ends_with and contains, of columns and literals.
//
// An error matches ErrUnsupported if a part of e has no counterpart. A host then filters
// the rows itself, or passes the parts of a conjunction one by one.
func Filter(e expr.Expression, schema *arrow.Schema) (*filter.Expr, error) {
	t := translation{schema}
	return t.condition(e)
}

type translation struct{ schema *arrow.Schema }

func unsupported(what any) error { return fmt.Errorf("substrait: %v: %w", what, ErrUnsupported) }

func (t *translation) condition(e expr.Expression) (*filter.Expr, error) {
	switch e := e.(type) {
	case *expr.ScalarFunction:
		return t.call(e)
	case *expr.FieldReference:
		c, err := t.column(e)
		return c.True(), err
	case *expr.SingularOrList:
		return t.in(e)
	case expr.Literal:
		switch v, err := value(e); v := v.(type) {
		case bool:
			if v {
				return filter.And(), nil
			}
			return filter.Or(), nil
		default:
			return nil, errors.Join(err, unsupported(e))
		}
	}
	return nil, unsupported(e)
}

func (t *translation) conditions(f *expr.ScalarFunction) ([]*filter.Expr, error) {
	all := make([]*filter.Expr, f.NArgs())
	for i := range all {
		e, ok := f.Arg(i).(expr.Expression)
		if !ok {
			return nil, unsupported(f.Arg(i))
		}
		var err error
		if all[i], err = t.condition(e); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (t *translation) call(f *expr.ScalarFunction) (*filter.Expr, error) {
	switch name := f.Name(); name {
	case "and", "or", "not", "is_true", "is_false":
		all, err := t.conditions(f)
		switch {
		case err != nil:
			return nil, err
		case name == "and":
			return filter.And(all...), nil
		case name == "or":
			return filter.Or(all...), nil
		case len(all) != 1:
			return nil, unsupported(f)
		case name == "not":
			return filter.Not(all[0]), nil
		case name == "is_true":
			return all[0].IsTrue(), nil
		}
		return all[0].IsFalse(), nil
	case "is_null", "is_not_null":
		c, _, err := t.operands(f, 0)
		if err != nil {
			return nil, err
		}
		if name == "is_null" {
			return c.IsNull(), nil
		}
		return c.IsNotNull(), nil
	case "between":
		c, v, err := t.operands(f, 2)
		if err != nil {
			return nil, err
		}
		return c.Between(v[0], v[1]), nil
	case "like", "starts_with", "ends_with", "contains":
		return t.search(f)
	}
	return t.comparison(f)
}

// comparisons are the functions that compare, each with that of swapped sides.
var comparisons = map[string]struct {
	compare func(filter.Column, any) *filter.Expr
	mirror  string
}{
	"equal":     {filter.Column.Eq, "equal"},
	"not_equal": {filter.Column.Ne, "not_equal"},
	"lt":        {filter.Column.Lt, "gt"},
	"lte":       {filter.Column.Le, "gte"},
	"gt":        {filter.Column.Gt, "lt"},
	"gte":       {filter.Column.Ge, "lte"},
}

func (t *translation) comparison(f *expr.ScalarFunction) (*filter.Expr, error) {
	by, ok := comparisons[f.Name()]
	if !ok || f.NArgs() != 2 {
		return nil, unsupported(f)
	}
	column, literal := f.Arg(0), f.Arg(1)
	if _, ok := column.(expr.Literal); ok {
		column, literal, by = literal, column, comparisons[by.mirror]
	}
	c, err := t.column(column)
	if err != nil {
		return nil, err
	}
	var v any
	if right, ok := literal.(*expr.FieldReference); ok {
		v, err = t.column(right)
	} else {
		v, err = value(literal)
	}
	if err != nil {
		return nil, err
	}
	return by.compare(c, v), nil
}

func (t *translation) search(f *expr.ScalarFunction) (*filter.Expr, error) {
	c, v, err := t.operands(f, 1)
	if err != nil {
		return nil, err
	}
	text, ok := v[0].(string)
	if option := f.GetOption("case_sensitivity"); !ok || len(option) > 0 && !slices.Contains(option, "CASE_SENSITIVE") {
		return nil, unsupported(f)
	}
	switch f.Name() {
	case "like":
		return c.LikeEscape(text, '\\'), nil
	case "starts_with":
		return c.Prefix(text), nil
	case "ends_with":
		return c.Suffix(text), nil
	}
	return c.Contains(text), nil
}

// operands returns the column and the n literals that f is called with.
func (t *translation) operands(f *expr.ScalarFunction, n int) (c filter.Column, values []any, err error) {
	if f.NArgs() != n+1 {
		return c, nil, unsupported(f)
	}
	if c, err = t.column(f.Arg(0)); err != nil {
		return c, nil, err
	}
	for i := range n {
		v, err := value(f.Arg(i + 1))
		if err != nil {
			return c, nil, err
		}
		values = append(values, v)
	}
	return c, values, nil
}

func (t *translation) in(e *expr.SingularOrList) (*filter.Expr, error) {
	c, err := t.column(e.Value)
	if err != nil {
		return nil, err
	}
	values := make([]any, len(e.Options))
	for i, o := range e.Options {
		if values[i], err = value(o); err != nil {
			return nil, err
		}
	}
	return c.In(values...), nil
}

// column returns the column that a reference names by positions: of the schema, then of structs.
func (t *translation) column(of types.FuncArg) (c filter.Column, err error) {
	ref, ok := of.(*expr.FieldReference)
	if !ok || ref.Root != expr.RootReference {
		return c, unsupported(of)
	}
	segment, _ := ref.Reference.(expr.ReferenceSegment)
	fields, path := t.schema.Fields(), ""
	for segment != nil {
		s, ok := segment.(*expr.StructFieldRef)
		if !ok || int(s.Field) >= len(fields) || s.Field < 0 {
			return c, unsupported(of)
		}
		f := fields[s.Field]
		if slices.ContainsFunc(fields[:s.Field], func(before arrow.Field) bool { return before.Name == f.Name }) {
			return c, unsupported(fmt.Sprintf("field %d: a field before it has the name %q, too", s.Field, f.Name))
		}
		if path != "" {
			path += "."
		}
		path += strconv.Quote(f.Name)
		fields = nil
		if below, ok := f.Type.(*arrow.StructType); ok {
			fields = below.Fields()
		}
		segment = s.Child
	}
	if path == "" {
		return c, unsupported(of)
	}
	return filter.Col(path), nil
}

// value returns a literal as a value that filter takes.
func value(of types.FuncArg) (any, error) {
	l, ok := of.(expr.Literal)
	if !ok {
		return nil, unsupported(of)
	}
	switch v := l.ToProtoLiteral().LiteralType.(type) {
	case *proto.Expression_Literal_Null:
		return nil, nil
	case *proto.Expression_Literal_Boolean:
		return v.Boolean, nil
	case *proto.Expression_Literal_I8:
		return int64(v.I8), nil
	case *proto.Expression_Literal_I16:
		return int64(v.I16), nil
	case *proto.Expression_Literal_I32:
		return int64(v.I32), nil
	case *proto.Expression_Literal_I64:
		return v.I64, nil
	case *proto.Expression_Literal_Fp32:
		return vector.FloatOf(vector.Type{Physical: vector.Float}, float64(v.Fp32))
	case *proto.Expression_Literal_Fp64:
		return vector.FloatOf(vector.Type{Physical: vector.Double}, v.Fp64)
	case *proto.Expression_Literal_String_:
		return v.String_, nil
	case *proto.Expression_Literal_FixedChar:
		return v.FixedChar, nil
	case *proto.Expression_Literal_VarChar_:
		return v.VarChar.Value, nil
	case *proto.Expression_Literal_Binary:
		return v.Binary, nil
	case *proto.Expression_Literal_FixedBinary:
		return v.FixedBinary, nil
	case *proto.Expression_Literal_Uuid:
		return v.Uuid, nil
	case *proto.Expression_Literal_Date:
		d := time.Unix(int64(v.Date)*86400, 0).UTC()
		return filter.Date(d.Year(), d.Month(), d.Day()), nil
	case *proto.Expression_Literal_PrecisionTimestampTz:
		return instant(v.PrecisionTimestampTz)
	case *proto.Expression_Literal_PrecisionTimestamp_:
		t, err := instant(v.PrecisionTimestamp)
		return t.Format("2006-01-02 15:04:05.999999999"), err // of a column without a zone
	case *proto.Expression_Literal_Decimal_:
		return decimal(v.Decimal), nil
	}
	return nil, unsupported(l)
}

func instant(t *proto.Expression_Literal_PrecisionTimestamp) (time.Time, error) {
	switch t.Precision {
	case 0:
		return time.Unix(t.Value, 0).UTC(), nil
	case 3:
		return time.UnixMilli(t.Value).UTC(), nil
	case 6:
		return time.UnixMicro(t.Value).UTC(), nil
	case 9:
		return time.Unix(0, t.Value).UTC(), nil
	}
	return time.Time{}, unsupported(t)
}

// decimal returns the text of a decimal, whose digits are a little-endian two's complement number.
func decimal(d *proto.Expression_Literal_Decimal) any {
	b := slices.Clone(d.Value)
	slices.Reverse(b)
	n := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return filter.Decimal(n.String() + "e" + strconv.Itoa(-int(d.Scale)))
}
