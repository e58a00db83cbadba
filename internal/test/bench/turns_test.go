package bench

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Turns end when there are enough; another contender is the first in each round, and what is
// found wrong ends them.
func TestTakeTurns(t *testing.T) {
	var order []string
	contenderOf := func(name string, fault error) *contender {
		return &contender{name: name, times: 2, run: func(context.Context) (func() error, error) {
			order = append(order, name)
			return func() error { return fault }, nil
		}}
	}
	all := []*contender{contenderOf("a", nil), contenderOf("b", nil), contenderOf("c", nil)}
	if err := takeTurns(t.Context(), all, func(rounds int) bool { return rounds == 2 }); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(order, ""); got != "aabbccbbccaa" {
		t.Errorf("turns %s", got)
	}
	for _, c := range all {
		if len(c.cpu) != 2 || len(c.wall) != 2 {
			t.Errorf("%s: %d and %d times", c.name, len(c.cpu), len(c.wall))
		}
	}
	fault := errors.New("wrong")
	all[1] = contenderOf("b", fault)
	if err := takeTurns(t.Context(), all, func(rounds int) bool { return rounds == 2 }); err != fault {
		t.Errorf("error %v", err)
	}
}

// The median of noise is known the better the more there is of it.
func TestKnown(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	inside, last := 0, 1.0
	for _, n := range []int{20, 200, 2000} {
		widest := 0.0
		for range 100 {
			var list []float64
			for range n {
				list = append(list, 1+0.1*r.NormFloat64())
			}
			middle, off := known(list)
			widest = max(widest, off)
			if math.Abs(middle-1) <= off {
				inside++
			}
		}
		if widest > last {
			t.Errorf("%d: off by %v, and by %v of fewer", n, widest, last)
		}
		last = widest
	}
	if inside < 270 {
		t.Errorf("the true median is known %d times of 300", inside)
	}
}

// A list tells on which side of a limit its median is unless the limit is among its middle values.
func TestSettled(t *testing.T) {
	var list []float64
	for i := range 100 {
		list = append(list, float64(i))
	}
	for limit, want := range map[float64]bool{30: true, 45: false, 52: false, 70: true} {
		if settled(list, limit) != want {
			t.Errorf("median of 0 to 99 and a limit of %v: settled is %v", limit, !want)
		}
	}
	if settled(list[:2], 0.5) || settled([]float64{3}, 3) {
		t.Error("few values tell too much")
	}
}
