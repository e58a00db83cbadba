package oracle

import (
	"flag"
	"fmt"
	"strings"
	"testing"
)

var (
	cases = flag.Int("cases", 3000, "conditions to judge")
	seed  = flag.Uint64("seed", 1, "of all that is random")
	only  = flag.Int("case", -1, "the one case to judge")
	table = flag.Bool("table", false, "print the whole table of coverage")
)

const (
	perWorld = 6       // cases share a file
	longRun  = 100_000 // cases fill the whole table
)

// TestOracle judges random scans. Each case is replayed by the line that a
// failure prints.
func TestOracle(t *testing.T) {
	covered := coverage{}
	failed := 0
	var w *world
	for i := range *cases {
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
			t.Errorf("go test ./internal/oracle -run Oracle -seed %d -case %d\n%v\n%s", *seed, i, err, w)
			if failed++; failed == 5 {
				t.Fatal("that is enough")
			}
		}
		if *only >= 0 {
			return
		}
	}
	if *table || *cases >= longRun {
		t.Logf("\n%s", covered)
	}
	covered.check(t, *cases >= longRun)
}

// judge writes the condition of a case and scans for it in some ways.
func judge(w *world, seed, number uint64, covered coverage) error {
	g := &writer{r: random(seed, number, "case"), w: w}
	c := g.condition(g.r.IntN(4))
	all := []condition{c}
	if g.r.IntN(8) == 0 {
		all = g.whole(c)
	}
	covered.count(w, g.asked)
	for _, c := range all {
		passes := w.evaluate(c.truth)
		for i := range 3 {
			p := g.newPlan(c, passes)
			if g.err != nil {
				return g.err
			}
			if err := p.run(w); err != nil {
				return fmt.Errorf("plan %d: %s\nWHERE %s\nFilter %s\n%w", i, strings.Join(p.about, "; "), c.sql, p.Filter, err)
			}
		}
	}
	return nil
}
