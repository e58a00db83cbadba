//every:condition substrait but Constant Compare Match Func Keys (literals, signs; Substrait has none)
package substrait

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
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

// Filter returns the condition that e states about rows of a schema, whose columns e names by position.
// It has what the table of functions has, IN lists, if-then and casts that lose nothing, of columns and literals.
//
// An error matches ErrUnsupported if a part of e has no counterpart. A host then filters
// the rows itself, or passes the parts of a conjunction one by one.
func Filter(e expr.Expression, schema *arrow.Schema) (*filter.Expr, error) {
	t := translation{schema}
	text, err := t.text(e)
	if err != nil {
		return nil, err
	}
	where, err := filter.Parse(text)
	if err != nil {
		return nil, unsupported(err)
	}
	return where, nil
}

type translation struct{ schema *arrow.Schema }

func unsupported(what any) error { return fmt.Errorf("substrait: %v: %w", what, ErrUnsupported) }

// function is one of Substrait's as text.
type function struct {
	format string // of the arguments; %s stands for all of them, with sign between them
	sign   string
	of     string // the types of the arguments, as Substrait shortens them; "": those that winnow's text takes
}

// functions are those of which random conditions return the rows that pyarrow returns.
var functions = map[string]function{
	"and": {"(%s)", " AND ", "bool"}, "or": {"(%s)", " OR ", "bool"}, "not": {"(NOT %s)", "", "bool"},
	"is_true": {"(%s IS TRUE)", "", "bool"}, "is_false": {"(%s IS FALSE)", "", "bool"},
	"equal": {"(%s)", " = ", ""}, "not_equal": {"(%s)", " <> ", ""},
	"lt": {"(%s)", " < ", ""}, "lte": {"(%s)", " <= ", ""}, "gt": {"(%s)", " > ", ""}, "gte": {"(%s)", " >= ", ""},
	"between": {"(%[1]s BETWEEN %[2]s AND %[3]s)", "", ""},
	"is_null": {"(%s IS NULL)", "", ""}, "is_not_null": {"(%s IS NOT NULL)", "", ""},
	"is_nan": {"isnan(%s)", "", floatTypes}, "is_finite": {"isfinite(%s)", "", floatTypes}, "is_infinite": {"isinf(%s)", "", floatTypes},
	"coalesce": {"coalesce(%s)", ", ", ""},
	"like":     {"(%[1]s LIKE %[2]s ESCAPE '\\')", "", stringTypes}, "contains": {"contains(%s)", ", ", stringTypes},
	"starts_with": {"prefix(%s)", ", ", stringTypes}, "ends_with": {"suffix(%s)", ", ", stringTypes},
	"add": {"(%s)", " + ", numberTypes}, "subtract": {"(%s)", " - ", numberTypes}, "multiply": {"(%s)", " * ", numberTypes},
	"divide": {"(%s)", " / ", numberTypes}, "negate": {"(- %s)", "", numberTypes},
}

const (
	numberTypes = "i8 i16 i32 i64 fp64" // to calculate with: integers exactly, also where they overflow in Substrait
	floatTypes  = "fp32 fp64"           // columns
	stringTypes = "str vchar fchar"
)

func (t *translation) text(e types.FuncArg) (string, error) {
	switch e := e.(type) {
	case *expr.ScalarFunction:
		return t.call(e)
	case *expr.FieldReference:
		return t.column(e)
	case *expr.SingularOrList:
		all, err := t.texts(append([]expr.Expression{e.Value}, e.Options...))
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("(%s IN ("+joined(", ", len(e.Options))+"))", all...), nil
	case *expr.IfThen:
		var parts []expr.Expression
		for i := range e.NIfs() {
			parts = append(parts, e.IfPair(i).If, e.IfPair(i).Then)
		}
		all, err := t.texts(append(parts, e.Else()))
		if err != nil {
			return "", err
		}
		return "CASE" + fmt.Sprintf(strings.Repeat(" WHEN %s THEN %s", e.NIfs())+" ELSE %s END", all...), nil
	case *expr.Cast:
		// A type is before those that have all its values.
		for _, order := range []string{"i8 i16 i32 i64", "i8 i16 i32 fp64", "fp32 fp64"} {
			from, to := strings.Index(order, e.Input.GetType().ShortString()), strings.Index(order, e.Type.ShortString())
			if from >= 0 && from <= to {
				return t.text(e.Input)
			}
		}
	case expr.Literal:
		v, err := value(e)
		return strings.TrimPrefix(filter.Col("x").Lt(v).String(), "x < "), err
	}
	return "", unsupported(e)
}

func (t *translation) call(e *expr.ScalarFunction) (string, error) {
	f, ok := functions[e.Name()]
	letters, overflow := e.GetOption("case_sensitivity"), e.GetOption("overflow")
	if !ok || e.NArgs() == 0 || letters != nil && !slices.Contains(letters, "CASE_SENSITIVE") || overflow != nil && !slices.Contains(overflow, "ERROR") {
		return "", unsupported(e)
	}
	all := make([]expr.Expression, e.NArgs())
	for i := range all {
		if all[i], ok = e.Arg(i).(expr.Expression); !ok || f.of != "" && !slices.Contains(strings.Fields(f.of), all[i].GetType().ShortString()) {
			return "", unsupported(e)
		}
	}
	if _, column := e.Arg(0).(*expr.FieldReference); f.of == numberTypes && !calculable(e) || f.of == floatTypes && !column {
		return "", unsupported(e)
	}
	texts, err := t.texts(all)
	if err != nil {
		return "", err
	}
	if f.sign != "" {
		texts = []any{fmt.Sprintf(joined(f.sign, len(texts)), texts...)}
	}
	return fmt.Sprintf(f.format, texts...), nil
}

// calculable tells whether a scan calculates with e: it refuses factors of 0 and what is no number.
func calculable(e types.FuncArg) bool {
	switch e := e.(type) {
	case *expr.FieldReference:
		return true
	case *expr.Cast:
		return calculable(e.Input)
	case *expr.ScalarFunction:
		for i := range e.NArgs() {
			if !calculable(e.Arg(i)) {
				return false
			}
		}
		return functions[e.Name()].of == numberTypes && (e.Name() != "divide" || e.GetType().ShortString() == "fp64")
	case expr.Literal:
		v, err := strconv.ParseFloat(e.ValueString(), 64)
		return err == nil && v != 0 && v-v == 0
	}
	return false
}

// joined is a format of n texts.
func joined(sign string, n int) string {
	return strings.TrimSuffix(strings.Repeat("%s"+sign, n), sign)
}

func (t *translation) texts(all []expr.Expression) (texts []any, err error) {
	for _, e := range all {
		text, err := t.text(e)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// column returns the column that a reference names by positions: of the schema, then of structs.
func (t *translation) column(of *expr.FieldReference) (string, error) {
	if of.Root != expr.RootReference {
		return "", unsupported(of)
	}
	segment, _ := of.Reference.(expr.ReferenceSegment)
	fields, path := t.schema.Fields(), ""
	for segment != nil {
		s, ok := segment.(*expr.StructFieldRef)
		if !ok || int(s.Field) >= len(fields) || s.Field < 0 {
			return "", unsupported(of)
		}
		f := fields[s.Field]
		if slices.ContainsFunc(fields[:s.Field], func(before arrow.Field) bool { return before.Name == f.Name }) {
			return "", unsupported(fmt.Sprintf("field %d: a field before it has the name %q, too", s.Field, f.Name))
		}
		if path != "" {
			path += "."
		}
		path += `"` + strings.ReplaceAll(f.Name, `"`, `""`) + `"`
		fields = nil
		if below, ok := f.Type.(*arrow.StructType); ok {
			fields = below.Fields()
		}
		segment = s.Child
	}
	if path == "" {
		return "", unsupported(of)
	}
	return path, nil
}

// value returns a literal as a value that filter takes.
func value(l expr.Literal) (any, error) {
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
