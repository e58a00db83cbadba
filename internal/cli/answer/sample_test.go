package answer

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/internal/cli/input"
)

func TestDrawIsFairAndWithoutDoubles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const all, n, rounds = 20, 7, 20000
	var times [all]int
	for range rounds {
		drawn := draw(rng, n, all)
		if len(drawn) != n || !slices.IsSorted(drawn) || len(slices.Compact(slices.Clone(drawn))) != n {
			t.Fatal(drawn)
		}
		for _, x := range drawn {
			times[x]++
		}
	}
	// Each is drawn rounds·n/all times, give or take seven standard deviations.
	const mean, give = rounds * n / all, 480
	for x, k := range times {
		if k < mean-give || k > mean+give {
			t.Errorf("%d was drawn %d times, not about %d", x, k, mean)
		}
	}
}

func TestDrawMoreThanThereAre(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	if got := draw(rng, 9, 3); !slices.Equal(got, []int64{0, 1, 2}) {
		t.Error(got)
	}
	if got := draw(rng, 9, 0); len(got) != 0 {
		t.Error(got)
	}
	if got := draw(rng, 1, input.MaxRows); len(got) != 1 || got[0] < 0 {
		t.Error(got)
	}
}
