package hdfsscan

import (
	"sync"
	"time"
)

// meter is what streams take: moving averages, in which one counts a quarter.
type meter struct {
	mu        sync.Mutex
	latency   time.Duration // from the request to the first bytes
	bandwidth float64       // bytes a second of one stream
}

// minMetered is how many bytes in one go tell the bandwidth: fewer may have been in buffers.
const minMetered = 1 << 20

func (m *meter) addLatency(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.latency = max(time.Duration(average(float64(m.latency), float64(d))), 1)
}

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
