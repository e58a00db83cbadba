package scanner

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner/internal/rowfilter"
)

// judge drops the wanted rows that metadata rule out, and points the leaves to their chunks.
// No page is read.
func (r *unitRun) judge() error {
	s, at := r.scan, &r.unit
	if s.opts.Stats != nil {
		r.skipped[Unwanted] = vector.All(r.numRows()).AndNot(r.wanted)
	}
	if at.split != nil {
		for _, l := range s.leaves {
			if pages := at.split.offsets[l.node]; pages != nil {
				r.setPages(l, pages)
			}
		}
	}
	if s.filter != nil {
		if err := r.narrowByMetadata(); err != nil {
			return err
		}
	}
	if len(r.wanted) > 0 || s.opts.Stats != nil {
		return r.bindChunks()
	}
	return nil
}

// narrowByMetadata drops the wanted rows that metadata rule out. Proofs that a plan has are taken
// from it.
func (r *unitRun) narrowByMetadata() error {
	plan, planned := r.plan()
	if planned {
		r.narrowToPlan(plan)
	}
	found, err := r.scan.filter.Prove(r.group, r.wanted, plan.proofs(), planned)
	if err != nil {
		return err
	}
	return r.narrow(found)
}

// narrow drops the wanted rows that cannot pass, and keeps the page locations
// that were read on the way.
func (r *unitRun) narrow(found *rowfilter.Proven) error {
	r.wanted = found.Rows
	for _, x := range found.Skipped {
		r.skipped.add(reasonOf(x.By), x.Rows)
	}
	for _, x := range found.Located {
		l := r.scan.leafOf(x.Leaf)
		if x.Empty != nil {
			l.emptyOnPage = x.Empty
		}
		if !l.offsetsTried && !r.setPages(l, x.Pages) && l.node.MaxRep == 0 {
			return l.wrap(corrupt.At(-1, "offset index: rows were chosen by it, but its pages are not those that were read so far"))
		}
	}
	r.scan.filter.ByLevels(func(of rowfilter.Leaf, rows vector.Ranges) {
		l := of.(*leaf)
		l.byLevels = l.byLevels.Or(rows)
	})
	return nil
}

// plan returns what the scan's plan says of the row group. planned reports whether the scan has a
// plan; one that leaves the row group out, of which g is nil, lets no row of it pass.
func (r *unitRun) plan() (g *GroupPlan, planned bool) {
	switch of := r.unit.split; {
	case of != nil && of.plan != nil:
		return of.plan, true
	case r.scan.opts.Plan != nil:
		return r.scan.opts.Plan.group(r.group), true
	}
	return nil, false
}

// narrowToPlan drops the rows that the plan of the row group leaves out: all, if it leaves out the
// row group, of which g is nil.
func (r *unitRun) narrowToPlan(g *GroupPlan) {
	if g == nil {
		r.wanted = nil
		return
	}
	before := r.wanted
	r.wanted = before.And(g.Rows)
	r.skipped.add(g.reason(), before.AndNot(r.wanted))
}

// refresh judges the remaining rows again if a runtime filter was published since the
// last window.
func (r *unitRun) refresh() error {
	plan, planned := r.plan()
	found, changed, err := r.scan.filter.Refresh(r.windows.Remaining, plan.proofs(), planned)
	if err != nil || !changed {
		return err
	}
	if err := r.narrow(found); err != nil {
		return err
	}
	r.windows.Start(r.wanted)
	return r.bindChunks()
}

// bindChunks points each leaf to its chunk in the row group.
func (r *unitRun) bindChunks() error {
	for _, l := range r.scan.leaves {
		if err := l.bindChunk(r.group); err != nil {
			return err
		}
	}
	if f := r.scan.filter; f != nil {
		return f.Guess(r.scan.queue.prefetcher.IsFirst(r.group))
	}
	return nil
}
