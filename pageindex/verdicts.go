package pageindex

import (
	"slices"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/compile"
)

// judgeByStatistics evaluates a test, or a comparison of columns, by the statistics
// of its chunks.
func (s *state) judgeByStatistics(j *Judge, n *compile.Node, _ vector.Ranges) {
	verdict := compile.Some
	if n.Op == compile.OpTest {
		if s.leaf = j.leaf(n.Test.Leaf); s.leaf != nil {
			verdict = n.Test.Verdict(&s.leaf.bounds.Bounds)
		}
	} else {
		verdict = n.Compute.Verdict(func(node *schema.Node) *compile.Bounds {
			l := j.leaf(node)
			if l == nil {
				return nil
			}
			if !slices.Contains(s.leaves, l) {
				s.leaves = append(s.leaves, l)
			}
			return &l.bounds.Bounds
		})
	}
	switch verdict {
	case compile.None:
		s.none = j.allRows
	case compile.All:
		s.all = j.allRows
	}
}

// judgeByPages evaluates a test, or a comparison of columns, page by page.
func (s *state) judgeByPages(j *Judge, n *compile.Node, open vector.Ranges) {
	var v *verdicts
	switch one := slices.IndexFunc(s.leaves, func(l *leaf) bool { return l.pages != nil }); {
	case n.Op == compile.OpTest && s.leaf != nil && s.leaf.pages != nil:
		v = newTestVerdicts(s.leaf.pages, n.Test)
	case one >= 0:
		v = newComputeVerdicts(n.Compute, s.leaves, s.leaves[one])
	default:
		return
	}
	v.stopped = j.stopped
	v.judgePages(open)
	s.none, s.all = s.none.Or(v.none), s.all.Or(v.all)
}

// verdicts evaluates one test or comparison on the pages of a leaf, and collects
// the rows that are decided.
type verdicts struct {
	*pages
	verdict   func(from, to int) compile.Verdict // on a run of pages, by their common bounds
	refine    func(page int)                     // judges the parts of a page that pages of other columns divide it into; nil if none do
	stopped   func(pages int) bool               // Judge.stopped
	none, all vector.Ranges                      // rows proven not to pass, and to pass
}

// newTestVerdicts evaluates a test by the pages of its leaf.
func newTestVerdicts(p *pages, t *compile.Test) *verdicts {
	v := &verdicts{pages: p}
	counts := t.Pred.Kind == pred.Null
	v.verdict = func(from, to int) compile.Verdict {
		b := p.block(from, to, counts)
		return t.Verdict(&b)
	}
	return v
}

// newComputeVerdicts evaluates a comparison or a calculation by the pages of one column, and the
// pages of the others that hold the same rows, or the others' chunk bounds if they have no page index.
func newComputeVerdicts(c *compile.Compute, leaves []*leaf, one *leaf) *verdicts {
	v := &verdicts{pages: one.pages}
	all := make([]compile.Bounds, len(leaves))
	bounds := func(node *schema.Node) *compile.Bounds {
		i := slices.IndexFunc(leaves, func(l *leaf) bool { return l.node == node })
		if i < 0 {
			return nil // it has no chunk
		}
		return &all[i]
	}
	// judge returns the verdict on rows, and the end of the first page of any column among them.
	judge := func(first, last int64) (verdict compile.Verdict, end int64) {
		end = last
		for i, l := range leaves {
			all[i] = l.bounds.Bounds
			if p := l.pages; p != nil {
				from := PageOf(p.offsets.Pages, first)
				all[i] = p.block(from, PageOf(p.offsets.Pages, last-1)+1, false)
				_, firstEnd := p.span(from, from+1)
				end = min(end, firstEnd)
			}
		}
		return c.Verdict(bounds), end
	}
	v.verdict = func(from, to int) compile.Verdict {
		verdict, _ := judge(one.pages.span(from, to))
		return verdict
	}
	if !slices.ContainsFunc(leaves, func(l *leaf) bool { return l != one && l.pages != nil }) {
		return v
	}
	v.refine = func(page int) {
		first, last := one.pages.span(page, page+1)
		for first < last && !v.stopped(1) {
			_, end := judge(first, last)
			verdict, _ := judge(first, end)
			v.record(verdict, first, end)
			first = end
		}
	}
	return v
}

// record adds the rows [first, last) to none or all. It reports whether the verdict
// decided them.
func (v *verdicts) record(verdict compile.Verdict, first, last int64) bool {
	switch verdict {
	case compile.None:
		v.none = v.none.Append(first, last)
	case compile.All:
		v.all = v.all.Append(first, last)
	}
	return verdict != compile.Some
}

// judgePages evaluates the pages that have open rows, each once.
func (v *verdicts) judgePages(open vector.Ranges) {
	judged := 0
	for _, r := range open {
		from, to := max(PageOf(v.offsets.Pages, r.From), judged), PageOf(v.offsets.Pages, r.To-1)+1
		if from < to {
			v.split(from, to)
			judged = to
		}
	}
}

// fanOut is how many blocks split divides a run of pages into.
const fanOut = 16

// split evaluates pages in blocks, by the common bounds of each block, and splits
// the blocks that these do not decide:
//
//	x > 50, with bounds   0-9 5-19 │ 20-80 60-99 │ 90-95 91-99
//	as blocks             0-19     │ 20-99       │ 90-99
//	verdicts              none     │ split: │ all
//	                               │ some,  │
//	                               │ all    │
//
// Where values are clustered, sorted or not, few blocks are split. The boundary
// order that the index claims is not used.
func (v *verdicts) split(from, to int) {
	step := (to - from + fanOut - 1) / fanOut
	for ; from < to; from += step {
		end := min(from+step, to)
		if v.stopped(end - from) {
			return
		}
		first, last := v.span(from, end)
		switch {
		case v.record(v.verdict(from, end), first, last):
		case end-from > 1:
			v.split(from, end)
		case v.refine != nil:
			v.refine(from)
		}
	}
}
