package compile

import (
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// WithTypes returns e for a file in which columns, given by their paths, have narrower types than in the table of
// e: 0.1 is the DOUBLE then, not the FLOAT, and CAST(x AS VARCHAR) has the digits of the table's DECIMAL.
func WithTypes(e *filter.Expr, types map[string]vector.Type) *filter.Expr {
	if len(types) == 0 {
		return e
	}
	return (*filter.Expr)(tree.NewExpr(withTypes(treeOf(e), types)))
}

func withTypes(c *tree.Condition, types map[string]vector.Type) *tree.Condition {
	out := *c
	isCompared := (c.Op == tree.Compare || c.Op == tree.Between || c.Op == tree.In) && !slices.ContainsFunc(c.Right, func(o tree.Operand) bool { return o.Literal == nil })
	out.Left = typed(c.Left, types, isCompared)
	out.Args, out.Right = slices.Clone(c.Args), slices.Clone(c.Right)
	for i, arg := range c.Args {
		out.Args[i] = withTypes(arg, types)
	}
	for i, o := range c.Right {
		out.Right[i] = typed(o, types, c.Left.Literal != nil)
	}
	return &out
}

// typed returns an operand whose column is cast, where its values get a text, or as DOUBLE are compared with literals
// or calculated with.
func typed(o tree.Operand, types map[string]vector.Type, isCompared bool) tree.Operand {
	o.Steps = slices.Clone(o.Steps)
	for i := range o.Steps {
		if by := o.Steps[i].By; by != nil {
			cast := typed(*by, types, false)
			o.Steps[i].By = &cast
		}
	}
	t, ok := types[schema.FormatPath(o.Path)]
	isText := slices.ContainsFunc(o.Steps, func(s tree.Step) bool { return s.Op == tree.Cast && s.To.Name == value.ToText })
	isRounded := t.Physical == vector.Double && (isCompared || len(o.Steps) > 0)
	if !ok || o.Literal != nil || o.Items != nil || o.Key != nil || o.Length || !isText && !isRounded {
		return o
	}
	to := value.Target{Name: value.ToDouble}
	switch t.Logical {
	case vector.Decimal:
		to = value.Target{Name: value.ToDecimal, Precision: int(t.Precision), Scale: int(t.Scale)}
	case vector.Timestamp:
		to.Name = value.ToTimestamp
	}
	o.Steps = append([]tree.Step{{Op: tree.Cast, To: to, At: o.At}}, o.Steps...)
	return o
}
