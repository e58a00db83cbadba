package fetch

import (
	"sync"
	"time"
)

// Rates has moving averages of what a source's requests take, for its Traits. A request counts a quarter. The zero
// Rates is ready, and knows nothing. Safe for concurrent use.
type Rates struct {
	mu        sync.Mutex
	latency   time.Duration // from the request to the first byte of its response
	bandwidth float64       // bytes a second of one response
}

// minMetered is how many bytes of one response tell its bandwidth: fewer may have been in buffers
// when the first of them was read.
const minMetered = 1 << 20

// AddLatency adds the time that a request took to its first byte.
func (r *Rates) AddLatency(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.latency = max(time.Duration(average(float64(r.latency), float64(d))), 1)
}

// AddBytes adds a number of bytes, and the time that they took after the first of them.
func (r *Rates) AddBytes(n int64, d time.Duration) {
	if n < minMetered || d <= 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bandwidth = average(r.bandwidth, float64(n)/d.Seconds())
}

func average(before, now float64) float64 {
	if before == 0 {
		return now
	}
	return before + (now-before)/4
}

// Known returns the averages; 0 is unknown. The bandwidth is that of a number of requests at once.
func (r *Rates) Known(atOnce int) (latency time.Duration, bandwidth int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.latency, int64(r.bandwidth) * int64(atOnce)
}
