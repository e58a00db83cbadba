package filter

import "github.com/winnow-scan/winnow/column/schema"

// pair is two columns that are compared and whose values have keys of one kind.
type pair struct {
	left, right     *schema.Node
	leftOf, rightOf *domain
	cmp             comparison
	want            want
}

// pairOf returns the pair of two sources, nil where bounds tell nothing.
func pairOf(l, r *source, cmp comparison, w want) *pair {
	for _, s := range []*source{l, r} {
		if s.constant != nil || s.key != nil || s.size {
			return nil
		}
	}
	if l.of.kind != r.of.kind || l.of.kind != ofFloats && l.of.kind != ofBytes && !sameUnits(l.of.typ, r.of.typ) {
		return nil
	}
	return &pair{l.leaf, r.leaf, l.of, r.of, cmp, w}
}

// Verdict returns what bounds on its columns, of the same rows, prove: for a
// comparison of two columns of like types, nothing for all others. bounds may
// return nil for a leaf of which nothing is known.
func (c *Compute) Verdict(bounds func(leaf *schema.Node) *Bounds) Verdict {
	p := c.pair
	if p == nil {
		return Some
	}
	x, y := bounds(p.left), bounds(p.right)
	if x == nil || y == nil {
		return Some
	}
	some, rest := false, false // whether a row may pass, may not pass
	rows := func(pass bool) {
		some, rest = some || pass, rest || !pass
	}
	nulls := func(leaf *schema.Node, b *Bounds) int64 {
		if leaf.MaxDef == 0 {
			return 0
		}
		return b.Nulls
	}
	xNulls, yNulls := nulls(p.left, x), nulls(p.right, y)
	if xNulls != 0 || yNulls != 0 {
		rows(p.want.null())
	}
	if xNulls >= 0 && xNulls == x.Slots || yNulls >= 0 && yNulls == y.Slots {
		return verdictOf(some, rest)
	}
	if p.leftOf.hasNaN() && (x.NaNs != 0 || y.NaNs != 0) {
		rows((p.cmp == ne) == p.want.truth())
	}
	var xRoom, yRoom [64]byte
	xs, xSure, _ := p.leftOf.bounds(x, &xRoom)
	ys, ySure, _ := p.rightOf.bounds(y, &yRoom)
	less, more := xs.mayBeLess(&ys), ys.mayBeLess(&xs)
	equal := xs.mayReach(&ys) && ys.mayReach(&xs)
	sure := xSure && ySure
	for order, possible := range []bool{less, equal, more} {
		pass := p.cmp.holds(order-1) == p.want.truth()
		if possible && pass {
			some = true
		}
		if (possible || !sure) && !pass {
			rest = true
		}
	}
	return verdictOf(some, rest)
}

// mayBeLess reports whether a value of s may be less than one of o, whose end
// stands right behind its greatest.
func (s *stretch) mayBeLess(o *stretch) bool {
	return !s.hasLo || !o.hasHi || string(s.lo) < string(o.hi[:len(o.hi)-1])
}

// mayReach reports whether s begins in front of o's end.
func (s *stretch) mayReach(o *stretch) bool {
	return !s.hasLo || !o.hasHi || string(s.lo) < string(o.hi)
}
