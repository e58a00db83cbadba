package rowfilter

import (
	"slices"
	"time"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/scanner/internal/window"
)

// backoff is the state of a runtime filter that drops next to nothing. Such a filter is not
// tested for a while, so that retrying it costs at most half a percent of the scan's
// time. A try tests few rows, more if some of the first were dropped, and no dictionary.
type backoff struct {
	effective   bool // the last test dropped enough rows
	windowsLeft int  // how many windows the backoff lasts at most; 0: none
	checkAfter  int  // windows after which to read the clock
	until       time.Time

	in, out float64       // rows that were tested recently, and that passed
	spent   time.Duration // on rows that were too few to decide by
}

const (
	uselessShare  = 0.98 // a filter that passes at least this share of rows goes into backoff
	minWindows    = 4    // of backoff
	maxWindows    = 256
	tryFirst      = 32 // rows of a try
	tryRows       = 512
	backoffFactor = 400 // how many times as long as the try the backoff lasts
)

// ended reports whether the backoff is over. If it is not, it counts windows that pass
// untested. It reads the clock seldom: between copies of whole pages, that
// takes a third of a microsecond.
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

// record adds the result of a test, and starts a backoff if the filter drops too few rows.
// Windows count by their rows: a few rows that all pass do not outweigh a filter's
// earlier drops.
func (b *backoff) record(in, out int, took time.Duration) {
	b.in, b.out, b.spent = b.in+float64(in), b.out+float64(out), b.spent+took
	if b.in < tryFirst {
		return
	}
	past := 0.0 // the share of these counts that is kept
	if b.effective = b.out < uselessShare*b.in; b.effective {
		past = min(tryRows/b.in, 1)
		b.windowsLeft = 0
	} else {
		b.windowsLeft, b.checkAfter = maxWindows, minWindows
		b.until = time.Now().Add(backoffFactor * b.spent)
	}
	b.in, b.out, b.spent = past*b.in, past*b.out, 0
}

// inBackoff reports whether all conditions of a runtime filter are in backoff.
func (f *Filter) inBackoff(p *compile.Program) bool {
	return p != nil && !slices.ContainsFunc(p.Conjuncts(), func(n *compile.Node) bool {
		st := f.steps[n]
		return st == nil || !st.optional || st.backoff.windowsLeft == 0
	})
}

// try tests a step on the first rows of the window only, to measure whether it drops any.
// The first rows need the fewest decompressed bytes.
func (f *Filter) try(st *step, rows window.Rows) error {
	sel, some := rows.Sel, &st.tried
	in, out, end := 0, 0, 0
	var spent time.Duration
	for _, tried := range [...]int{tryFirst, tryRows} {
		start := end
		end = bits.Select(sel.Bits, start, sel.N, tried-in)
		some.Clear(sel.N)
		bits.Copy(some.Bits, start, sel.Bits, start, end-start)
		some.Changed()
		took, err := f.runTimed(st, rows.Select(some))
		if err != nil {
			return err
		}
		bits.Copy(sel.Bits, start, some.Bits, start, end-start)
		in, out, spent = tried, out+some.Count(), spent+took
		if out == in {
			break
		}
	}
	sel.Changed()
	st.backoff.record(in, out, spent)
	return nil
}
