package feed

import (
	"cmp"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/invariants"
)

// Pool lends memory to feeds and prefetchers. Safe for concurrent use.
type Pool struct {
	// Limit bounds the bytes of free buffers; 0 stands for MaxIdle. It must be set
	// before the first use.
	Limit int

	mu        sync.Mutex
	free      [][]byte
	freeBytes int // bytes of all free buffers
}

// MaxIdle is the default of Pool.Limit, in bytes.
const MaxIdle = 32 << 20

// maxTried bounds how many free buffers Take tries, the last given ones first.
const maxTried = 64

// Take returns a slice of n bytes, of any content, with encoding.Padding of spare capacity.
// The caller owns it until Give.
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

// Give returns memory to the pool. The caller must have no view of it any more. Beyond the
// limit, the buffers that were given first are dropped.
func (p *Pool) Give(b []byte) {
	invariants.Mangle(b)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, b)
	p.freeBytes += cap(b)
	drop := 0
	for p.freeBytes > cmp.Or(p.Limit, MaxIdle) {
		p.freeBytes -= cap(p.free[drop])
		drop++
	}
	p.free = slices.Delete(p.free, 0, drop)
}
