package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/scanner"
)

// Turns end when the ratio is known well enough, and not before a few.
func TestTakeTurns(t *testing.T) {
	f, err := scanner.Open(t.Context(), gridFile(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, test := range []struct {
		most   int
		enough float64
		want   int
	}{{5, math.Inf(1), 5}, {30, math.Inf(1), fewestPairs}, {30, 0, 30}} {
		own, err := warm(t.Context(), f, scanner.Options{})
		if err != nil {
			t.Fatal(err)
		}
		other := own.by(scanner.Options{BatchRows: 1})
		if err := takeTurns(t.Context(), own, other, test.most, test.enough); err != nil || len(own.spent) != test.want || len(other.spent) != test.want {
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
