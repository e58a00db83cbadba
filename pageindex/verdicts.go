package pageindex

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
)

// byStatistics judges a test, or a comparison of columns, by its chunks as a
// whole.
func (s *state) byStatistics(j *Judge, n *filter.Node, _ vector.Ranges) {
	verdict := filter.Some
	if n.Op == filter.OpTest {
		if s.leaf = j.leaf(n.Test.Leaf); s.leaf != nil {
			verdict = n.Test.Verdict(&s.leaf.bounds)
		}
	} else {
		verdict = n.Compute.Verdict(func(node *schema.Node) *filter.Bounds {
			l := j.leaf(node)
			switch {
			case l == nil:
				return nil
			case s.leaf == nil:
				s.leaf = l
			default:
				s.other = l
			}
			return &l.bounds
		})
	}
	switch verdict {
	case filter.None:
		s.none = j.whole
	case filter.All:
		s.all = j.whole
	}
}

// byPages judges a test, or a comparison of columns, page by page.
func (s *state) byPages(j *Judge, n *filter.Node, open vector.Ranges) {
	var v *verdicts
	switch {
	case s.leaf == nil:
		return
	case n.Op == filter.OpTest && s.leaf.pages != nil:
		v = ofTest(s.leaf.pages, n.Test)
	case n.Op == filter.OpCompute && s.other != nil && s.leaf.pages != nil:
		v = ofPair(n.Compute, s.leaf, s.other)
	case n.Op == filter.OpCompute && s.other != nil && s.other.pages != nil:
		v = ofPair(n.Compute, s.other, s.leaf)
	default:
		return
	}
	v.over = j.over
	v.judge(open)
	s.none, s.all = s.none.Or(v.none), s.all.Or(v.all)
}

// verdicts is the work of judging pages.
type verdicts struct {
	*pages
	verdict   func(from, to int) filter.Verdict // of some pages together
	refine    func(page int)                    // judges parts of a page; nil if there are none
	over      func(pages int) bool              // counts those that were judged
	none, all vector.Ranges                     // rows so judged
}

func ofTest(p *pages, t *filter.Test) *verdicts {
	v := &verdicts{pages: p}
	counts := t.Pred.Kind == pred.Null
	v.verdict = func(from, to int) filter.Verdict {
		b := p.block(from, to, counts)
		return t.Verdict(&b)
	}
	return v
}

// ofPair judges a comparison by the pages of one column, and by as much of the
// other's as lies beside them.
func ofPair(c *filter.Compute, one, other *leaf) *verdicts {
	v := &verdicts{pages: one.pages}
	p, q := one.pages, other.pages
	x, y := one.bounds, other.bounds
	bounds := func(node *schema.Node) *filter.Bounds {
		if node == one.node {
			return &x
		}
		return &y
	}
	v.verdict = func(from, to int) filter.Verdict {
		x = p.block(from, to, false)
		if q != nil {
			first, last := p.span(from, to)
			y = q.block(PageOf(q.offsets, first), PageOf(q.offsets, last-1)+1, false)
		}
		return c.Verdict(bounds)
	}
	if q == nil || q == p {
		return v
	}
	v.refine = func(page int) {
		x = p.block(page, page+1, false)
		first, last := p.span(page, page+1)
		for i := PageOf(q.offsets, first); first < last && !v.over(1); i++ {
			y = q.block(i, i+1, false)
			_, end := q.span(i, i+1)
			end = min(end, last)
			v.settle(c.Verdict(bounds), first, end)
			first = end
		}
	}
	return v
}

// settle notes a verdict on rows. It reports whether it says anything.
func (v *verdicts) settle(verdict filter.Verdict, first, last int64) bool {
	switch verdict {
	case filter.None:
		v.none = v.none.Append(first, last)
	case filter.All:
		v.all = v.all.Append(first, last)
	}
	return verdict != filter.Some
}

// judge judges the pages that have open rows.
func (v *verdicts) judge(open vector.Ranges) {
	done := 0
	for _, r := range open {
		from, to := max(PageOf(v.offsets, r.From), done), PageOf(v.offsets, r.To-1)+1
		if from < to {
			v.cut(from, to)
			done = to
		}
	}
}

// fan is in how many blocks a block of pages is cut.
const fan = 16

// cut judges pages in blocks, and cuts those blocks of which the bounds of all
// their pages prove nothing:
//
//	x > 50, with bounds   0-9 5-19 │ 20-80 60-99 │ 90-95 91-99
//	as blocks             0-19     │ 20-99       │ 90-99
//	verdicts              none     │ cut: some,  │ all
//	                               │ all         │
//
// Where pages are clustered, sorted or not, few of them are judged. That a
// writer calls them sorted is of no matter.
func (v *verdicts) cut(from, to int) {
	step := (to - from + fan - 1) / fan
	for ; from < to; from += step {
		end := min(from+step, to)
		if v.over(end - from) {
			return
		}
		first, last := v.span(from, end)
		switch {
		case v.settle(v.verdict(from, end), first, last):
		case end-from > 1:
			v.cut(from, end)
		case v.refine != nil:
			v.refine(from)
		}
	}
}
