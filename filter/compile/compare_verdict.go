package compile

import (
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// pair is a comparison of two columns that bounds can decide: their values have
// keys of one kind.
type pair struct {
	left, right             *schema.Node
	leftDomain, rightDomain *value.Domain
	cmp                     value.Comparison
	when                    passWhen
}

// pairOf returns the pair of two sources, nil where bounds cannot decide it.
func pairOf(l, r *source, cmp value.Comparison, w passWhen) *pair {
	for _, s := range []*source{l, r} {
		if s.constant != nil || s.Key != nil || s.Length || s.base != nil {
			return nil
		}
	}
	if l.domain.Kind != r.domain.Kind || l.domain.Kind != value.OfFloats && l.domain.Kind != value.OfBytes && !value.SameUnits(l.domain.Type, r.domain.Type) {
		return nil
	}
	return &pair{l.leaf, r.leaf, l.domain, r.domain, cmp, w}
}

// Verdict returns what bounds on the columns prove about the rows that the bounds
// cover, which must be the same for all columns. It is Some for all but comparisons
// of two columns of like types. bounds may return nil for a leaf without bounds.
func (c *Compute) Verdict(bounds func(leaf *schema.Node) *Bounds) Verdict {
	p := c.pair
	if p == nil {
		return Some
	}
	x, y := bounds(p.left), bounds(p.right)
	if x == nil || y == nil {
		return Some
	}
	mayPass, mayFail := false, false // whether a row may pass, and may fail
	rowsMay := func(pass bool) {
		mayPass, mayFail = mayPass || pass, mayFail || !pass
	}
	nulls := func(leaf *schema.Node, b *Bounds) int64 {
		if leaf.MaxDef == 0 {
			return 0
		}
		return b.Nulls
	}
	xNulls, yNulls := nulls(p.left, x), nulls(p.right, y)
	if xNulls != 0 || yNulls != 0 {
		rowsMay(p.when.passesNull())
	}
	if xNulls >= 0 && xNulls == x.Slots || yNulls >= 0 && yNulls == y.Slots {
		return verdictOf(mayPass, mayFail)
	}
	if p.leftDomain.HasNaN() && (x.NaNs != 0 || y.NaNs != 0) {
		rowsMay((p.cmp == value.Ne) == p.when.passesTrue())
	}
	var xBuf, yBuf [64]byte
	xs, xSure, _ := boundsOf(p.leftDomain, x, &xBuf)
	ys, ySure, _ := boundsOf(p.rightDomain, y, &yBuf)
	less, more := xs.MayBeLess(&ys), ys.MayBeLess(&xs)
	equal := xs.MayReach(&ys) && ys.MayReach(&xs)
	sure := xSure && ySure
	for order, possible := range []bool{less, equal, more} {
		pass := p.cmp.Holds(order-1) == p.when.passesTrue()
		if possible && pass {
			mayPass = true
		}
		if (possible || !sure) && !pass {
			mayFail = true
		}
	}
	return verdictOf(mayPass, mayFail)
}
