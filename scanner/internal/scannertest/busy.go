package scannertest

import (
	"cmp"
	"slices"
	"time"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Busy makes a Store one that serves few requests at once. The others wait in the order in which
// they came. Each takes a worker for the latency and for its own bytes at Bandwidth:
//
//	worker 1    |  latency  |== a ==|  latency  |==== c ====|
//	worker 2    |  latency  |====== b ======|  latency  |= d =|
type Busy struct {
	Workers int // 0: all requests are served at once, and share Bandwidth

	// Most, if it is set, is how many requests the Store accepts at a time. It refuses the others,
	// whose source tries again after RetryAfter, as those of a server that answers 503 or 429 do.
	Most       int
	RetryAfter time.Duration
	Refused    int // how often a request was refused

	serving  int // requests that have a worker
	line     []*Request
	instants map[time.Time]bool // at which requests end
}

// enter lets a request wait for a worker, or refuses it.
func (s *Store) enter(q *Request) {
	if s.Most > 0 && s.serving+len(s.line) >= s.Most {
		s.Refused++
		fetch.Refused(q.ctx)
		time.AfterFunc(s.RetryAfter, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.enter(q)
		})
		return
	}
	s.line = append(s.line, q)
	// Those that come at the same instant are served by offset, whichever goroutine was first.
	slices.SortStableFunc(s.line, func(a, b *Request) int { return cmp.Or(cmp.Compare(a.Start, b.Start), byPlace(a, b)) })
	time.AfterFunc(1, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.serve()
	})
}

// serve gives free workers to the requests that wait.
func (s *Store) serve() {
	for s.serving < s.Workers && len(s.line) > 0 {
		q := s.line[0]
		s.line = s.line[1:]
		select {
		case <-q.done: // cancelled
			continue
		default:
		}
		s.serving++
		took := s.Latency + time.Duration(float64(q.Len)/float64(s.Bandwidth)*1e9)
		time.AfterFunc(s.atAnInstant(time.Now().Add(took)), func() {
			s.finish(q)
			s.mu.Lock()
			defer s.mu.Unlock()
			s.serving--
			s.serve()
		})
	}
}

// SetBusy changes how a Store serves the requests that come, or wait, from now on.
func (s *Store) SetBusy(workers int, latency time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Workers, s.Latency = workers, latency
	s.serve()
}

// atAnInstant returns how long it is until a moment, or as little later as needed for no other
// request to end at the same instant.
func (s *Store) atAnInstant(end time.Time) time.Duration {
	if s.instants == nil {
		s.instants = map[time.Time]bool{}
	}
	for s.instants[end] {
		end = end.Add(1)
	}
	s.instants[end] = true
	return time.Until(end)
}
