package filter

import (
	"sync/atomic"
)

// Runtime is a condition that becomes known, or stricter, while a scan runs: the
// keys of a hash join's build side, the threshold of a top-k. A host creates one,
// passes it to scans and publishes conditions to it. Scans check it from time to
// time and never wait for it.
//
// All methods are safe for concurrent use. All rows pass the zero Runtime. A Runtime
// must not be copied after first use.
type Runtime struct{ state atomic.Pointer[published] }

type published struct {
	e       *Expr
	version uint64
}

// Publish replaces the published condition by e; all rows pass nil. Scans apply e to
// rows that they have not filtered yet. Rows that passed an earlier condition stay
// in the result, and rows that an earlier one dropped stay dropped.
func (r *Runtime) Publish(e *Expr) {
	for {
		old := r.state.Load()
		next := &published{e: e, version: 1}
		if old != nil {
			next.version = old.version + 1
		}
		if r.state.CompareAndSwap(old, next) {
			return
		}
	}
}

// Snapshot returns the published condition, nil if there is none, and its version:
// the number of calls of Publish so far. Equal versions are the same condition. On a
// nil Runtime it returns nil and 0.
func (r *Runtime) Snapshot() (e *Expr, version uint64) {
	if r == nil {
		return nil, 0
	}
	if p := r.state.Load(); p != nil {
		return p.e, p.version
	}
	return nil, 0
}

// Newer reports whether Publish was called since Snapshot returned a version. It
// costs one atomic load.
func (r *Runtime) Newer(version uint64) bool {
	_, newest := r.Snapshot()
	return newest > version
}
