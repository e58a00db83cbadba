package rowfilter

import (
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
)

// backoff leaves a runtime filter that drops next to nothing untested for a while, so
// that trying it again and again costs half a percent of the scan's time. A try
// tests few rows, more if some of the first were dropped, and no dictionary.
type backoff struct {
	effective   bool // it dropped something to speak of when it was tested last
	windowsLeft int  // windows of backoff, at most
	checkAfter  int  // after how many the time is looked at
	until       time.Time

	in, out float64       // rows that were tested lately, and that passed
	spent   time.Duration // on rows that were too few to tell
}

const (
	uselessShare  = 0.98 // a filter that passes this share of rows
	minWindows    = 4    // of backoff
	maxWindows    = 256
	tryFirst      = 32 // rows of a try
	tryRows       = 512
	backoffFactor = 400 // times what a try costs, it is left untested
)

// over reports whether a step is to be tested, else it stays in backoff for some more
// windows. The time is looked at seldom: between copies of whole pages that takes a
// third of a microsecond.
func (b *backoff) ended(windows int) bool {
	if b.windowsLeft == 0 {
		return true
	}
	if passed := maxWindows - b.windowsLeft; passed >= b.checkAfter {
		if b.checkAfter = 2 * passed; !time.Now().Before(b.until) {
			b.windowsLeft = 0
			return true
		}
	}
	b.windowsLeft = max(b.windowsLeft-windows, 0)
	return false
}

// learn is told what a step did to rows of a window, and how long that took. Windows
// count by their rows: a few that all pass say nothing of a filter that has dropped many.
func (b *backoff) record(in, out int, took time.Duration) {
	b.in, b.out, b.spent = b.in+float64(in), b.out+float64(out), b.spent+took
	if b.in < tryFirst {
		return
	}
	past := 0.0 // how much of it counts the next time
	if b.effective = b.out < uselessShare*b.in; b.effective {
		past = min(tryRows/b.in, 1)
		b.windowsLeft = 0
	} else {
		b.windowsLeft, b.checkAfter = maxWindows, minWindows
		b.until = time.Now().Add(backoffFactor * b.spent)
	}
	b.in, b.out, b.spent = past*b.in, past*b.out, 0
}

// inBackoff reports whether all of a runtime filter's program is in backoff.
func (f *Filter) inBackoff(p *filter.Program) bool {
	if p == nil {
		return false
	}
	for _, n := range conjuncts(p) {
		if st := f.steps[n]; st == nil || !st.optional || st.backoff.windowsLeft == 0 {
			return false
		}
	}
	return true
}

// try tests some rows of the window only, to learn whether a step drops any: those
// in front, for which fewest bytes are decompressed.
func (f *Filter) try(st *step, sel *vector.Selection, from, to int64) error {
	some := &st.some
	in, out, end := 0, 0, 0
	var spent time.Duration
	for _, rows := range [...]int{tryFirst, tryRows} {
		start := end
		end = bits.Select(sel.Bits, start, sel.N, rows-in)
		some.Clear(sel.N)
		bits.Copy(some.Bits, start, sel.Bits, start, end-start)
		some.Changed()
		took, err := f.runTimed(st, some, from, to)
		if err != nil {
			return err
		}
		bits.Copy(sel.Bits, start, some.Bits, start, end-start)
		in, out, spent = rows, out+some.Count(), spent+took
		if out == in {
			break
		}
	}
	sel.Changed()
	st.backoff.record(in, out, spent)
	return nil
}
