package scanner

import (
	"math"
	"slices"
	"time"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/forms"
	"github.com/winnow-scan/winnow/scanner/internal/rowfilter"
	"github.com/winnow-scan/winnow/scanner/internal/window"
	"github.com/winnow-scan/winnow/thrift"
)

// groupRun is the state of a scan within one unit: a row group, or rows of one. A
// scan has one groupRun, which start resets for each unit.
type groupRun struct {
	scan  *scan
	phase phase
	group int // the number of the row group
	unit  unit
	begun time.Time // for Trace

	wanted     vector.Ranges    // rows that may be returned
	skipped    skippedRows      // rows that were dropped without being read
	windows    window.Windows   // over the wanted rows that are not read yet
	survivors  window.Survivors // of the last tested window
	skipsPages bool             // whole pages may be without a survivor

	metadataCache map[fetch.Range][]byte // bytes of indexes and Bloom filters, while they may be judged again
	batch         batchMaker
	former        forms.Former
}

// phase is the next thing that a groupRun does. Judging comes first; then filtering
// and gathering alternate, window by window:
//
//	judge ─▶ filter ─┬▶ gatherSurvivors ─▶ filter
//	                 └▶ gatherUntested  ─▶ filter
//	filter, no row left ─▶ account
type phase uint8

const (
	judge           phase = iota // judge the metadata; no page is read yet
	filterWindow                 // test the next window, unless its rows need no test
	gatherSurvivors              // read the survivors of the last window
	gatherUntested               // read the next rows without a test: metadata prove that they pass, or a filter is in backoff
	account                      // count the pages; no row is left
)

// start begins a unit and drops the rows that its metadata rule out. A chunk is opened
// at its first read.
func (r *groupRun) start(at unit, wanted vector.Ranges) (err error) {
	s := r.scan
	r.begun = time.Now()
	s.opts.trace(Event{Kind: RowGroupBegins, File: s.file.name, RowGroup: at.group, FirstRow: at.rows.From})
	defer func() {
		if err != nil {
			r.traceEnd()
		}
	}()
	if r.group != at.group {
		r.group, r.metadataCache = at.group, nil
	}
	s.joinBudget()
	r.unit, r.phase, r.wanted, r.skipped = at, judge, wanted, skippedRows{}
	if s.opts.Stats != nil {
		r.skipped[Unwanted] = vector.All(r.numRows()).AndNot(wanted)
	}
	if at.split != nil {
		for _, l := range s.leaves {
			if pages := at.split.offsets[l.node]; pages != nil {
				r.setPages(l, pages)
			}
		}
	}
	if s.filter != nil {
		if err := r.prove(); err != nil {
			return err
		}
	}
	if len(r.wanted) > 0 || s.opts.Stats != nil {
		if err := r.bindChunks(); err != nil {
			return err
		}
	}
	r.skipsPages = s.filter != nil && s.share.prefetcher != nil
	r.batch.sizer.Reset(s.opts.batchBytes())
	r.survivors.Clear()
	r.windows.Start(r.wanted)
	r.phase = filterWindow
	return nil
}

// numRows returns how many rows the row group has.
func (r *groupRun) numRows() int64 { return r.scan.file.footer.RowGroups[r.group].NumRows }

// prove drops the wanted rows that metadata rule out. Proofs that a plan has are taken
// from it.
func (r *groupRun) prove() error {
	plan, planned := r.plan()
	if planned {
		r.applyPlan(plan)
	}
	found, err := r.scan.filter.Prove(r.group, r.wanted, plan.proofs(), planned)
	if err != nil {
		return err
	}
	return r.apply(found)
}

// apply narrows the wanted rows to those that may pass, and keeps the page locations
// that were read on the way.
func (r *groupRun) apply(found rowfilter.Proven) error {
	r.wanted = found.Rows
	for _, x := range found.Skipped {
		r.skipped.add(reasonOf(x.By), x.Rows)
	}
	for _, x := range found.Located {
		l := r.scan.leafOf(x.Leaf)
		if !l.offsetsTried && !r.setPages(l, x.Pages) && l.node.MaxRep == 0 {
			return l.wrap(corrupt.At(-1, "offset index: rows were chosen by it, but its pages are not those that were read so far"))
		}
	}
	for _, x := range found.Levels {
		r.scan.leafOf(x.Leaf).emptyOnPage = x.Empty
	}
	r.scan.filter.ByLevels(func(of rowfilter.Leaf, rows vector.Ranges) {
		l := of.(*leaf)
		l.byLevels = l.byLevels.Or(rows)
	})
	return nil
}

// plan returns the row group's plan. planned reports whether the scan has a plan at all;
// if it has and g is nil, no row of the row group passes.
func (r *groupRun) plan() (g *GroupPlan, planned bool) {
	switch of := r.unit.split; {
	case of != nil && of.plan != nil:
		return of.plan, true
	case r.scan.opts.Plan != nil:
		return r.scan.opts.Plan.group(r.group), true
	}
	return nil, false
}

// applyPlan drops the rows that are missing from the plan of the row group, all if g is nil.
func (r *groupRun) applyPlan(g *GroupPlan) {
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
func (r *groupRun) refresh() error {
	plan, planned := r.plan()
	found, changed, err := r.scan.filter.Refresh(r.windows.Remaining, plan.proofs(), planned)
	if err != nil || !changed {
		return err
	}
	if err := r.apply(found); err != nil {
		return err
	}
	r.windows.Start(r.wanted)
	return r.bindChunks()
}

// bindChunks points each leaf to its chunk in the row group.
func (r *groupRun) bindChunks() error {
	for _, l := range r.scan.leaves {
		if err := l.bindChunk(r.group); err != nil {
			return err
		}
	}
	if f := r.scan.filter; f != nil {
		return f.Guess(r.scan.share.prefetcher.IsFirst(r.group))
	}
	return nil
}

// finish closes the leaves and counts the pages that were not read.
func (r *groupRun) finish() {
	r.phase = account
	for _, l := range r.scan.leaves {
		l.close()
	}
	r.account()
	r.forgetPages()
	r.traceEnd()
}

func (r *groupRun) traceEnd() {
	s := r.scan
	s.opts.trace(Event{Kind: RowGroupEnds, File: s.file.name, RowGroup: r.group, FirstRow: r.unit.rows.From, Duration: time.Since(r.begun)})
}

// mayHaveRows reports whether the unit may have further rows to return.
func (r *groupRun) mayHaveRows() bool {
	return r.phase == gatherSurvivors || r.scan.share.limitLeft.Load() > 0 && len(r.windows.Remaining) > 0
}

// moveTo makes [from, to) the window of a leaf, and opens its chunk at the first call.
func (r *groupRun) moveTo(l *leaf, from, to int64) error {
	if !l.open {
		if err := r.open(l); err != nil {
			return err
		}
	} else if !l.offsetsTried && r.needsOffsets() {
		if err := r.readOffsetIndexes([]*leaf{l}); err != nil {
			return err
		}
	}
	l.cursor.Advance(from)
	l.cursor.Window(to)
	return nil
}

// needsOffsets reports whether reading offset indexes is worth its cost: whether whole
// pages may be skipped.
func (r *groupRun) needsOffsets() bool {
	return r.skipsPages || !r.wanted.Covers(0, r.numRows())
}

// filterNext tests windows until one has survivors or no row is left.
func (r *groupRun) filterNext() error {
	s := r.scan
	for s.share.limitLeft.Load() > 0 && len(r.windows.Remaining) > 0 {
		if err := s.check(); err != nil {
			return err
		}
		if err := r.refresh(); err != nil || len(r.windows.Remaining) == 0 {
			return err
		}
		s.announceRows(nil, 0)
		most, limit, atPage := s.filter.Window(r.windows.Remaining[0])
		from, to, sel := r.windows.NextWindow(most, limit)
		v := &r.survivors
		v.Start(from, to, sel, atPage)
		noneLeft, err := s.filter.Test(&v.Sel, from, to, r.windows.Remaining.Len())
		if err != nil {
			return err
		}
		if noneLeft {
			r.skipped.add(ByDictionary, r.windows.Remaining)
			r.windows.Remaining = nil
		}
		v.Unread = v.Sel.Count()
		v.Only(s.share.claimRows(v.Unread))
		r.skipsPages = r.skipsPages || v.HasGaps(r.rowsOfPage())
		if v.Unread > 0 {
			s.announceRows(&v.Sel, v.From)
			r.phase = gatherSurvivors
			return nil
		}
	}
	return nil
}

// untested reports whether the next rows need no test.
func (r *groupRun) untested() (bool, error) {
	s := r.scan
	if s.filter == nil {
		return true, nil
	}
	if r.phase == gatherUntested && s.filter.StillUntested(r.windows.Remaining[0].From) {
		return true, nil
	}
	if r.phase == gatherSurvivors || s.share.countsRows() || s.share.prefetcher.Running() {
		return false, nil
	}
	if err := r.refresh(); err != nil || len(r.windows.Remaining) == 0 {
		return false, err
	}
	return s.filter.Untested(r.windows.Remaining[0].From), nil
}

// nextWindow returns a window with at most n rows to read. sel selects them; nil
// selects all rows of the window. The window is empty if no row is left.
func (r *groupRun) nextWindow(n int) (from, to int64, sel *column.Selection, err error) {
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
	if r.needsOffsets() {
		if err := r.readOffsetIndexes(r.returnedUntried()); err != nil {
			return 0, 0, nil, err
		}
	}
	sizer := &r.batch.sizer
	if sizer.Rows == 0 {
		if err := r.openReturned(); err != nil {
			return 0, 0, nil, err
		}
	}
	if n = min(n, sizer.Rows); untested {
		from, to, sel = r.windows.NextWindow(n, s.filter.UntestedUntil(sizer.WindowEnd(r.windows.Remaining[0].From)))
		return from, to, sel, nil
	}
	v := &r.survivors
	if !v.Begun() {
		r.prefetchSurvivors()
	}
	from, to, sel = v.NextPiece(n, sizer.WindowEnd(v.Row()))
	if v.Unread == 0 {
		r.phase = filterWindow
	}
	return from, to, sel, nil
}

// openReturned opens the chunks of the returned columns and chooses the size of windows.
func (r *groupRun) openReturned() error {
	s := r.scan
	for i := range s.columns {
		for _, l := range s.columns[i].leaves {
			if err := r.moveTo(l, l.at(), l.at()); err != nil {
				return err
			}
		}
	}
	var varying []window.Varying
	for _, l := range s.leaves {
		if l.returned && (l.node.MaxRep > 0 || l.node.Type.Store() == vector.InViews) {
			//every:encoding batch size but PLAIN RLE BIT_PACKED PLAIN_DICTIONARY RLE_DICTIONARY DELTA_BINARY_PACKED DELTA_LENGTH_BYTE_ARRAY BYTE_STREAM_SPLIT ALP (rows add no more than their page has)
			byPages := l.node.MaxRep == 0 && !slices.Contains(l.chunk.Meta.Encodings, thrift.EncodingDeltaByteArray)
			bytes := l.chunk.Meta.UncompressedSize
			if width := int64(l.node.Type.Width()); width > 0 && l.node.MaxRep == 0 { // prefixes may be shared
				bytes = max(bytes, width*min(l.rows, math.MaxInt64/width))
			}
			varying = append(varying, window.Varying{Cursor: &l.cursor, Bytes: bytes, Rows: l.rows, ByPages: byPages})
		}
	}
	most := int64(0)
	if s.making != nil {
		most = leastBatch
	}
	r.batch.sizer.Start(s.opts.batchRows(), most, varying)
	return nil
}

// rowsOfPage returns a lower bound of the average number of rows in a page, for the
// leaf with the smallest pages. The length of an offset index bounds its number of pages.
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
