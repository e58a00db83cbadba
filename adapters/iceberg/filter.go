//every:condition iceberg but Constant BooleanColumn Between Like Match Suffix Contains Func Keys (Iceberg has none; AND and OR of nothing)
package icebergscan

import (
	"fmt"

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

// comparisons are the operations that compare a column with one literal.
var comparisons = map[iceberg.Operation]func(filter.Column, any) *filter.Expr{
	iceberg.OpEQ: filter.Column.Eq, iceberg.OpNEQ: filter.Column.Ne,
	iceberg.OpLT: filter.Column.Lt, iceberg.OpLTEQ: filter.Column.Le,
	iceberg.OpGT: filter.Column.Gt, iceberg.OpGTEQ: filter.Column.Ge,
}

func (t translation) VisitBound(p iceberg.BoundPredicate) *filter.Expr {
	c := t.column(p.Term())
	switch p.Op() {
	case iceberg.OpIsNull:
		return c.IsNull()
	case iceberg.OpNotNull:
		return c.IsNotNull()
	case iceberg.OpIsNan: // only NaN differs from itself
		return c.Ne(c)
	case iceberg.OpNotNan: // keeps NULL, as iceberg-go's reader and Iceberg's Java do
		return filter.Or(c.IsNull(), c.Eq(c))
	}
	switch p := p.(type) {
	case iceberg.BoundSetPredicate:
		in := filter.In(c, t.values(p.Term(), p.Literals()))
		if p.Op() == iceberg.OpIn {
			return in
		}
		return filter.Or(c.IsNull(), filter.Not(in)) // keeps NULL, as the readers of iceberg-go and pyiceberg do
	case iceberg.BoundLiteralPredicate:
		if compare := comparisons[p.Op()]; compare != nil {
			return compare(c, t.value(p.Term(), p.Literal()))
		}
		switch p.Op() {
		case iceberg.OpStartsWith:
			return c.Prefix(textOf(p.Literal()))
		case iceberg.OpNotStartsWith:
			return filter.Not(c.Prefix(textOf(p.Literal())))
		}
	}
	panic(fmt.Errorf("a condition %s: %w", p, ErrUnsupported))
}

// column returns the column of a term.
func (t translation) column(term iceberg.BoundTerm) filter.Column {
	ref, ok := term.(iceberg.BoundReference)
	if _, extract := term.(iceberg.BoundExtract); !ok || extract {
		panic(fmt.Errorf("a condition on %s: %w", term, ErrUnsupported))
	}
	path, err := t.b.filterPath(ref.Field().ID)
	if err != nil {
		panic(err)
	}
	return filter.Col(path)
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

func (t translation) values(term iceberg.BoundTerm, set iceberg.Set[iceberg.Literal]) []vector.Scalar {
	var out []vector.Scalar
	for _, l := range set.Members() {
		out = append(out, t.value(term, l))
	}
	return out
}

func textOf(l iceberg.Literal) string {
	switch v := l.Any().(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	panic(fmt.Errorf("%s is no prefix: %w", l, ErrUnsupported))
}
