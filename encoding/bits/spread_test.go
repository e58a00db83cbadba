package bits

import (
	"math/rand/v2"
	"testing"
)

func TestSpreadAndGroup(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 2000 {
		n := 1 + r.IntN(300)
		starts, items := make([]uint64, Words(n)), make([]uint64, Words(n))
		for i := range starts { // bits from n on are undefined
			starts[i], items[i] = r.Uint64(), r.Uint64()
		}
		longest := 1 + r.IntN(90)
		ClearRange(starts, 0, n)
		var group []int // of each item
		for i, left := 0, 0; i < n; i, left = i+1, left-1 {
			if left == 0 {
				Set(starts, i)
				left = 1 + r.IntN(longest)
				group = append(group, 1)
			}
			if len(group) <= i {
				group = append(group, 0)
			}
		}
		groups := 0
		for i := range group {
			if Get(starts, i) {
				groups++
			}
			group[i] = groups - 1
		}
		src := make([]uint64, Words(groups))
		for i := range src {
			src[i] = r.Uint64()
		}
		at, began := r.IntN(70), r.IntN(2) == 0
		spread, some := make([]uint64, Words(n)), make([]uint64, Words(at+groups+70))
		SetRange(some, 0, at) // which stay, as what is behind them does
		SetRange(some, at+groups, at+groups+70)
		if began {
			Set(some, at)
		}
		Spread(spread, src, starts, n)
		Group(some, at, items, starts, n)
		if !All(some, 0, at) || !All(some, at+groups, at+groups+70) {
			t.Fatalf("round %d: bits outside of %d groups from %d on have changed", round, groups, at)
		}
		want := make([]bool, groups)
		for i, g := range group {
			if Get(spread, i) != Get(src, g) {
				t.Fatalf("round %d: item %d of group %d is %v", round, i, g, Get(spread, i))
			}
			if Get(items, i) {
				want[g] = true
			}
		}
		for g, has := range want {
			if Get(some, at+g) != (has || began && g == 0) {
				t.Fatalf("round %d: group %d has an item: %v, said is %v", round, g, has, Get(some, at+g))
			}
		}
	}
}
