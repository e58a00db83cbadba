package tree

// Expr is what a filter.Expr is made of. Pointers to the two convert into each other: so package
// compile reads a condition that hosts cannot see.
type Expr struct{ condition *Condition }

// NewExpr returns the expression of a condition.
func NewExpr(c *Condition) *Expr { return &Expr{c} }

// Condition returns the condition, which is TRUE for a nil and for a zero Expr.
func (e *Expr) Condition() *Condition {
	if e == nil || e.condition == nil {
		return NewConstant(true, -1)
	}
	return e.condition
}
