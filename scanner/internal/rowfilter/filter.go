package rowfilter

import (
	"slices"
	"time"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/pageindex"
)

// A Filter drops the rows that do not pass. The field that Published reads before each
// untested window comes first.
type Filter struct {
	runtime []runtimeFilter

	host    Host
	opts    Options
	static  *compile.Program
	program *compile.Program // of static and the runtime filters
	root    *step
	steps   map[*compile.Node]*step // of the program's nodes
	judge   pageindex.Judge
	rejudge bool          // a runtime filter has left backoff: judge the remaining rows again
	found   Proven        // of the current row group
	all     vector.Ranges // of the row group that the statistics of a chunk decided last

	group       int   // the current row group
	ruled       ruled // what RulesOut has found of it
	runningStep *step // the step that is reading
	windows     int   // tested windows
	rowsLeft    int64 // wanted rows of the row group after the tested window
	noneLeft    bool  // a dictionary proves that none of rowsLeft passes

	windowRows, maxWindowRows int           // rows of a window
	longestStep               time.Duration // the longest time of a step in the last window
}

// step is a node of the program.
type step struct {
	node *compile.Node
	args []*step // And and Or: in the order in which they run; of an Items, the one on items

	leaf   Leaf    // of a test; of an Items, that whose levels it reads
	inputs []Input // of a compute

	proven          Proof
	only            *step      // of an And or Or in this row group: its other args are proven on all wanted rows; nil: several may run
	pred            *pred.Test // of a test: the program's, or a mask of dictionary entries made from it
	dictionaryTried bool       // in this row group
	chunkStatsOnly  bool       // of a runtime filter in backoff: judged only by the statistics of chunks
	cost            cost
	total           Cost

	optional bool // a runtime filter's, or implied by others: rows that it would drop may pass
	backoff  backoff

	*scratch // nil until the step runs
}

type scratch struct {
	setAside, passed, unsettled, tried column.Selection
	ones                               []uint64
	items                              *items
}

// New returns the filter of a scan: e, nil for none, and runtime filters.
func New(host Host, e *filter.Expr, runtime []*filter.Runtime, opts Options) (*Filter, error) {
	f := &Filter{host: host, opts: opts}
	var err error
	if f.static, err = host.Bind(e); err != nil {
		return nil, err
	}
	for _, r := range runtime {
		f.runtime = append(f.runtime, runtimeFilter{from: r})
	}
	f.program = f.static
	if err := f.build(); err != nil {
		return nil, err
	}
	_, err = f.bindPublished()
	return f, err
}

// Program returns the program of the scan's own filter, without runtime filters.
func (f *Filter) Program() *compile.Program { return f.static }

// build makes the steps of the program. Steps of nodes that it had before are kept, with
// their measured costs.
func (f *Filter) build() error {
	root, err := f.makeStep(f.program.Root, f.steps)
	if err != nil {
		return err
	}
	f.root, f.steps = root, map[*compile.Node]*step{}
	f.root.each(func(st *step) {
		f.steps[st.node] = st
		st.optional = st.node.Implied && !f.opts.NoBackoff
	})
	published := map[*compile.Node]bool{}
	for i := range f.runtime {
		if p := f.runtime[i].program; p != nil {
			for _, n := range p.Conjuncts() {
				published[n] = true
			}
		}
	}
	for _, n := range f.program.Conjuncts() {
		f.steps[n].optional = (published[n] || n.Implied) && !f.opts.NoBackoff
	}
	return nil
}

func (f *Filter) makeStep(n *compile.Node, known map[*compile.Node]*step) (*step, error) {
	if st := known[n]; st != nil {
		return st, nil
	}
	if err := f.host.Check(); err != nil { // there may be very many steps
		return nil, err
	}
	st, args := &step{node: n, args: make([]*step, 0, len(n.Args))}, n.Args
	switch n.Op {
	case compile.OpTest:
		st.leaf = f.host.Leaf(n.Test.Leaf)
	case compile.OpCompute:
		st.inputs = make([]Input, len(n.Compute.Needs))
		for i, need := range n.Compute.Needs {
			var err error
			if st.inputs[i], err = f.host.Input(need); err != nil {
				return nil, err
			}
		}
	case compile.OpItems:
		st.leaf = f.host.Leaf(n.Items.Leaf)
		args = []*compile.Node{n.Items.Root}
	}
	for _, a := range args {
		arg, err := f.makeStep(a, known)
		if err != nil {
			return nil, err
		}
		st.args = append(st.args, arg)
	}
	return st, nil
}

// isConjunct reports whether each row must pass a step, which may be the only arm of a condition that is open.
func (f *Filter) isConjunct(st *step) bool {
	return slices.ContainsFunc(f.program.Conjuncts(), func(n *compile.Node) bool { return f.steps[n].running() == st })
}

// Tests calls do for the tests at and below n, in their order.
func Tests(n *compile.Node, do func(*compile.Node)) {
	judged(n, func(n *compile.Node) {
		if n.Op == compile.OpTest {
			do(n)
		}
	})
}

// judged calls do for the tests and the comparisons of columns at and below n, in their order.
func judged(n *compile.Node, do func(*compile.Node)) {
	if n.Op == compile.OpTest || n.Op == compile.OpCompute {
		do(n)
	}
	for _, a := range n.Args {
		judged(a, do)
	}
}

func (st *step) each(do func(*step)) {
	do(st)
	for _, a := range st.args {
		a.each(do)
	}
}

// running returns the step that runs in place of st in this row group.
func (st *step) running() *step {
	for st.only != nil && !st.optional {
		st = st.only
	}
	return st
}

// eachRunning calls do for the steps that may run in this row group.
func (st *step) eachRunning(do func(*step)) {
	st = st.running()
	do(st)
	for _, a := range st.args {
		a.eachRunning(do)
	}
}

// reads calls do for the leaves that the step itself reads.
func (st *step) reads(do func(Leaf)) {
	if st.leaf != nil {
		do(st.leaf)
	}
	for _, input := range st.inputs {
		input.Leaves(do)
	}
}

// runtimeFilter is a runtime filter with its last bound state.
type runtimeFilter struct {
	from    *filter.Runtime
	version uint64
	program *compile.Program // of the last published condition; nil: none
}

// Published reports whether a condition was published since Prove or Refresh has bound those
// of before.
func (f *Filter) Published() bool {
	return slices.ContainsFunc(f.runtime, func(r runtimeFilter) bool { return r.from.Newer(r.version) })
}

// bindPublished binds the conditions that were published since its last call. changed
// reports whether there were any.
func (f *Filter) bindPublished() (changed bool, err error) {
	if !f.Published() {
		return false, nil
	}
	for i := range f.runtime {
		r := &f.runtime[i]
		e, version := r.from.Snapshot()
		if version == r.version {
			continue
		}
		r.version, r.program = version, nil
		if e == nil {
			continue
		}
		if r.program, err = f.host.Bind(e); err != nil {
			return true, err
		}
	}
	programs := []*compile.Program{f.static}
	for i := range f.runtime {
		programs = append(programs, f.runtime[i].program)
	}
	f.program = compile.Conjoin(programs...)
	return true, f.build()
}
