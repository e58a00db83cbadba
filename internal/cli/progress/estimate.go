package progress

import (
	"math"
	"time"
)

// smoothed is an estimate of the time left, which follows new estimates slowly: one that is
// wrong for a moment should not be seen.
type smoothed struct {
	seconds float64
	at      time.Time // zero: there is none yet
}

// smoothing is the number of seconds after which 63 % of a change is seen: 1-1/e.
const smoothing = 5

// next returns the estimate at a time, given the one from what was measured until then.
func (s *smoothed) next(now time.Time, measured float64) float64 {
	passed := now.Sub(s.at).Seconds()
	if s.at.IsZero() {
		s.seconds = measured
	} else {
		expected := max(s.seconds-passed, 0)
		s.seconds = expected + (measured-expected)*(1-math.Exp(-passed/smoothing))
	}
	s.at = now
	return s.seconds
}
