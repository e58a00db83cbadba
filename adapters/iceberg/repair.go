package icebergscan

import (
	"fmt"
	"math"

	"github.com/winnow-scan/winnow/column/vector"
)

// repair makes vectors of a file's type those of the table, where winnow converts none. nil:
// they are right.
type repair struct {
	values   func(*vector.Vector) error // of a leaf
	children []*repair
}

// apply returns v repaired, which shares v's memory.
func (r *repair) apply(v *vector.Vector) (*vector.Vector, error) {
	if r == nil {
		return v, nil
	}
	out := *v
	if r.values != nil {
		err := r.values(&out)
		return &out, err
	}
	out.Children = make([]*vector.Vector, len(v.Children))
	for i, c := range v.Children {
		var err error
		if out.Children[i], err = r.children[i].apply(c); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

// storedAs returns the type to ask a file for that has have where the table wants want, and
// what makes the values the table's; nil if nothing is to be done.
func storedAs(have, want vector.Type) (vector.Type, func(*vector.Vector) error) {
	same := have.Physical == want.Physical && have.Length == want.Length
	switch {
	case have == want:
	case same && have.Logical == vector.None && (want.Logical == vector.UUID || want.Logical == vector.Geometry || want.Logical == vector.Geography),
		same && have.Logical == vector.UUID && want.Logical == vector.None:
		return have, retype(want)
	case have.Logical == vector.Time && want.Logical == vector.Time && have.UTC != want.UTC:
		// Some writers annotate times as adjusted to UTC, which they are not.
		ask := want
		ask.UTC = have.UTC
		return ask, retype(want)
	case have.Logical == vector.Date && want.Logical == vector.Timestamp:
		return have, midnights(want)
	}
	return want, nil
}

// retype returns a repair that only gives values another meaning.
func retype(to vector.Type) func(*vector.Vector) error {
	return func(v *vector.Vector) error {
		v.Type = to
		if v.Form == vector.Dictionary {
			dict := *v.Dict
			dict.Type, v.Dict = to, &dict
		}
		return nil
	}
}

// midnights returns a repair of dates to the timestamps at which they begin.
func midnights(to vector.Type) func(*vector.Vector) error {
	day := 24 * 60 * 60 * to.Unit.PerSecond()
	return func(v *vector.Vector) error {
		v.Flatten()
		out := vector.Vector{Type: to, Len: v.Len, Validity: v.Validity, Int64s: make([]int64, v.Len)}
		for i, d := range v.Int32s[:v.Len] {
			if int64(d) > math.MaxInt64/day || int64(d) < math.MinInt64/day {
				return fmt.Errorf("day %d of a date is out of the range of %s: %w", d, to, ErrUnsupported)
			}
			out.Int64s[i] = int64(d) * day
		}
		*v = out
		return nil
	}
}
