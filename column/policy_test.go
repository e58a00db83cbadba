package column

import (
	"math/rand/v2"
)

// randomForce forces some choices.
func randomForce(r *rand.Rand) Force {
	some := func() Choice { return Choice(r.IntN(3)) }
	return Force{Gather: some(), Codes: some(), Mask: some(), Keep: some(), Stop: some(), Copy: some(), Eager: r.IntN(4) == 0}
}

// expectSomething says what will be asked for, truly or not.
func expectSomething(r *rand.Rand, cur *Cursor, sel *Selection, rows int64) {
	from := cur.At() + r.Int64N(3) - 1
	switch r.IntN(3) {
	case 0:
		cur.Expect(nil, 0)
	case 1:
		if sel != nil {
			cur.Expect(sel, cur.At())
		}
	default:
		if n := min(int(rows-cur.At()), 1+r.IntN(1000)); n > 0 {
			cur.Expect(randomSelection(r, n, false), max(from, 0))
		}
	}
}
