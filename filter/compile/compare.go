package compile

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// compileComparison compiles a comparison of two columns.
func (b *binder) compileComparison(e *tree.Condition, w passWhen) *Node {
	l, ok := b.findScalar(e.Left)
	if !ok {
		return &Node{}
	}
	second := e.Right[0]
	second.Quoted = true // if there is no such column, a string is meant
	r, ok := b.findScalar(second)
	switch {
	case !ok:
		return &Node{}
	case l.Quantifier != tree.NoQuantifier || r.Quantifier != tree.NoQuantifier:
		return b.fail(e.At, "the items of a list can be compared with values only")
	case l.chain != nil || r.chain != nil:
		return b.fail(e.At, "arithmetic is compared with literals only, not with a column; so are year, date_trunc, epoch, abs, floor, ceil, sign and round")
	case l.domain.Kind == value.OfUnknown || r.domain.Kind == value.OfUnknown:
		return constantNode(w.passesNull())
	case value.FamilyOf(l.domain) != value.FamilyOf(r.domain):
		return b.fail(e.At, "cannot compare "+l.describe()+", which is "+l.domain.Type.String()+", with "+r.describe()+", which is "+r.domain.Type.String())
	case e.Comparison != value.Eq && e.Comparison != value.Ne && !(l.domain.Ordered() && r.domain.Ordered()):
		return b.fail(e.At, l.describe()+" and "+r.describe()+" have no order: they are "+l.domain.Type.String()+" and "+r.domain.Type.String())
	}
	c := &Compute{text: w.textOf(e), pair: pairOf(&l, &r, e.Comparison, w)}
	left, ok := b.bindResult(c, &l)
	if !ok {
		return &Node{}
	}
	right, ok := b.bindResult(c, &r)
	if !ok {
		return &Node{}
	}
	order := value.Comparer(l.domain, r.domain)
	return c.node(func(columns []*vector.Vector, n int, sel []uint64) {
		x, y := left(columns, n, sel), right(columns, n, sel)
		for i := bits.Next(sel, 0, n); i < n; i = bits.Next(sel, i+1, n) {
			pass := w.passesNull()
			if !x.IsNull(i) && !y.IsNull(i) {
				o, isNaN := order(x, y, i)
				pass = (isNaN && e.Comparison == value.Ne || !isNaN && e.Comparison.Holds(o)) == w.passesTrue()
			}
			if !pass {
				bits.Clear(sel, i)
			}
		}
	})
}
