package fetch

import (
	"testing"
	"time"
)

func TestRates(t *testing.T) {
	var m Rates
	check := func(latency time.Duration, bandwidth int64) {
		t.Helper()
		if l, b := m.Known(2); l != latency || b != bandwidth {
			t.Errorf("%v and %d bytes/s, want %v and %d", l, b, latency, bandwidth)
		}
	}
	check(0, 0)
	m.AddBytes(minMetered-1, time.Second) // too few
	m.AddBytes(minMetered, 0)             // no time
	check(0, 0)
	m.AddLatency(0)
	check(1, 0) // known, and short
	m = Rates{}
	m.AddLatency(100 * time.Millisecond)
	m.AddBytes(8<<20, 2*time.Second)
	check(100*time.Millisecond, 8<<20)
	m.AddLatency(20 * time.Millisecond)
	m.AddBytes(8<<20, time.Second)
	check(80*time.Millisecond, 10<<20)
}
