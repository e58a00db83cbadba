package estimate

import (
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/pageindex"
)

// Zone has the fields of scanner.ZoneMap.
type Zone struct {
	Min, Max           vector.Scalar
	MinExact, MaxExact bool
	Slots              int64
	Nulls, NaNs        int64
}

// ZoneOf returns what bounds of a leaf prove about its values. Bounds that need not hold all values are left out.
func ZoneOf(leaf *schema.Node, b *pageindex.Bounds) Zone {
	z := Zone{Min: vector.NullOf(leaf.Type), Max: vector.NullOf(leaf.Type), Slots: b.Slots, Nulls: b.Nulls, NaNs: b.NaNs}
	if b.Sure && b.HasMin {
		z.Min, z.MinExact = bound(leaf.Type, b.Min, b.MinExact)
	}
	if b.Sure && b.HasMax {
		z.Max, z.MaxExact = bound(leaf.Type, b.Max, b.MaxExact)
	}
	return z
}

// bound returns a bound as a scalar, NULL if it does not have the length of a value.
func bound(t vector.Type, plain []byte, exact bool) (vector.Scalar, bool) {
	if plain == nil {
		plain = []byte{} // an empty string
	}
	s, err := vector.PlainOf(t, plain)
	if err != nil {
		return vector.NullOf(t), false
	}
	return s, exact
}
