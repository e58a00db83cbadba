package meter

import (
	"testing"
	"time"
)

func TestMeter(t *testing.T) {
	var m Meter
	check := func(latency time.Duration, bandwidth int64) {
		t.Helper()
		if l, b := m.Rates(); l != latency || b != bandwidth {
			t.Errorf("%v and %d bytes/s, want %v and %d", l, b, latency, bandwidth)
		}
	}
	check(0, 0)
	m.AddBytes(minMetered-1, time.Second) // too few
	m.AddBytes(minMetered, 0)             // no time
	check(0, 0)
	m.AddLatency(0)
	check(1, 0) // known, and short
	m = Meter{}
	m.AddLatency(100 * time.Millisecond)
	m.AddBytes(8<<20, 2*time.Second)
	check(100*time.Millisecond, 4<<20)
	m.AddLatency(20 * time.Millisecond)
	m.AddBytes(8<<20, time.Second)
	check(80*time.Millisecond, 5<<20)
}
