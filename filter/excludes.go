package filter

import "github.com/winnow-scan/winnow/column/schema"

// Excludes reports whether constants alone prove that no row of a file passes e.
// Conditions on other columns are taken as undecided, so that the file need not be
// opened. An error is one that Bind would return too.
func Excludes(e *Expr, constants Constants) (bool, error) {
	b := &binder{constants: constants, constantsOnly: true}
	n := b.compile(e, isTrue)
	if b.err != nil {
		return false, b.err
	}
	return b.simplify(n).Op == OpFalse, nil
}

// isConstant reports whether all operands of e are literals and constants. e must
// not contain other conditions.
func (b *binder) isConstant(e *Expr) bool {
	if e.op == opFunc {
		return false
	}
	is := func(o *operand) bool {
		_, ok := b.constants[schema.FormatPath(o.path)]
		return o.lit != nil || ok && o.quant == noQuantifier && o.key == nil && !o.length
	}
	for i := range e.right {
		if !is(&e.right[i]) {
			return false
		}
	}
	return is(&e.left)
}
