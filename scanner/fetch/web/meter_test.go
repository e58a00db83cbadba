package web

import (
	"testing"
	"time"
)

func TestMeter(t *testing.T) {
	var m meter
	check := func(latency time.Duration, bandwidth int64) {
		t.Helper()
		if l, b := m.rates(); l != latency || b != bandwidth {
			t.Errorf("%v and %d bytes/s, want %v and %d", l, b, latency, bandwidth)
		}
	}
	check(0, 0)
	m.addBytes(minMetered-1, time.Second) // too few
	m.addBytes(minMetered, 0)             // no time
	check(0, 0)
	m.addLatency(0)
	check(1, 0) // known, and short
	m = meter{}
	m.addLatency(100 * time.Millisecond)
	m.addBytes(8<<20, 2*time.Second)
	check(100*time.Millisecond, 4<<20)
	m.addLatency(20 * time.Millisecond)
	m.addBytes(8<<20, time.Second)
	check(80*time.Millisecond, 5<<20)
}
