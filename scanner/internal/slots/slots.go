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
	clock       time.Duration // how long the shares that took slots last have had theirs
}

// New returns a number of slots; nil, which is no limit, if it is 0.
func New(limit int) *Slots {
	if limit == 0 {
		return nil
	}
	return &Slots{limit: limit, free: limit}
}

// Share is what one scan has of Slots. A nil Share has as many as it takes.
// Safe for concurrent use.
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

// Fair returns how many slots one more share would have if all that use some had as many, at least one.
func (s *Slots) Fair() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	users := s.busy + 1
	for _, w := range s.waiting {
		if w.share.held == 0 {
			users++
		}
	}
	return max(s.limit/users, 1)
}

// take takes up to most free slots.
func (s *Slots) take(x *Share, most int) (n int) {
	if n = min(most, s.free); n > 0 {
		s.free -= n
		s.hold(x, n)
	}
	return n
}

// hold adds n to the slots that a share has.
func (s *Slots) hold(x *Share, n int) {
	if x.held == 0 {
		s.busy++
	}
	if n > 0 {
		s.clock = max(s.clock, x.used)
	}
	if x.held += n; x.held == 0 {
		s.busy--
	}
}

// Take waits for slots, and takes up to most of those that are free then. It returns how many: 0 if
// ctx has ended before there was one.
func (x *Share) Take(ctx context.Context, most int) int {
	s := x.slots
	s.mu.Lock()
	x.used = max(x.used, s.clock)
	n := s.take(x, most)
	if n > 0 {
		s.mu.Unlock()
		return n
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
	return x.slots.take(x, most)
}

// Room returns how many of most slots are free. If none is, again is called once some are, unless those
// that wait, or other shares that ask, take them first. It is called without a lock of this package.
func (x *Share) Room(most int, again func()) int {
	if x == nil {
		return most
	}
	s := x.slots
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free == 0 {
		if x.again == nil {
			s.asking = append(s.asking, x)
		}
		x.again = again
	}
	return min(most, s.free)
}

// Most returns the smaller of n and the number of all slots.
func (x *Share) Most(n int) int {
	if x == nil {
		return n
	}
	return min(n, x.slots.limit)
}

// Give gives n slots back to those that wait, and then to those that ask. The caller holds no lock
// that these may want.
func (x *Share) Give(n int) {
	if x == nil || n == 0 {
		return
	}
	s := x.slots
	s.mu.Lock()
	s.hold(x, -n)
	s.free += n
	s.hand()
	invariants.Assert(x.held >= 0 && s.free <= s.limit && (s.free == 0 || len(s.waiting) == 0), "slots that are free, and waited for or never taken")
	for next := s.nextAsking(); next != nil; next = s.nextAsking() {
		s.mu.Unlock()
		next()
		s.mu.Lock()
	}
	s.mu.Unlock()
}

// before reports whether a slot is x's rather than y's.
func (x *Share) before(y *Share) bool {
	return cmp.Or(cmp.Compare(x.held, y.held), cmp.Compare(x.used, y.used)) < 0
}

// use counts for how long x has had a slot, and reports whether that is now for one that waits.
func (x *Share) use(d time.Duration) (over bool) {
	s := x.slots
	s.mu.Lock()
	defer s.mu.Unlock()
	x.used += d
	without := &Share{held: x.held - 1, used: x.used}
	return slices.ContainsFunc(s.waiting, func(w *waiter) bool { return !without.before(w.share) })
}

// hand gives the free slots to those that wait: as many to each, if there are enough.
func (s *Slots) hand() {
	for s.free > 0 && len(s.waiting) > 0 {
		i := 0
		for k, w := range s.waiting {
			if w.share.before(s.waiting[i].share) {
				i = k
			}
		}
		w := s.waiting[i]
		w.got = s.take(w.share, min(w.most, max(s.free/len(s.waiting), 1)))
		s.waiting = slices.Delete(s.waiting, i, i+1)
		close(w.ready)
	}
}

// nextAsking returns what the next share that has asked is to be called with, nil if there is none,
// or no slot for it.
func (s *Slots) nextAsking() (again func()) {
	if s.free == 0 || len(s.asking) == 0 {
		return nil
	}
	i := 0
	for k, x := range s.asking {
		if x.before(s.asking[i]) {
			i = k
		}
	}
	x := s.asking[i]
	s.asking = slices.Delete(s.asking, i, i+1)
	again, x.again = x.again, nil
	return again
}
