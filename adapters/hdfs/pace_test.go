package hdfsscan

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	var p pace
	check := func(latency time.Duration, bandwidth int64) {
		t.Helper()
		if l, b := p.rates(); l != latency || b != bandwidth {
			t.Errorf("%v and %d bytes/s, want %v and %d", l, b, latency, bandwidth)
		}
	}
	check(0, 0)
	p.addBytes(minPaced-1, time.Second) // too few
	p.addBytes(minPaced, 0)             // no time
	check(0, 0)
	p.addWait(0)
	check(1, 0) // known, and short
	p = pace{}
	p.addWait(100 * time.Millisecond)
	p.addBytes(8<<20, 2*time.Second)
	check(100*time.Millisecond, 4<<20)
	p.addWait(20 * time.Millisecond)
	p.addBytes(8<<20, 2*time.Second)
	p.addBytes(8<<20, time.Second)
	check(60*time.Millisecond, 24<<20/5)
}
