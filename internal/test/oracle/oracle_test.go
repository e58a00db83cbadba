package oracle

import (
	"errors"
	"flag"
	"fmt"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

var (
	seed  = flag.Uint64("seed", 1, "of all that is random")
	only  = flag.Int("case", -1, "the one case to judge")
	table = flag.Bool("table", false, "print the whole table of coverage")
)

const (
	perWorld  = 6       // cases share a file
	longRun   = 100_000 // cases fill the whole table
	manyCases = 3000    // cases fill its sides
)

// TestOracle judges random scans. Each case is replayed by the line that a
// failure prints.
func TestOracle(t *testing.T) {
	// Worlds are small and soon forgotten: by default half of the time goes
	// into collecting them.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	covered := &coverage{map[met]int{}, map[met]int{}}
	failed := 0
	var w *world
	n := dtest.Rounds(t, manyCases)
	for i := range n {
		if *only >= 0 {
			i = *only
		}
		if w == nil || i%perWorld == 0 {
			var err error
			if w, err = newWorld(*seed, uint64(i/perWorld)); err != nil {
				t.Fatalf("world of case %d: %v", i, err)
			}
		}
		if err := judge(w, *seed, uint64(i), covered); err != nil {
			t.Errorf("go test ./internal/test/oracle -run Oracle -seed %d -case %d\n%v\n%s", *seed, i, err, w)
			if failed++; failed == 5 {
				t.Fatal("that is enough")
			}
		}
		if *only >= 0 {
			return
		}
	}
	if *table || n >= longRun {
		t.Logf("\n%s", covered)
	}
	if n >= manyCases {
		covered.check(t, n >= longRun)
	}
	if n >= longRun {
		covered.checkProofs(t)
	}
}

// judge writes the condition of a case and scans for it in some ways.
func judge(w *world, seed, number uint64, covered *coverage) error {
	g := &writer{r: random(seed, number, "case"), w: w}
	c := g.condition(g.r.IntN(5))
	covered.count(w, g.asked)
	if err := covered.proveOne(g, c); err != nil {
		return err
	}
	all := []condition{c}
	if g.r.IntN(8) == 0 {
		all = g.whole(c)
	}
	for _, c := range all {
		passes := w.evaluate(c.truth)
		var plans []interface{ judge(w *world) error }
		for range 3 {
			plans = append(plans, g.newPlan(c, passes))
		}
		if g.r.IntN(3) == 0 {
			plans = append(plans, g.newLatePlan(c, passes))
		}
		if g.r.IntN(3) == 0 {
			plans = append(plans, g.newAnswers(c, passes))
		}
		if g.r.IntN(4) == 0 {
			if p := g.newTop(c, passes); p != nil {
				plans = append(plans, p)
			}
		}
		if g.err != nil {
			return g.err
		}
		if err := judgeAll(w, plans, g.r.IntN(8) == 0); err != nil {
			return fmt.Errorf("WHERE %s\n%w", brief(c.sql), err)
		}
	}
	return covered.probe(g)
}

// judgeAll runs scans one after the other, or all at once.
func judgeAll(w *world, plans []interface{ judge(w *world) error }, together bool) error {
	errs := make([]error, len(plans))
	var wait sync.WaitGroup
	for i, p := range plans {
		if together {
			wait.Go(func() { errs[i] = p.judge(w) })
		} else {
			errs[i] = p.judge(w)
		}
	}
	wait.Wait()
	return errors.Join(errs...)
}
