//every:condition iceberg but Constant Is BooleanColumn Between Like Match Suffix Contains Func Keys (Iceberg has none; AND and OR of nothing)
package icebergscan

import (
	"fmt"
	"reflect"
	"time"

	"github.com/apache/iceberg-go"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
)

// bind checks a condition against the schema, and returns it without NOT.
func (r *Reader) bind(e iceberg.BooleanExpression) (iceberg.BooleanExpression, error) {
	if e == nil {
		return nil, nil
	}
	if _, err := iceberg.BindExpr(r.schema, e, !r.query.CaseInsensitive); err != nil {
		return nil, err
	}
	return iceberg.RewriteNotExpr(e)
}

// condition returns a condition of Iceberg, bound or not, as one on a file.
func (b *binding) condition(e iceberg.BooleanExpression) (*filter.Expr, error) {
	if e == nil {
		return nil, nil
	}
	e, err := iceberg.RewriteNotExpr(e)
	if err != nil {
		return nil, err
	}
	return iceberg.VisitExpr[*filter.Expr](e, translation{b})
}

// translation is a visitor of conditions. iceberg.VisitExpr turns its panics into errors.
type translation struct{ b *binding }

func (t translation) VisitTrue() *filter.Expr                 { return filter.And() }
func (t translation) VisitFalse() *filter.Expr                { return filter.Or() }
func (t translation) VisitNot(e *filter.Expr) *filter.Expr    { return filter.Not(e) }
func (t translation) VisitAnd(l, r *filter.Expr) *filter.Expr { return filter.And(l, r) }
func (t translation) VisitOr(l, r *filter.Expr) *filter.Expr  { return filter.Or(l, r) }

func (t translation) VisitUnbound(p iceberg.UnboundPredicate) *filter.Expr {
	bound, err := p.Bind(t.b.reader.schema, !t.b.reader.query.CaseInsensitive)
	if err == nil {
		var e *filter.Expr
		if e, err = iceberg.VisitExpr[*filter.Expr](bound, t); err == nil {
			return e
		}
	}
	panic(err)
}

// operations are what conditions of Iceberg become, by their operation, with the values of their literals. The tests
// compare each of them with iceberg-go's reader, for columns of each type and for transforms.
var operations = map[iceberg.Operation]func(c filter.Column, values []any) *filter.Expr{
	iceberg.OpIsNull:        func(c filter.Column, _ []any) *filter.Expr { return c.IsNull() },
	iceberg.OpNotNull:       func(c filter.Column, _ []any) *filter.Expr { return c.IsNotNull() },
	iceberg.OpIsNan:         func(c filter.Column, _ []any) *filter.Expr { return c.Ne(c) }, // only NaN differs from itself
	iceberg.OpNotNan:        func(c filter.Column, _ []any) *filter.Expr { return filter.Or(c.IsNull(), c.Eq(c)) },
	iceberg.OpEQ:            with(filter.Column.Eq),
	iceberg.OpNEQ:           with(filter.Column.Ne),
	iceberg.OpLT:            with(filter.Column.Lt),
	iceberg.OpLTEQ:          with(filter.Column.Le),
	iceberg.OpGT:            with(filter.Column.Gt),
	iceberg.OpGTEQ:          with(filter.Column.Ge),
	iceberg.OpIn:            func(c filter.Column, values []any) *filter.Expr { return c.In(values...) },
	iceberg.OpNotIn:         func(c filter.Column, values []any) *filter.Expr { return filter.Or(c.IsNull(), c.NotIn(values...)) },
	iceberg.OpStartsWith:    with(prefix),
	iceberg.OpNotStartsWith: func(c filter.Column, values []any) *filter.Expr { return filter.Not(prefix(c, values[0])) },
}

// with is an operation with one literal.
func with(compare func(filter.Column, any) *filter.Expr) func(filter.Column, []any) *filter.Expr {
	return func(c filter.Column, values []any) *filter.Expr { return compare(c, values[0]) }
}

func prefix(c filter.Column, v any) *filter.Expr {
	text, _ := v.(vector.Scalar).Bytes()
	return c.Prefix(string(text))
}

func (t translation) VisitBound(p iceberg.BoundPredicate) *filter.Expr {
	become := operations[p.Op()]
	if become == nil {
		panic(fmt.Errorf("a condition %s: %w", p, ErrUnsupported))
	}
	c, value := t.term(p)
	var values []any
	switch p := p.(type) {
	case iceberg.BoundSetPredicate:
		for _, l := range p.Literals().Members() {
			values = append(values, value(l))
		}
	case iceberg.BoundLiteralPredicate:
		values = []any{value(p.Literal())}
	}
	return become(c, values)
}

// term returns the column that a condition is on, or its transform, and what makes values of literals.
func (t translation) term(p iceberg.BoundPredicate) (c filter.Column, value func(iceberg.Literal) any) {
	term := p.Term()
	path, err := t.b.filterPath(term.Ref().Field().ID)
	if err != nil {
		panic(err)
	}
	c, value = filter.Col(path), func(l iceberg.Literal) any { return t.value(term, l) }
	transform := transformOf(p)
	_, isExtract := term.(iceberg.BoundExtract)
	_, isText := term.Type().(iceberg.StringType)
	switch transform := transform.(type) {
	case nil, iceberg.IdentityTransform:
		if !isExtract {
			return c, value
		}
	case iceberg.TruncateTransform:
		if isText {
			return c.Call("left", transform.Width), value
		}
	case iceberg.YearTransform, iceberg.MonthTransform, iceberg.DayTransform, iceberg.HourTransform:
		unit := transform.String()
		return c.Call("date_trunc", unit), func(l iceberg.Literal) any { return begin(unit, l) }
	}
	panic(fmt.Errorf("a condition on %s: %w", term, ErrUnsupported))
}

// transformOf returns the transform of a column that a condition is on, nil if it is on the column itself.
func transformOf(p iceberg.BoundPredicate) iceberg.Transform {
	var unbound iceberg.UnboundPredicate
	switch p := p.(type) {
	case iceberg.BoundUnaryPredicate:
		unbound = p.AsUnbound("")
	case iceberg.BoundSetPredicate:
		unbound = p.AsUnbound("", p.Literals().Members())
	case iceberg.BoundLiteralPredicate:
		unbound = p.AsUnbound("", p.Literal())
	}
	if u, ok := unbound.Term().(*iceberg.UnboundTransform); ok {
		return u.Transform()
	}
	return nil
}

// begin returns when a unit begins, which transforms count from 1970 on.
func begin(unit string, l iceberg.Literal) time.Time {
	at := map[string]int{"year": 1970, "month": 1, "day": 1, "hour": 0}
	at[unit] += int(reflect.ValueOf(l.Any()).Int())
	return time.Date(at["year"], time.Month(at["month"]), at["day"], at["hour"], 0, 0, 0, time.UTC)
}

// value returns a literal for the values of a term.
func (t translation) value(term iceberg.BoundTerm, l iceberg.Literal) vector.Scalar {
	kind, err := leafType(term.Type())
	if err == nil {
		var s vector.Scalar
		if s, err = scalarOf(kind, term.Type(), l.Any()); err == nil {
			return s
		}
	}
	panic(fmt.Errorf("a condition on %s: %w", term.Ref().Field().Name, err))
}
