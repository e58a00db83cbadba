package budget

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// patience is for how long no admitted scan is asked for rows, until others are admitted
// beside them: the goroutine that should ask may itself wait for admission.
const patience = time.Second

// admission counts what each scan needs so that it need not wait again.
type admission struct {
	moved    sync.Cond // there may be more room
	admitted []*Scan
	waiting  []*Worker // in Admit, first come first served
	last     time.Time // that a host or a scan did something
}

// Scan is a scan whose goroutines are admitted one by one. A nil Scan has no Budget.
type Scan struct {
	Budget     *Budget
	lead       *Worker // the first
	minimum    int64   // of all workers
	away       bool    // the host is not asking for rows
	overlooked bool    // the minimum does not count while away
}

// Asks notes whether the host waits for rows of the scan, or does something else.
func (s *Scan) Asks(yes bool) {
	if s != nil {
		s.Budget.mu.Lock()
		defer s.Budget.mu.Unlock()
		s.away, s.Budget.last = !yes, time.Now()
		if s.away && s.overlooked {
			s.Budget.moved.Broadcast()
		}
	}
}

// Worker is a goroutine of a Scan. Only that goroutine calls its methods.
type Worker struct {
	Scan    *Scan
	minimum int64 // 0: it is not admitted
}

// Claim returns true if the worker may claim work. The lead may, and waits in Admit. The others
// wait here for room for n bytes, behind all in Admit, until no work is left or ctx ends.
func (w *Worker) Claim(ctx context.Context, n int64, left func() bool) bool {
	s := w.Scan
	s.Budget.mu.Lock()
	defer s.Budget.mu.Unlock()
	return s.Budget.wait(ctx, func() bool {
		s.lead = cmp.Or(s.lead, w)
		if s.lead != w && w.minimum == 0 && left() {
			if s.lead.minimum == 0 || s.overlooked || len(s.Budget.waiting) > 0 || !s.Budget.fits(n) {
				return false
			}
			w.set(n)
		}
		return true
	}) && left()
}

// Admit waits until there is room for n bytes, more than 0. An admitted worker changes its
// minimum to n without waiting. Admit returns false when ctx ends before.
func (w *Worker) Admit(ctx context.Context, n int64) bool {
	b := w.Scan.Budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if w.minimum == 0 {
		b.waiting = append(b.waiting, w)
		in := b.wait(ctx, func() bool { return b.waiting[0] == w && b.fits(n) })
		b.waiting = slices.DeleteFunc(b.waiting, func(other *Worker) bool { return other == w })
		if b.moved.Broadcast(); !in {
			return false
		}
	}
	w.set(n)
	return true
}

// Leave gives the minimum back.
func (w *Worker) Leave() {
	if s := w.Scan; s != nil {
		s.Budget.mu.Lock()
		defer s.Budget.mu.Unlock()
		if s.lead == w {
			s.lead = nil
		}
		w.set(0)
	}
}

func (w *Worker) set(n int64) {
	s, b := w.Scan, w.Scan.Budget
	b.admitted = slices.DeleteFunc(b.admitted, func(other *Scan) bool { return other == s })
	s.minimum += n - w.minimum
	if w.minimum = n; s.minimum > 0 {
		b.admitted = append(b.admitted, s)
	}
	b.last = time.Now()
	b.moved.Broadcast()
}

// fits reports whether there is room for a minimum of n bytes: beside others, or alone.
func (b *Budget) fits(n int64) bool {
	sum := int64(0)
	for _, s := range b.admitted {
		if !s.away || !s.overlooked {
			sum += s.minimum
		}
	}
	return sum == 0 || n <= b.quotas[Minima].limit-sum
}

// wait returns true as soon as ready does, false if ctx ends before.
func (b *Budget) wait(ctx context.Context, ready func() bool) bool {
	if ready() {
		return true
	}
	tick := time.AfterFunc(patience, b.wake)
	defer tick.Stop()
	defer context.AfterFunc(ctx, b.wake)()
	for ctx.Err() == nil {
		if b.moved.Wait(); ready() {
			return true
		}
		tick.Reset(patience)
	}
	return false
}

// wake overlooks the admitted scans if nobody has asked them for some time, and makes each wait
// look again.
func (b *Budget) wake() {
	b.mu.Lock()
	defer b.mu.Unlock()
	asked := slices.ContainsFunc(b.admitted, func(s *Scan) bool { return !s.away })
	for _, s := range b.admitted {
		s.overlooked = s.overlooked || !asked && len(b.waiting) > 0 && time.Since(b.last) >= patience
	}
	b.moved.Broadcast()
}
