package scanner

import (
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/invariants"
)

// pool is memory that feeds take turns with.
type pool struct {
	mu    sync.Mutex
	free  [][]byte
	size  int // of all that is free
	limit int // of size; 0 stands for maxIdle
}

const (
	maxIdle  = 32 << 20 // bytes
	lookBack = 64       // buffers that are tried, from the last
)

// take returns memory for n bytes, with padding behind them.
func (p *pool) take(n int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	best := -1
	for i := len(p.free) - 1; i >= max(0, len(p.free)-lookBack); i-- {
		if c := cap(p.free[i]); c >= n+encoding.Padding && (best < 0 || c < cap(p.free[best])) {
			best = i
		}
	}
	if best < 0 {
		return make([]byte, n, n+encoding.Padding)
	}
	b := p.free[best]
	p.size -= cap(b)
	p.free = slices.Delete(p.free, best, best+1)
	return b[:n]
}

// give takes memory back that nobody looks at. What has lain there longest goes.
func (p *pool) give(b []byte) {
	invariants.Mangle(b)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, b)
	p.size += cap(b)
	drop := 0
	limit := p.limit
	if limit == 0 {
		limit = maxIdle
	}
	for p.size > limit {
		p.size -= cap(p.free[drop])
		drop++
	}
	p.free = slices.Delete(p.free, 0, drop)
}
