package rowfilter

import (
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/compile"
)

// A step of which proofs leave one arg runs as that arg, unless it may be in backoff.
func TestStepsThatRunAsTheirArg(t *testing.T) {
	all, half := vector.All(100), vector.Ranges{{From: 0, To: 50}}
	none, passed := Proof{None: all}, Proof{All: all}
	for _, c := range []struct {
		what     string
		op       compile.Op
		optional bool
		wanted   vector.Ranges
		args     []Proof
		runs     int // the arg; -1: the step itself
	}{
		{"no row passes the others", compile.OpOr, false, all, []Proof{none, {}, none}, 1},
		{"all rows pass the others", compile.OpAnd, false, all, []Proof{passed, passed, {}}, 2},
		{"two are open", compile.OpOr, false, all, []Proof{none, {}, {}}, -1},
		{"rows may pass another", compile.OpOr, false, all, []Proof{{}, {None: half}}, -1},
		{"these rows are not wanted", compile.OpOr, false, half, []Proof{{}, {None: half}}, 0},
		{"all are settled", compile.OpOr, false, all, []Proof{none, none}, -1},
		{"all rows pass one", compile.OpOr, false, all, []Proof{{}, passed}, -1},
		{"it may rest", compile.OpOr, true, all, []Proof{{}, none}, -1},
		{"the arg is negated", compile.OpComplement, false, all, []Proof{{}}, -1},
	} {
		st := &step{node: &compile.Node{Op: c.op}, optional: c.optional}
		for _, p := range c.args {
			st.args = append(st.args, &step{node: &compile.Node{Op: compile.OpTest}, proven: p})
		}
		st.combineProofs(c.wanted)
		want := st
		if c.runs >= 0 {
			want = st.args[c.runs]
		}
		if got := st.running(); got != want {
			t.Errorf("%s: another step runs", c.what)
		}
	}
}
