package ioplan

import (
	"sync"
	"time"
)

// Meter learns what requests to a source cost while scans run. Safe for concurrent use. The
// zero Meter knows nothing yet.
//
//	call a      |  latency  |=====|
//	call b        |  latency  |=========|
//	busy        [ latency   |  bytes / bandwidth ]
type Meter struct {
	mu        sync.Mutex
	latency   float64 // seconds
	bandwidth float64 // bytes a second of all calls together

	calls    int // in flight
	inFlight int64
	most     int64     // the most bytes in flight since busy
	busy     time.Time // since when calls are in flight, or the last sample
	first    bool      // the latency of the first call after busy counts
	bytes    int64     // that came since busy
}

const (
	shortCall  = 64 << 10 // a call of at most so many bytes tells the latency
	sampleSize = 1 << 20  // so many bytes tell the bandwidth

	// sampleLatencies is how many latencies a sample takes if calls stay in flight.
	sampleLatencies = 8
)

// Begin is called when a call for n bytes starts.
func (m *Meter) Begin(n int64) (start time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	start = time.Now()
	if m.calls == 0 {
		m.busy, m.first, m.bytes, m.most = start, true, 0, 0
	}
	m.calls++
	m.inFlight += n
	m.most = max(m.most, m.inFlight)
	return start
}

// End is called when a call for n bytes has returned, right or wrong.
func (m *Meter) End(start time.Time, n int64, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls--
	m.inFlight -= n
	if !ok {
		return
	}
	now := time.Now()
	if m.bytes += n; n <= shortCall {
		m.latency = average(m.latency, now.Sub(start).Seconds())
	}
	took := now.Sub(m.busy).Seconds()
	if m.first {
		took -= m.latency
	}
	if m.bytes < sampleSize || took <= 0 || m.calls > 0 && took < sampleLatencies*m.latency {
		return // others may return at the same time
	}
	// With few bytes in flight the source may have idled: then it is at least as fast.
	rate := float64(m.bytes) / took
	if rate > m.bandwidth || float64(m.most) >= 2*m.latency*m.bandwidth {
		m.bandwidth = average(m.bandwidth, rate)
	}
	m.busy, m.first, m.bytes, m.most = now, false, 0, m.inFlight
}

// average returns a moving average, in which a value counts a quarter.
func average(before, now float64) float64 {
	if before == 0 {
		return now
	}
	return before + (now-before)/4
}

// Cost returns what was learnt, and what is stated where nothing was.
func (m *Meter) Cost(stated Cost) Cost {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.latency > 0 {
		stated.Latency = time.Duration(m.latency * 1e9)
	}
	if m.bandwidth > 0 {
		stated.Bandwidth = int64(m.bandwidth)
	}
	return stated
}
