package compile

import (
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/calculate"
	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// Verdict returns what bounds on the columns prove about the rows that the bounds
// cover, which must be the same for all columns. It is Some for all but comparisons of
// columns, and of what is calculated from them. bounds may return nil for a leaf without bounds.
func (c *Compute) Verdict(bounds func(leaf *schema.Node) *Bounds) Verdict {
	if c.judge == nil {
		return Some
	}
	return c.judge(bounds)
}

// verdict compares rows that have the least or the greatest values of all columns, one for each
// combination. If x is less than y in all of them, it is so between them:
//
//	a + b < c    a in [1, 2], b in [3, 4], c in [9, 10]    1 + 3 < 9, 2 + 3 < 9, …, 2 + 4 < 10
func (c *comparison) verdict(bounds func(leaf *schema.Node) *Bounds) Verdict {
	var out doubt
	var beyond [2]bool // of two plain columns, whether values beyond the known ends may be less, and more
	vectors := make([]*vector.Vector, len(c.inputs))
	corners, sure, known := 1<<len(c.inputs), true, c.x.Linear() && c.y.Linear() && 0 < len(c.inputs) && len(c.inputs) <= 6 // 64 rows
	for n, in := range c.inputs {
		var b *Bounds
		if in.leaf != nil {
			b = bounds(in.leaf)
		}
		if b == nil {
			b = &Bounds{Slots: Unknown, Nulls: Unknown, NaNs: Unknown}
		}
		if nulls := b.Nulls; in.leaf == nil || in.leaf.MaxDef > 0 && nulls != 0 {
			if out.add(c.when.passesNull()); nulls > 0 && nulls == b.Slots {
				return out.verdict() // all are NULL; so it is whatever the others may be
			}
		}
		if in.domain.HasNaN() && b.NaNs != 0 {
			out.add((c.is == value.Ne) == c.when.passesTrue())
		}
		var buf [64]byte
		s, isSure, _ := boundsOf(in.domain, b, &buf)
		sure = sure && isSure
		if known = known && (s.HasLo && s.HasHi || c.plain && (s.HasLo || s.HasHi)); !known {
			continue
		}
		lo, hi := b.Min, b.Max
		if !s.HasLo {
			lo, beyond[n] = hi, true
		} else if !s.HasHi {
			hi, beyond[1-n] = lo, true
		}
		v := &vector.Vector{}
		build.Reset(v, in.domain.Type)
		for i := range corners {
			plain := lo
			if i>>n&1 != 0 {
				plain = hi
			}
			if one, err := vector.PlainOf(in.domain.Type, plain); err == nil {
				end := one.Vector(1)
				end.Flatten()
				build.AppendSlots(v, end, 0, 1)
			}
		}
		known, vectors[n] = v.Len == corners, function.NewResults().Of(in.wider, v, []uint64{^uint64(0)})
		known = known && len(vectors[n].Validity) == 0
	}
	if !known {
		return Some
	}
	if c.swapped {
		beyond[0], beyond[1] = beyond[1], beyond[0]
	}
	m := &calculate.Memory{Vectors: vectors, Ends: true}
	smaller, equal, _ := calculate.Order(c.x, c.y, m, corners)
	below, same := bits.Count(smaller, 0, corners), bits.Count(equal, 0, corners)
	greater, _, _ := calculate.Order(c.y, c.x, m, corners)
	above := bits.Count(greater, 0, corners)
	if below+same+above != corners {
		return Some // NaN, which infinities make
	}
	less, more := below > 0 || beyond[0], above > 0 || beyond[1]
	for order, possible := range [...]bool{less, same > 0 || less && more, more} {
		pass := c.is.Holds(order-1) == c.when.passesTrue()
		if possible || !sure && !pass {
			out.add(pass)
		}
	}
	return out.verdict()
}
