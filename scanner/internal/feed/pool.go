package feed

import (
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/invariants"
)

// Pool lends memory to feeds and prefetchers. It is safe for concurrent use.
type Pool struct {
	// Limit bounds the bytes that wait for their next use; 0 stands for MaxIdle.
	// It is set before the first use.
	Limit int

	mu        sync.Mutex
	free      [][]byte
	freeBytes int // of all that is free
}

// MaxIdle is the Limit of a Pool that has none, in bytes.
const MaxIdle = 32 << 20

// lookBack is how many buffers are tried, from the last.
const maxTried = 64

// Take returns memory for n bytes, with padding behind them.
func (p *Pool) Take(n int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	best := -1
	for i := len(p.free) - 1; i >= max(0, len(p.free)-maxTried); i-- {
		if c := cap(p.free[i]); c >= n+encoding.Padding && (best < 0 || c < cap(p.free[best])) {
			best = i
		}
	}
	if best < 0 {
		return make([]byte, n, n+encoding.Padding)
	}
	b := p.free[best]
	p.freeBytes -= cap(b)
	p.free = slices.Delete(p.free, best, best+1)
	return b[:n]
}

// Give takes memory back that nobody looks at. Beyond the limit, what has waited longest is dropped.
func (p *Pool) Give(b []byte) {
	invariants.Mangle(b)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, b)
	p.freeBytes += cap(b)
	drop := 0
	limit := p.Limit
	if limit == 0 {
		limit = MaxIdle
	}
	for p.freeBytes > limit {
		p.freeBytes -= cap(p.free[drop])
		drop++
	}
	p.free = slices.Delete(p.free, 0, drop)
}
