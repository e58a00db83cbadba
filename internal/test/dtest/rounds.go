package dtest

import (
	"errors"
	"os"
	"strconv"
	"testing"
	"time"
)

// Rounds returns how many rounds a random test runs, and logs it: n, half of them with
// -short, and WINNOW_ROUNDS times as many where that is set.
func Rounds(tb testing.TB, n int) int {
	tb.Helper()
	rounds := max(1, int(float64(n)*factor(tb)))
	tb.Logf("%s: %d rounds", tb.Name(), rounds)
	return rounds
}

// Moment returns how long something changes while it is read: so long, half of it with
// -short, and WINNOW_ROUNDS times as long where that is set.
func Moment(tb testing.TB, long time.Duration) time.Duration {
	return time.Duration(float64(long) * factor(tb))
}

func factor(tb testing.TB) float64 {
	tb.Helper()
	f := 1.0
	if s := os.Getenv("WINNOW_ROUNDS"); s != "" {
		var err error
		if f, err = strconv.ParseFloat(s, 64); err != nil || !(f > 0 && f <= 1e6) {
			tb.Fatalf("WINNOW_ROUNDS=%s is not a factor for the rounds of random tests", s)
		}
	}
	if testing.Short() {
		f /= 2
	}
	return f
}

// OnceOfFour calls once until it holds, and fails the test when it has failed four times: for figures in which
// chance has a part, such as the order in which goroutines run.
func OnceOfFour(tb testing.TB, once func() error) {
	tb.Helper()
	var failed [4]error
	for i := range failed {
		if failed[i] = once(); failed[i] == nil {
			return
		}
	}
	tb.Errorf("four times of four:\n%v", errors.Join(failed[:]...))
}
