package filter

import "github.com/winnow-scan/winnow/column/schema"

// Excludes reports whether no row of a file can pass e, given columns that have
// the same value in all of its rows, as those have that its path tells. What e
// asks of other columns is left open: nothing of the file need be known. An
// error is one that Bind would return too.
func Excludes(e *Expr, constants Constants) (bool, error) {
	b := &binder{constants: constants, constantsOnly: true}
	n := b.compile(e, isTrue)
	if b.err != nil {
		return false, b.err
	}
	return b.simplify(n).Op == OpFalse, nil
}

// isConstant reports whether e, a condition without conditions in it, is about
// literals and constants only.
func (b *binder) isConstant(e *Expr) bool {
	if e.op == opFunc {
		return false
	}
	is := func(o *operand) bool {
		_, ok := b.constants[schema.FormatPath(o.path)]
		return o.lit != nil || ok && o.quant == noQuantifier && o.key == nil && !o.size
	}
	for i := range e.right {
		if !is(&e.right[i]) {
			return false
		}
	}
	return is(&e.left)
}
