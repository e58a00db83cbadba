package rowfilter

import (
	"slices"
	"testing"
	"time"
)

// How long a backoff lasts is looked at after 4, 8, 16 … windows, and none takes more
// than 256. What is left untested for more than one window at a time is looked at after those.
func TestBackoffIsOver(t *testing.T) {
	for _, c := range []struct {
		each       int // windows
		ends, over int // after how many windows it may be over, and is
	}{
		{1, 0, 4}, {1, 4, 4}, {1, 5, 8}, {1, 9, 16}, {1, 100, 128}, {1, 129, 256}, {1, 1000, 256},
		{8, 0, 8}, {8, 8, 8}, {8, 9, 16}, {8, 17, 32}, {8, 33, 64}, {8, 200, 256}, {8, 1000, 256},
	} {
		var r backoff
		r.record(100, 100, time.Hour)
		passed := 0
		for !r.ended(c.each) {
			if passed += c.each; passed >= c.ends {
				r.until = time.Now()
			}
		}
		if passed != c.over || !r.ended(c.each) {
			t.Errorf("a backoff of %d windows, %d at a time, is over after %d, want %d", c.ends, c.each, passed, c.over)
		}
	}
}

// A filter backs off after windows that say enough, not after a few rows.
func TestBackoffWeighsRows(t *testing.T) {
	for _, c := range []struct {
		name     string
		windows  [][2]int // rows that it was asked about, that passed
		backsOff bool
	}{
		{"few rows", [][2]int{{3, 3}}, false},
		{"few rows many times", [][2]int{{8, 8}, {8, 8}, {8, 8}, {8, 8}}, true},
		{"a try", [][2]int{{32, 32}}, true},
		{"few rows of a useful one", [][2]int{{30_000, 15_000}, {40, 40}}, false},
		{"a full window of one that was useful", [][2]int{{30_000, 15_000}, {30_000, 30_000}}, true},
		{"full windows of one that drops little", [][2]int{{30_000, 29_000}, {30_000, 29_700}}, true},
		{"many small ones of one that was useful", slices.Repeat([][2]int{{100, 50}, {1000, 1000}, {1000, 1000}}, 2), true},
	} {
		var r backoff
		for _, w := range c.windows {
			r.record(w[0], w[1], time.Hour)
		}
		if backsOff := r.windowsLeft > 0; backsOff != c.backsOff {
			t.Errorf("%s: backs off: %v", c.name, backsOff)
		}
	}
}
