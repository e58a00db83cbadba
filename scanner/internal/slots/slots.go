package slots

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/winnow-scan/winnow/internal/invariants"
)

// Slots are a number of slots that several shares have. Safe for concurrent use.
type Slots struct {
	mu          sync.Mutex
	limit, free int
	busy        int           // shares that have slots
	waiting     []*waiter     // in Take, in the order in which they came; there are none while slots are free
	asking      []*Share      // that are called once slots are free, in the order in which they asked
	clock       time.Duration // for how long the shares that took slots last have had theirs
}

// New returns a number of slots; nil, which is no limit, if it is 0.
func New(limit int) *Slots {
	if limit == 0 {
		return nil
	}
	return &Slots{limit: limit, free: limit}
}

// Share is what one scan has of Slots. A nil Share has as many as it takes. Safe for concurrent use.
type Share struct {
	slots *Slots
	held  int
	used  time.Duration // for how long it has had slots, or the clock if that is more: who was idle gains nothing
	again func()        // to call when slots are free; nil: it has not asked
}

// waiter is a call of Take.
type waiter struct {
	share     *Share
	most, got int
	ready     chan struct{} // closed when got is set
}

// NewShare returns a share of the slots, nil if s is nil.
func (s *Slots) NewShare() *Share {
	if s == nil {
		return nil
	}
	return &Share{slots: s}
}

// Fair returns how many slots one more share would have if all had as many, at least one.
func (s *Slots) Fair() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(s.limit/(s.busy+1), 1)
}

// compare returns a number below 0 if a slot is x's rather than y's.
func (x *Share) compare(y *Share) int {
	return cmp.Or(cmp.Compare(x.held, y.held), cmp.Compare(x.used, y.used))
}

// hold adds n to the slots that x has, from the free ones.
func (x *Share) hold(n int) int {
	s := x.slots
	if x.held == 0 && n > 0 {
		s.busy++
	}
	if x.held, s.free = x.held+n, s.free-n; n > 0 {
		s.clock = max(s.clock, x.used)
	} else if n < 0 && x.held == 0 {
		s.busy--
	}
	return n
}

// Take waits for slots, and takes up to most of those that are free then. It returns how many: 0 if
// ctx has ended before there was one.
func (x *Share) Take(ctx context.Context, most int) int {
	s := x.slots
	s.mu.Lock()
	if x.used = max(x.used, s.clock); s.free > 0 {
		defer s.mu.Unlock()
		return x.hold(min(most, s.free))
	}
	w := &waiter{share: x, most: most, ready: make(chan struct{})}
	s.waiting = append(s.waiting, w)
	s.mu.Unlock()
	select {
	case <-w.ready:
	case <-ctx.Done():
		s.mu.Lock()
		defer s.mu.Unlock()
		s.waiting = slices.DeleteFunc(s.waiting, func(other *waiter) bool { return other == w })
	}
	return w.got
}

// TryTake takes up to most free slots, and returns how many.
func (x *Share) TryTake(most int) int {
	if x == nil {
		return most
	}
	x.slots.mu.Lock()
	defer x.slots.mu.Unlock()
	return x.hold(min(most, x.slots.free))
}

// Room returns how many of most slots are there, and are free unless again is nil. If none is, again
// is called once some are, unless those that wait, or other shares that ask, take them first. It is
// called without a lock of this package.
func (x *Share) Room(most int, again func()) int {
	if x == nil {
		return most
	}
	s := x.slots
	s.mu.Lock()
	defer s.mu.Unlock()
	if again == nil {
		return min(most, s.limit)
	}
	if s.free == 0 {
		if x.again == nil {
			s.asking = append(s.asking, x)
		}
		x.again = again
	}
	return min(most, s.free)
}

// Give gives n slots back: to those that wait, as many to each if there are enough, and then to those
// that ask. The caller holds no lock that these may want.
func (x *Share) Give(n int) {
	if x == nil {
		return
	}
	s := x.slots
	s.mu.Lock()
	defer s.mu.Unlock()
	x.hold(-n)
	invariants.Assert(x.held >= 0 && s.free <= s.limit, "more slots come back than were taken")
	for s.free > 0 && len(s.waiting) > 0 {
		w := slices.MinFunc(s.waiting, func(a, b *waiter) int { return a.share.compare(b.share) })
		w.got = w.share.hold(min(w.most, max(s.free/len(s.waiting), 1)))
		s.waiting = slices.DeleteFunc(s.waiting, func(other *waiter) bool { return other == w })
		close(w.ready)
	}
	for s.free > 0 && len(s.asking) > 0 {
		next := slices.MinFunc(s.asking, (*Share).compare)
		s.asking = slices.DeleteFunc(s.asking, func(other *Share) bool { return other == next })
		again := next.again
		next.again = nil
		s.mu.Unlock()
		again()
		s.mu.Lock()
	}
}

// use counts for how long x has had a slot, and reports whether that is now for one that waits.
func (x *Share) use(d time.Duration) (over bool) {
	s := x.slots
	s.mu.Lock()
	defer s.mu.Unlock()
	x.used += d
	without := &Share{held: x.held - 1, used: x.used}
	return slices.ContainsFunc(s.waiting, func(w *waiter) bool { return w.share.compare(without) <= 0 })
}
