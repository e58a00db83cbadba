package scanner

import (
	"math"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/rowfilter"
	"github.com/winnow-scan/winnow/scanner/internal/window"
)

// A groupRun is the run of a scan over one unit: a row group, or rows of one. The
// scan has one at a time. What it holds is of that unit, and forgotten behind it.
type groupRun struct {
	scan  *scan
	phase phase
	group int // the number of the row group
	unit  unit

	wanted    vector.Ranges    // rows that may be handed out
	skipped   skippedRows      // rows that were left out without being read
	windows   window.Windows   // of wanted rows that are not read yet
	survivors window.Survivors // of the last window that was tested
	scattered bool             // pages of the row group may have no row that is wanted

	known     map[fetch.Range][]byte // metadata that may be asked for again
	lookahead lookahead
	batch     batchMaker
}

// phase is what a groupRun does next. Judging comes first; then filtering,
// gathering and handing over take turns, window by window:
//
//	judge ─▶ filter ─┬▶ gatherSurvivors ─▶ filter
//	                 └▶ gatherUntested  ─▶ filter
//	filter, no row left ─▶ account
type phase uint8

const (
	judge           phase = iota // metadata are judged; nothing is read yet
	filterWindow                 // no survivors wait: the next window is tested, unless it need not be
	gatherSurvivors              // survivors of the last window wait to be read
	gatherUntested               // the rows in front all pass, and are read without a test
	account                      // no row is left
)

// start settles which rows of the unit are looked at. Chunks are opened when
// something is read of them.
func (r *groupRun) start(at unit, wanted vector.Ranges) error {
	s := r.scan
	if r.group != at.group {
		r.group, r.known = at.group, nil
	}
	r.unit, r.phase, r.wanted, r.skipped = at, judge, wanted, skippedRows{}
	if s.opts.Stats != nil {
		r.skipped[Unwanted] = vector.All(r.numRows()).AndNot(wanted)
	}
	if at.of != nil {
		for _, l := range s.leaves {
			if pages := at.of.offsets[l.node]; pages != nil {
				r.place(l, pages)
			}
		}
	}
	if s.filter != nil {
		if err := r.prove(); err != nil {
			return err
		}
	}
	if len(r.wanted) > 0 || s.opts.Stats != nil {
		if err := r.find(); err != nil {
			return err
		}
	}
	r.scattered = s.filter != nil && s.share.ahead != nil
	r.batch.sizer.reset()
	r.survivors.Clear()
	r.windows.Start(r.wanted)
	r.phase = filterWindow
	return nil
}

// numRows returns how many rows the row group has.
func (r *groupRun) numRows() int64 { return r.scan.file.footer.RowGroups[r.group].NumRows }

// prove has metadata judged for the wanted rows. What a plan says is not judged again.
func (r *groupRun) prove() error {
	plan, planned := r.plan()
	if planned {
		r.applyPlan(plan)
	}
	found, err := r.scan.filter.Prove(r.group, r.wanted, plan.proofs(), planned)
	if err != nil {
		return err
	}
	r.apply(found)
	return nil
}

// apply takes over what metadata prove.
func (r *groupRun) apply(found rowfilter.Proven) {
	r.wanted = found.Rows
	for _, x := range found.Skipped {
		r.skipped.add(reasonOf(x.By), x.Rows)
	}
	for _, x := range found.Located {
		if l := r.scan.leafOf(x.Leaf); !l.sought {
			r.place(l, x.Pages)
		}
	}
}

// plan returns what was planned for the row group, nil for none of its rows, and
// whether anything was.
func (r *groupRun) plan() (g *GroupPlan, planned bool) {
	switch of := r.unit.of; {
	case of != nil && of.plan != nil:
		return of.plan, true
	case r.scan.opts.Plan != nil:
		return r.scan.opts.Plan.group(r.group), true
	}
	return nil, false
}

// applyPlan drops the rows that are not in the plan of the row group, all if it is nil.
func (r *groupRun) applyPlan(g *GroupPlan) {
	if g == nil {
		r.wanted = nil
		return
	}
	before := r.wanted
	r.wanted = before.And(g.Rows)
	r.skipped.add(g.reason(), before.AndNot(r.wanted))
}

// refresh takes over what runtime filters published since the last window.
func (r *groupRun) refresh() error {
	plan, planned := r.plan()
	found, changed, err := r.scan.filter.Refresh(r.windows.Left, plan.proofs(), planned)
	if err != nil || !changed {
		return err
	}
	r.apply(found)
	r.windows.Start(r.wanted)
	return r.find()
}

// find has the leaves look at the footer's entries of their chunks.
func (r *groupRun) find() error {
	for _, l := range r.scan.leaves {
		if err := l.find(r.group); err != nil {
			return err
		}
	}
	if f := r.scan.filter; f != nil {
		return f.Guess()
	}
	return nil
}

// leave closes the leaves, and accounts for what was not read.
func (r *groupRun) leave() {
	r.phase = account
	for _, l := range r.scan.leaves {
		l.leave()
	}
	r.account()
	r.forgetPages()
}

// more reports whether rows of the row group may be left.
func (r *groupRun) more() bool {
	return r.phase == gatherSurvivors || r.scan.share.most.Load() > 0 && len(r.windows.Left) > 0
}

// enter makes [from, to) the window of a leaf.
func (r *groupRun) enter(l *leaf, from, to int64) error {
	if !l.open {
		if err := r.open(l); err != nil {
			return err
		}
	} else if !l.sought && r.seeks() {
		if err := r.findPages([]*leaf{l}); err != nil {
			return err
		}
	}
	l.cursor.Advance(from)
	l.cursor.Window(to)
	return nil
}

// seeks reports whether rows of the row group are left out, as far as is known,
// by whole pages: where pages of others are is worth to be read then.
func (r *groupRun) seeks() bool {
	return r.scattered || !r.wanted.Covers(0, r.numRows())
}

// filterNext tests windows until one has survivors, or no row is left.
func (r *groupRun) filterNext() error {
	s := r.scan
	for s.share.most.Load() > 0 && len(r.windows.Left) > 0 {
		if err := s.check(); err != nil {
			return err
		}
		if err := r.refresh(); err != nil || len(r.windows.Left) == 0 {
			return err
		}
		s.expect(nil, 0)
		most, limit, atPage := s.filter.Window(r.windows.Left[0])
		from, to, sel := r.windows.Next(most, limit)
		v := &r.survivors
		v.Start(from, to, sel, atPage)
		noneLeft, err := s.filter.Test(&v.Sel, from, to, r.windows.Left.Len())
		if err != nil {
			return err
		}
		if noneLeft {
			r.skipped.add(ByDictionary, r.windows.Left)
			r.windows.Left = nil
		}
		v.Left = v.Sel.Count()
		v.Only(s.share.take(v.Left))
		r.scattered = r.scattered || v.HasGaps(r.rowsOfPage())
		if v.Left > 0 {
			s.expect(&v.Sel, v.From)
			r.phase = gatherSurvivors
			return nil
		}
	}
	return nil
}

// untested reports whether the rows in front need not be tested.
func (r *groupRun) untested() (bool, error) {
	s := r.scan
	if s.filter == nil {
		return true, nil
	}
	if r.phase == gatherUntested && s.filter.StillUntested(r.windows.Left[0].From) {
		return true, nil
	}
	if r.phase == gatherSurvivors || s.share.counts() || s.share.ahead.Running() {
		return false, nil
	}
	if err := r.refresh(); err != nil || len(r.windows.Left) == 0 {
		return false, err
	}
	return s.filter.Untested(r.windows.Left[0].From), nil
}

// next returns a window with at most n rows to read, and which of its rows
// those are, nil if all; or an empty one if no row is left.
func (r *groupRun) next(n int) (from, to int64, sel *vector.Selection, err error) {
	s := r.scan
	if err := s.check(); err != nil {
		return 0, 0, nil, err
	}
	untested, err := r.untested()
	if err != nil {
		return 0, 0, nil, err
	}
	if untested {
		r.phase = gatherUntested
	} else if r.phase != gatherSurvivors {
		r.phase = filterWindow
		if err := r.filterNext(); err != nil || r.phase == filterWindow {
			return 0, 0, nil, err
		}
	}
	if r.seeks() {
		if err := r.findPages(s.returned()); err != nil {
			return 0, 0, nil, err
		}
	}
	sizer := &r.batch.sizer
	if sizer.rows == 0 {
		if err := r.startReturned(); err != nil {
			return 0, 0, nil, err
		}
	}
	if n = min(n, sizer.rows); untested {
		from, to, sel = r.windows.Next(n, s.filter.UntestedUntil(sizer.limit(r.windows.Left[0].From)))
		return from, to, sel, nil
	}
	v := &r.survivors
	if !v.Begun() {
		r.prefetchSurvivors()
	}
	from, to, sel = v.Take(n, sizer.limit(v.Row()))
	if v.Left == 0 {
		r.phase = filterWindow
	}
	return from, to, sel, nil
}

// startReturned opens the columns that are handed out, and chooses the size of windows.
func (r *groupRun) startReturned() error {
	for i := range r.scan.columns {
		for _, l := range r.scan.columns[i].leaves {
			if err := r.enter(l, l.at(), l.at()); err != nil {
				return err
			}
		}
	}
	r.batch.sizer.start(r.scan)
	return nil
}

// rowsOfPage returns how many rows pages have at least, on average, of the leaf
// whose pages have fewest.
func (r *groupRun) rowsOfPage() int64 {
	const location = 7 // bytes that a page takes in an offset index, at least
	least := int64(math.MaxInt64)
	for _, l := range r.scan.leaves {
		if l.chunk.HasOffsetIndex {
			least = min(least, l.rows/(1+max(int64(l.chunk.OffsetIndexLength), 0)/location))
		}
	}
	return least
}
