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
	if err != nil {
		panic(err)
	}
	switch bound := bound.(type) {
	case iceberg.AlwaysTrue:
		return t.VisitTrue()
	case iceberg.AlwaysFalse:
		return t.VisitFalse()
	case iceberg.BoundPredicate:
		return t.VisitBound(bound)
	}
	panic(fmt.Errorf("a condition %s: %w", bound, ErrUnsupported))
}

func (t translation) VisitBound(p iceberg.BoundPredicate) *filter.Expr {
	return iceberg.VisitBoundPredicate[*filter.Expr](p, t)
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

func (t translation) VisitIn(term iceberg.BoundTerm, set iceberg.Set[iceberg.Literal]) *filter.Expr {
	return filter.In(t.column(term), t.values(term, set))
}

// VisitNotIn keeps NULL, as the readers of iceberg-go and pyiceberg do.
func (t translation) VisitNotIn(term iceberg.BoundTerm, set iceberg.Set[iceberg.Literal]) *filter.Expr {
	c := t.column(term)
	return filter.Or(c.IsNull(), filter.Not(filter.In(c, t.values(term, set))))
}

// VisitIsNan uses that only NaN differs from itself.
func (t translation) VisitIsNan(term iceberg.BoundTerm) *filter.Expr {
	c := t.column(term)
	return c.Ne(c)
}

// VisitNotNan keeps NULL, as iceberg-go's reader and Iceberg's Java do.
func (t translation) VisitNotNan(term iceberg.BoundTerm) *filter.Expr {
	c := t.column(term)
	return filter.Or(c.IsNull(), c.Eq(c))
}

func (t translation) VisitIsNull(term iceberg.BoundTerm) *filter.Expr {
	return t.column(term).IsNull()
}

func (t translation) VisitNotNull(term iceberg.BoundTerm) *filter.Expr {
	return t.column(term).IsNotNull()
}

func (t translation) VisitEqual(term iceberg.BoundTerm, l iceberg.Literal) *filter.Expr {
	return t.column(term).Eq(t.value(term, l))
}

func (t translation) VisitNotEqual(term iceberg.BoundTerm, l iceberg.Literal) *filter.Expr {
	return t.column(term).Ne(t.value(term, l))
}

func (t translation) VisitGreaterEqual(term iceberg.BoundTerm, l iceberg.Literal) *filter.Expr {
	return t.column(term).Ge(t.value(term, l))
}

func (t translation) VisitGreater(term iceberg.BoundTerm, l iceberg.Literal) *filter.Expr {
	return t.column(term).Gt(t.value(term, l))
}

func (t translation) VisitLessEqual(term iceberg.BoundTerm, l iceberg.Literal) *filter.Expr {
	return t.column(term).Le(t.value(term, l))
}

func (t translation) VisitLess(term iceberg.BoundTerm, l iceberg.Literal) *filter.Expr {
	return t.column(term).Lt(t.value(term, l))
}

func (t translation) VisitStartsWith(term iceberg.BoundTerm, l iceberg.Literal) *filter.Expr {
	return t.column(term).Prefix(textOf(l))
}

func (t translation) VisitNotStartsWith(term iceberg.BoundTerm, l iceberg.Literal) *filter.Expr {
	return filter.Not(t.column(term).Prefix(textOf(l)))
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
