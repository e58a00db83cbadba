package value

import (
	"testing"
	"time"
)

// TestCivil compares days near and far with package time.
func TestCivil(t *testing.T) {
	for _, from := range []int64{-farthestDay / 400, -1 << 31, -800_000, -719_528 - 400, -400, 1<<31 - 800_000, farthestDay / 400} {
		for day := from; day < from+150_000; day++ {
			want := time.Unix(day*86400, 0).UTC()
			if y, m, d := Civil(day); int64(want.Year()) != y || int64(want.Month()) != m || int64(want.Day()) != d {
				t.Fatalf("day %d: %d-%d-%d, want %v", day, y, m, d, want)
			}
		}
	}
	for _, day := range []int64{-farthestDay, farthestDay} {
		year, _, _ := Civil(day)
		if first := NewYear(year); day < first || day >= NewYear(year+1) {
			t.Errorf("day %d is not of the year %d", day, year)
		}
	}
}
