package compile

import "github.com/winnow-scan/winnow/filter"

// Excludes reports whether constants alone prove that no row of a file passes e.
// Conditions on other columns are taken as undecided, so that the file need not be
// opened. An error is one that Bind would return too.
func Excludes(e *filter.Expr, constants filter.Constants) (bool, error) {
	b := &binder{constants: constants}
	n := b.compile(treeOf(e), isTrue)
	if b.err != nil {
		return false, b.err
	}
	return b.simplify(n).Op == OpFalse, nil
}

// isOpen reports whether a condition failed because it is on a column whose file is not known. It
// drops the error: the condition may be TRUE or not.
func (b *binder) isOpen() bool {
	if b.schema != nil || b.err == nil || b.err.Err == nil {
		return false
	}
	b.err = nil
	return true
}
