package knobs

import (
	"context"

	"github.com/winnow-scan/winnow/column"
)

// Knobs change how a scan goes about it. The zero Knobs leave it to the scan.
type Knobs struct {
	NoStatistics   bool // of column chunks, as proof
	NoPageIndex    bool // as proof; where pages are is used nevertheless
	NoBloom        bool
	NoDictionaries bool // as proof
	FixedOrder     bool // run tests in the order in which they are written; no time decides the rows of a window, either
	NoMapping      bool // read pages that are not compressed, and do not look at them in a mapping of the file
	NoBackoff      bool // test runtime filters even if they drop next to nothing

	Window  int // rows that a filter tests at a time; 0: as many as pay
	MinPart int // rows that are worth to be a part of a row group, where threads share one; 0: as many as pay

	Column column.Force // of each column's cursor
}

type key struct{}

// With returns a context whose scans have knobs k.
func With(ctx context.Context, k Knobs) context.Context { return context.WithValue(ctx, key{}, k) }

// From returns the knobs of a context, and whether it has any.
func From(ctx context.Context) (k Knobs, ok bool) {
	k, ok = ctx.Value(key{}).(Knobs)
	return k, ok
}
