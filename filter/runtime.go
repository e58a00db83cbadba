package filter

import "github.com/winnow-scan/winnow/filter/internal/tree"

// Runtime is a condition that becomes known, or stricter, while a scan runs: the
// keys of a hash join's build side, the threshold of a top-k. A host creates one,
// passes it to scans and publishes conditions to it. Scans check it from time to
// time and never wait for it.
//
// All methods are safe for concurrent use. All rows pass the zero Runtime. A Runtime
// must not be copied after first use.
type Runtime tree.Runtime

// Publish replaces the published condition by e; all rows pass nil. Scans apply e to
// rows that they have not filtered yet. Rows that passed an earlier condition stay
// in the result, and rows that an earlier one dropped stay dropped.
func (r *Runtime) Publish(e *Expr) { (*tree.Runtime)(r).Publish((*tree.Expr)(e)) }

// Snapshot returns the published condition, nil if there is none, and its version:
// the number of calls of Publish so far. Equal versions are the same condition. On a
// nil Runtime it returns nil and 0.
func (r *Runtime) Snapshot() (e *Expr, version uint64) {
	last, table, version := (*tree.Runtime)(r).Last()
	if last != nil && table != nil {
		last = last.In(table)
	}
	return (*Expr)(last), version
}

// Newer reports whether Publish was called since Snapshot returned a version. It
// costs one atomic load.
func (r *Runtime) Newer(version uint64) bool {
	_, _, newest := (*tree.Runtime)(r).Last()
	return newest > version
}
