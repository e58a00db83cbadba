package tree

import "sync/atomic"

// Runtime is what a filter.Runtime is made of.
type Runtime struct {
	last  atomic.Pointer[published]
	of    *Runtime // whose conditions on table these are, for a file of it; nil: they are its own
	table *Table
}

type published struct {
	e       *Expr
	version uint64
}

// In returns the conditions on a table that a Runtime gets, for a file of it.
func (r *Runtime) In(t *Table) *Runtime { return &Runtime{of: r, table: t} }

// Publish replaces the condition.
func (r *Runtime) Publish(e *Expr) {
	for {
		old, next := r.last.Load(), &published{e: e, version: 1}
		if old != nil {
			next.version = old.version + 1
		}
		if r.last.CompareAndSwap(old, next) {
			return
		}
	}
}

// Last returns the condition, nil if there is none, the table that it is on, and the number of calls of Publish so far.
func (r *Runtime) Last() (e *Expr, on *Table, version uint64) {
	if r != nil && r.of != nil {
		r, on = r.of, r.table
	}
	if r != nil {
		if p := r.last.Load(); p != nil {
			e, version = p.e, p.version
		}
	}
	return e, on, version
}
