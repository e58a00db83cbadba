package compile

import (
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/tree"
)

// Excludes reports whether constants alone prove that no row of a file passes e.
// Conditions on other columns are taken as undecided, so that the file need not be
// opened. An error is one that Bind would return too.
func Excludes(e *filter.Expr, constants filter.Constants) (bool, error) {
	b := &binder{constants: constants, constantsOnly: true}
	n := b.compile(treeOf(e), isTrue)
	if b.err != nil {
		return false, b.err
	}
	return b.simplify(n).Op == OpFalse, nil
}

// isConstant reports whether all operands of e are literals and constants. e must
// not contain other conditions.
func (b *binder) isConstant(e *tree.Condition) bool {
	if e.Op == tree.Func {
		return false
	}
	other := func(o tree.Operand) bool { return !b.constantOperand(&o) }
	return !slices.ContainsFunc(e.Right, other) && !other(e.Left)
}

func (b *binder) constantOperand(o *tree.Operand) bool {
	if slices.ContainsFunc(o.Steps, func(s tree.Step) bool { return s.By != nil && !b.constantOperand(s.By) }) {
		return false
	}
	_, ok := b.constants[schema.FormatPath(o.Path)]
	return o.Literal != nil && (o.Beside == nil || b.constantOperand(o.Beside)) || ok && o.Quantifier == tree.NoQuantifier && o.Key == nil && o.Items == nil && !o.Length
}
