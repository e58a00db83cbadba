package web

import (
	"sync"
	"time"
)

// meter has moving averages of what requests take, for Traits. A request counts a quarter. The zero
// meter is ready, and knows nothing. Safe for concurrent use.
type meter struct {
	mu        sync.Mutex
	latency   time.Duration // from the request to the first byte of its response
	bandwidth float64       // bytes a second of one response
}

// minMetered is how many bytes of one response tell its bandwidth: fewer may have been in buffers
// when the first of them was read.
const minMetered = 1 << 20

// addLatency adds the time that a request took to its first byte.
func (m *meter) addLatency(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.latency = max(time.Duration(average(float64(m.latency), float64(d))), 1)
}

// addBytes adds a number of bytes, and the time that they took after the first of them.
func (m *meter) addBytes(n int64, d time.Duration) {
	if n < minMetered || d <= 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.bandwidth = average(m.bandwidth, float64(n)/d.Seconds())
}

func average(before, now float64) float64 {
	if before == 0 {
		return now
	}
	return before + (now-before)/4
}

// rates returns the averages; 0 is unknown.
func (m *meter) rates() (latency time.Duration, bandwidth int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.latency, int64(m.bandwidth)
}
