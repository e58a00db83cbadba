package scanner

import (
	"math"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/forms"
	"github.com/winnow-scan/winnow/scanner/internal/window"
)

// unitRun is a scan's run over one unit: a row group, or rows of one. A
// scan has one, which start resets for each unit.
type unitRun struct {
	scan    *scan
	state   state
	group   int // the number of the row group
	unit    unit
	started time.Time // for Trace

	wanted     vector.Ranges  // rows that may be returned
	skipped    skippedRows    // rows that were dropped without being read
	windows    window.Windows // over the wanted rows that no state has had yet
	skipsPages bool           // whole pages may be without a survivor
	unverified bool           // bytes of the file were used since it was last found unchanged

	metadataCache map[fetch.Range][]byte // bytes of indexes and Bloom filters, while they may be judged again
	batch         batchMaker
	converter     forms.DictionaryConverter

	tested   tested   // what state points to while it is of this type
	untested untested // the same
}

// state is what a run knows of its next rows. There is one type for each, with what the run
// has there; advance goes from one to the next:
//
//	start: judge ─▶ undecided ─┬▶ tested   ─▶ undecided     pieces of a window's survivors are read
//	                           ├▶ untested ─▶ undecided     windows of rows are read without a test
//	                           └▶ finished ─▶ account
type state interface{ isState() }

type (
	// undecided: whether the next rows need a test is not known.
	undecided struct{}

	// tested: a window was tested, and some of its survivors are not read yet.
	tested struct{ window.Survivors }

	// untested: the next rows, before row until, need no test. Metadata prove that they pass,
	// or the filter is in backoff, or there is none.
	untested struct{ until int64 }

	// finished: no row is left, or none is wanted any more.
	finished struct{}
)

func (undecided) isState() {}
func (*tested) isState()   {}
func (*untested) isState() {}
func (finished) isState()  {}

// start begins a unit and drops the rows that its metadata rule out. A chunk is opened at its first read.
func (r *unitRun) start(at unit, wanted vector.Ranges) error {
	r.begin(at)
	return r.narrowUnit(wanted)
}

// begin enters a unit. narrowUnit or traceEnd must follow.
func (r *unitRun) begin(at unit) {
	if s := r.scan; s.opts.Trace != nil {
		r.started = time.Now()
		s.opts.trace(Event{Kind: RowGroupBegins, File: s.file.name, RowGroup: at.group, FirstRow: at.rows.From})
	}
	if r.group != at.group {
		r.group, r.metadataCache = at.group, nil
	}
	r.unit = at
}

// narrowUnit drops the rows of the unit that its metadata rule out, and makes the others the next to read.
func (r *unitRun) narrowUnit(wanted vector.Ranges) (err error) {
	s, at := r.scan, &r.unit
	defer func() {
		if err != nil {
			r.traceEnd()
		}
	}()
	r.state, r.wanted = undecided{}, wanted
	clear(r.skipped[:])
	s.sequential.Took = s.sequential.Took || at.split != nil // its metadata were read before, by any scan
	if err = r.judge(); err == nil && len(r.wanted) > 0 {
		err = s.joinBudget(at.group)
	}
	if err != nil {
		return err
	}
	r.skipsPages = s.filter != nil && s.queue.prefetcher != nil
	r.batch.sizer.Reset(s.opts.batchBytes())
	r.tested.Clear()
	r.windows.Start(r.wanted)
	return nil
}

// finish closes the leaves and counts the pages that were not read. last reports whether the
// row group is done.
func (r *unitRun) finish() (last bool) {
	r.state = finished{}
	for _, l := range r.scan.leaves {
		l.close()
	}
	last = r.account()
	r.forgetPages()
	r.traceEnd()
	return last
}

func (r *unitRun) traceEnd() {
	if s := r.scan; s.opts.Trace != nil {
		s.opts.trace(Event{Kind: RowGroupEnds, File: s.file.name, RowGroup: r.group, FirstRow: r.unit.rows.From, Duration: time.Since(r.started)})
	}
}

// advance goes from state to state until there are rows to read, or none is left. It returns
// the state: tested, untested or finished.
func (r *unitRun) advance() (state, error) {
	for {
		if err := r.scan.check(); err != nil {
			return nil, err
		}
		switch current := r.state.(type) {
		case undecided:
			next, err := r.decide()
			if err != nil {
				return nil, err
			}
			r.state = next
		case *tested:
			if current.Unread > 0 {
				return current, nil
			}
			r.state = undecided{}
		case *untested:
			if r.stillUntested(current) {
				return current, nil
			}
			r.state = undecided{}
		case finished:
			return current, nil
		}
	}
}

// decide returns the state of the next rows. It tests a window of them if they need a test:
// if no row of it passes, the rows after it are undecided.
func (r *unitRun) decide() (state, error) {
	s := r.scan
	if len(r.windows.Remaining) == 0 || s.queue.limitLeft.Load() <= 0 {
		return finished{}, nil
	}
	if s.filter == nil {
		r.untested.until = math.MaxInt64
		return &r.untested, nil
	}
	r.unverified = true
	if err := r.refresh(); err != nil || len(r.windows.Remaining) == 0 {
		return finished{}, err
	}
	if !s.queue.countsRows() && !s.queue.prefetcher.Running() {
		row := r.windows.Remaining[0].From
		if r.untested.until = s.filter.UntestedUntil(row); r.untested.until > row {
			return &r.untested, nil
		}
	}
	return r.testWindow()
}

// stillUntested reports whether the next row needs no test, either.
func (r *unitRun) stillUntested(current *untested) bool {
	left := r.windows.Remaining
	return len(left) > 0 && left[0].From < current.until && (r.scan.filter == nil || !r.scan.filter.Published())
}

// testWindow tests the next window. There must be rows left.
func (r *unitRun) testWindow() (state, error) {
	s, t := r.scan, &r.tested
	s.announceRows(nil, 0)
	most, limit, atPage := s.filter.Window(r.windows.Remaining[0])
	t.Start(r.windows.NextWindow(most, limit), atPage)
	noneLeft, err := s.filter.Test(t.Rows(), r.windows.Remaining.Len())
	if err != nil {
		return nil, err
	}
	if noneLeft {
		r.skipped.add(ByDictionary, r.windows.Remaining.Or(vector.Ranges{{From: t.From, To: t.To}}))
		r.windows.Start(nil)
	}
	t.Claim(s.queue.claimRows(t.Sel.Count()))
	rows := r.rowsOfPage()
	r.skipsPages = r.skipsPages || rows < r.numRows() && t.HasGaps(rows)
	if t.Unread == 0 {
		return undecided{}, nil
	}
	s.announceRows(&t.Sel, t.From)
	return t, nil
}

// numRows returns how many rows the row group has.
func (r *unitRun) numRows() int64 { return r.scan.file.footer.RowGroups[r.group].NumRows }

// rowsOfPage returns the average number of rows in a page, for the leaf with the smallest
// pages, or a lower bound of it: the length of an offset index bounds its number of pages.
func (r *unitRun) rowsOfPage() int64 {
	const location = 7 // bytes that a page takes in an offset index, at least
	least := int64(math.MaxInt64)
	for _, l := range r.scan.leaves {
		if l.chunk.HasOffsetIndex {
			pages := dataPages(l.chunk.Meta.EncodingStats)
			if pages == 0 {
				pages = 1 + max(int64(l.chunk.OffsetIndexLength), 0)/location
			}
			least = min(least, l.rows/pages)
		}
	}
	return least
}
