package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/scanner"
)

// Turns end when there are enough, and not before a few.
func TestTakeTurns(t *testing.T) {
	f, err := scanner.Open(t.Context(), gridFile(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, test := range []struct {
		pairs, most int
		enough      int // of pairs
		want        int
	}{{20, 5, 0, 5}, {20, 30, 0, 20}, {20, 30, 40, 30}, {2, 30, 0, 2}, {2, 30, 7, 8}} {
		own, err := warm(t.Context(), f, scanOptions{})
		if err != nil {
			t.Fatal(err)
		}
		other := own.by(scanOptions{Options: scanner.Options{BatchRows: 1}})
		enough := func() bool { return len(own.spent) >= test.enough }
		if err := takeTurns(t.Context(), own, other, test.pairs, test.most, enough); err != nil || len(own.spent) != test.want || len(other.spent) != test.want {
			t.Errorf("%+v: %d and %d turns, %v", test, len(own.spent), len(other.spent), err)
		}
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
