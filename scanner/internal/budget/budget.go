package budget

import (
	"math"
	"sync"
)

// Use is a use of memory with a limit of its own.
type Use uint8

const (
	Waiting     Use = iota // batches that wait for their turn
	Prefetching            // bytes prefetched from a remote source
	Reading                // bytes read for open column chunks, and ahead of them
	Making                 // batches in the making
	Minima                 // what admitted scans need; its holders count dictionaries
	Uses        = int(Minima) + 1
)

// Budget counts the bytes of several holders. Safe for concurrent use.
type Budget struct {
	mu         sync.Mutex
	change     sync.Cond // bytes were given back, or Wake was called
	quotas     [Uses]quota
	used, peak int64 // of all quotas
	admission
}

// quota is what one use may have, and has.
type quota struct{ limit, used, holders int64 }

// New returns a Budget with the limit of each use in bytes.
func New(limits [Uses]int64) *Budget {
	b := new(Budget)
	b.change.L, b.moved.L = &b.mu, &b.mu
	for i, limit := range limits {
		b.quotas[i].limit = limit
	}
	return b
}

// Used returns how many bytes the holders have now, and how many they had at most.
func (b *Budget) Used() (now, peak int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used, b.peak
}

// Wake makes each Wait look at its condition again.
func (b *Budget) Wake() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.change.Broadcast()
}

// Holder has bytes of one use of a Budget. A nil Holder has no limit and counts nothing.
// Safe for concurrent use.
type Holder struct {
	budget *Budget
	quota  *quota
	used   int64
}

// Join returns a new holder of a use, nil if b is nil. The caller calls Leave.
func (b *Budget) Join(u Use) *Holder {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	h := &Holder{budget: b, quota: &b.quotas[u]}
	h.quota.holders++
	return h
}

// Leave gives back all bytes of the holder, which must not be used any more.
func (h *Holder) Leave() {
	if h == nil {
		return
	}
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	h.quota.holders--
	h.add(-h.used)
	h.budget.change.Broadcast() // the shares of the others have grown
}

// Share returns how many bytes the holder may have: as many as each other holder.
func (h *Holder) Share() int64 {
	if h == nil {
		return math.MaxInt64
	}
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	return h.share()
}

func (h *Holder) share() int64 { return h.quota.limit / max(h.quota.holders, 1) }

// room returns how many bytes the holder may take.
func (h *Holder) room() int64 { return min(h.share()-h.used, h.quota.limit-h.quota.used) }

func (h *Holder) add(n int64) {
	h.used += n
	h.quota.used += n
	h.budget.used += n
	h.budget.peak = max(h.budget.peak, h.budget.used)
}

// Take takes n bytes, whatever the limit.
func (h *Holder) Take(n int64) { h.TakeUpTo(n, n) }

// TryTake takes n bytes and returns true if there is room for them.
func (h *Holder) TryTake(n int64) bool {
	if h == nil {
		return true
	}
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	if h.room() < n {
		return false
	}
	h.add(n)
	return true
}

// TakeUpTo takes most bytes, or as many as there is room for, but at least least whatever
// the limit. It returns their number.
func (h *Holder) TakeUpTo(least, most int64) int64 {
	if h == nil {
		return most
	}
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	n := min(max(h.room(), least), most)
	h.add(n)
	return n
}

// Wait takes n bytes as soon as there is room for them, or urgent returns true. urgent may
// lock what is never locked around a call of this package. When its result changes, its
// owner calls Wake.
func (h *Holder) Wait(n int64, urgent func() bool) {
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	for h.room() < n && !urgent() {
		h.budget.change.Wait()
	}
	h.add(n)
}

// Give gives back n bytes.
func (h *Holder) Give(n int64) {
	if h == nil || n == 0 {
		return
	}
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	h.add(-n)
	h.budget.change.Broadcast()
}

// GiveAll gives back all bytes of the holder.
func (h *Holder) GiveAll() {
	if h == nil {
		return
	}
	h.budget.mu.Lock()
	n := h.used
	h.budget.mu.Unlock()
	h.Give(n)
}
