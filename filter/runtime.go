package filter

import "sync/atomic"

// Runtime is a condition that is not known when a scan starts, or gets stricter
// while it runs: the keys of a hash join's build side, the least of the values
// that are in a top-k already. A host makes one, hands it to scans and publishes
// to it whenever it knows more, from any goroutine; a scan looks at it now and
// then and never waits.
//
// The zero value has nothing published and lets all rows pass. A Runtime must
// not be copied once it is used.
type Runtime struct {
	state  atomic.Pointer[published]
	newest atomic.Uint64 // version, beside the pointer: Newer looks at nothing else
}

type published struct {
	e       *Expr
	version uint64
}

// Publish puts e in the place of what was published before; nil lets all rows
// pass again. Scans apply it to rows that they have not looked at yet: rows that
// a looser condition let pass are not called back, and those that a stricter
// one dropped do not return.
func (r *Runtime) Publish(e *Expr) {
	for {
		old := r.state.Load()
		next := &published{e: e, version: 1}
		if old != nil {
			next.version = old.version + 1
		}
		if r.state.CompareAndSwap(old, next) {
			r.advanceNewest(next.version)
			return
		}
	}
}

// advanceNewest makes a version the newest, unless there is a newer one.
func (r *Runtime) advanceNewest(version uint64) {
	for {
		newest := r.newest.Load()
		if newest >= version || r.newest.CompareAndSwap(newest, version) {
			return
		}
	}
}

// Snapshot returns what was published last, nil if nothing is, and how often
// something was: the same version is the same condition. Nobody can publish to a
// nil Runtime, which has none.
func (r *Runtime) Snapshot() (e *Expr, version uint64) {
	if r == nil {
		return nil, 0
	}
	if p := r.state.Load(); p != nil {
		return p.e, p.version
	}
	return nil, 0
}

// Newer reports whether something was published since Snapshot returned a version.
// It costs one load.
func (r *Runtime) Newer(version uint64) bool { return r != nil && r.newest.Load() > version }
