package budget

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// schedule is hosts that go through scans of one Budget, in virtual time.
type schedule struct {
	t      *testing.T
	budget *Budget
	limit  int64
	nests  bool // hosts pull several scans by turns, and leave some for ever

	mu      sync.Mutex
	minima  int64 // of admitted workers
	largest int64 // minimum
}

// admitted counts the minimum of a worker that was admitted, -n one that leaves.
func (x *schedule) admitted(n int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.minima += n
	x.largest = max(x.largest, n)
	if !x.nests && x.minima > max(x.limit, x.largest) {
		x.t.Errorf("minima of %d bytes, want at most %d, or %d", x.minima, x.limit, x.largest)
	}
}

// madeUpScan is a scan of units that workers claim, and whose batches a host takes in order.
type madeUpScan struct {
	*schedule
	ctx      context.Context
	cancel   context.CancelFunc
	scan     *Scan
	minimum  int64
	lead     Worker // of a scan without threads
	in       bool   // lead is admitted
	mu       sync.Mutex
	change   sync.Cond
	units    int
	claimed  int
	done     []bool
	turn     int
	threads  sync.WaitGroup
	parallel int // workers; 0: lead is the only one
	seed     uint64
	begun    sync.Once
}

func (x *schedule) newScan(rng *rand.Rand) *madeUpScan {
	s := &madeUpScan{schedule: x, scan: &Scan{Budget: x.budget}, minimum: 1 + rng.Int64N(2*x.limit/3), units: 1 + rng.IntN(5)}
	if rng.IntN(8) == 0 {
		s.minimum *= 2 // may be more than the budget has
	}
	s.ctx, s.cancel = context.WithCancel(x.t.Context())
	s.change.L, s.done, s.lead.Scan = &s.mu, make([]bool, s.units), s.scan
	if rng.IntN(2) == 0 {
		s.parallel, s.seed = 1+rng.IntN(3), rng.Uint64()
	}
	return s
}

// begin starts the workers, once.
func (s *madeUpScan) begin() {
	for i := range s.parallel {
		s.threads.Go(func() { s.work(rand.New(rand.NewPCG(s.seed, uint64(i)))) })
	}
	context.AfterFunc(s.ctx, s.wake)
}

func (s *madeUpScan) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.change.Broadcast()
}

func (s *madeUpScan) left() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.claimed < s.units
}

// admit makes a worker hold the minimum of a unit.
func (s *madeUpScan) admit(w *Worker, in *bool) bool {
	if w.minimum == 0 {
		*in = false
	}
	if !w.Admit(s.ctx, s.minimum) {
		return false
	}
	if !*in {
		*in = true
		s.admitted(s.minimum)
	}
	return true
}

func (s *madeUpScan) leave(w *Worker, in *bool) {
	if *in {
		*in = false
		s.admitted(-s.minimum)
	}
	w.Leave()
}

// work claims units, and waits where it is ahead of the host.
func (s *madeUpScan) work(rng *rand.Rand) {
	w, in := Worker{Scan: s.scan}, false
	defer s.leave(&w, &in)
	for w.Claim(s.ctx, s.minimum, s.left) {
		if w.minimum > 0 && !in {
			in = true
			s.admitted(s.minimum)
		}
		s.mu.Lock()
		unit := s.claimed
		s.claimed++
		s.mu.Unlock()
		if unit >= s.units || rng.IntN(4) > 0 && !s.admit(&w, &in) { // else metadata rule the unit out
			return
		}
		time.Sleep(time.Duration(rng.IntN(3)) * time.Millisecond)
		s.mu.Lock()
		for unit > s.turn && s.ctx.Err() == nil {
			s.change.Wait()
		}
		s.done[unit] = true
		s.change.Broadcast()
		s.mu.Unlock()
	}
}

// next is what the host does for a batch. It returns false after the last.
func (s *madeUpScan) next() bool {
	s.scan.Asks(true)
	defer s.scan.Asks(false)
	if s.parallel == 0 {
		if s.turn++; s.turn > s.units || !s.lead.Claim(s.ctx, s.minimum, func() bool { return true }) {
			return false
		}
		return s.admit(&s.lead, &s.in)
	}
	s.begun.Do(s.begin)
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.turn < s.units && !s.done[s.turn] && s.ctx.Err() == nil {
		s.change.Wait()
	}
	s.turn++
	s.change.Broadcast()
	return s.turn <= s.units && s.ctx.Err() == nil
}

// end is a loop that breaks, or has ended.
func (s *madeUpScan) end() {
	s.cancel()
	s.threads.Wait()
	s.leave(&s.lead, &s.in)
}

// host goes through some scans: one after the other, or by turns, until each has ended, or
// was cancelled, broken off, or left for ever.
func (x *schedule) host(rng *rand.Rand) (forever []*madeUpScan) {
	for range 1 + rng.IntN(3) {
		var open []*madeUpScan
		for range 1 + rng.IntN(3) {
			if open = append(open, x.newScan(rng)); !x.nests {
				break
			}
		}
		for len(open) > 0 {
			i := rng.IntN(len(open))
			s := open[i]
			what := rng.IntN(12)
			if what == 0 {
				time.AfterFunc(time.Duration(rng.IntN(5))*time.Millisecond, s.cancel)
			}
			switch {
			case what == 1 && x.nests:
				forever = append(forever, s)
			case what > 2 && s.next():
				time.Sleep(time.Duration(rng.IntN(5)) * time.Millisecond) // with the batch
				continue
			default:
				s.end()
			}
			open = append(open[:i], open[i+1:]...)
		}
	}
	return forever
}

// However hosts go through their scans, none waits for ever. As long as each goroutine has one
// scan at a time, the minima never exceed the limit.
func TestSchedules(t *testing.T) {
	for round := range dtest.Rounds(t, 300) {
		synctest.Test(t, func(t *testing.T) {
			x := &schedule{t: t, limit: 100, nests: round%2 == 0, budget: New(limits(100))}
			var hosts sync.WaitGroup
			left := make([][]*madeUpScan, 5)
			for i := range left {
				hosts.Go(func() { left[i] = x.host(rand.New(rand.NewPCG(uint64(round), uint64(i)))) })
			}
			hosts.Wait()
			for _, scans := range left {
				for _, s := range scans {
					s.end()
				}
			}
			b := x.budget
			if now, _ := b.Used(); now != 0 || x.minima != 0 || len(b.admitted) > 0 || len(b.waiting) > 0 {
				t.Errorf("round %d: %d bytes used, minima of %d, %d scans admitted, %d wait", round, now, x.minima, len(b.admitted), len(b.waiting))
			}
			time.Sleep(2 * patience) // for the last look
		})
		if t.Failed() {
			return
		}
	}
}
