package scannertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Store is a simulated store of objects, for tests in a bubble of testing/synctest. Each
// range of a call is a request: its first byte comes after Latency, and all responses on
// their way share Bandwidth. Safe for concurrent use.
//
//	request a   |  latency  |== alone ==|- shared -|
//	request b            |  latency     |- shared -|== alone ==|
//
// No two requests end at the same instant: of those that would, one ends a nanosecond after
// the other, in the order of their objects and offsets. So a goroutine that waits for one of
// them runs until it waits again before the next one is woken, and what it does then is not
// left to chance.
type Store struct {
	Latency   time.Duration
	Bandwidth int64 // bytes a second

	// Busy bounds how many requests are served at once, see serve. Stated, if it is set, has the
	// latency and bandwidth that sources state in place of the true ones.
	Busy
	Stated fetch.Traits

	// Fail, if it is set, is called for each request with its number, from 0 on. Its error is
	// the request's. Sent is called before that.
	Fail func(number int) error
	Sent func(number int, q *Request)

	mu       sync.Mutex
	start    time.Time
	requests []*Request
	active   []*Request // whose bytes are on their way
	each     float64    // bytes that a response active since the start would have got
	counted  time.Time  // the time of each
	ended    time.Time  // when the last request ended
	timer    *time.Timer
	tags     map[string]string // of replaced objects
}

// Request is a request to a Store.
type Request struct {
	Object string
	fetch.Range
	Start, End time.Duration // since the Store's first request; End is 0 for one that was cancelled

	until float64 // each, when its last byte comes
	ctx   context.Context
	done  chan struct{}
}

// Micros returns when the request started, to a microsecond.
func (q *Request) Micros() int64 { return q.Start.Round(time.Microsecond).Microseconds() }

// Object returns an object with the given bytes as a source.
func (s *Store) Object(name string, data []byte) fetch.Source {
	return &object{s, name, fetch.FromBytes(data)}
}

// Replace gives an object another identity, as if it were written anew. Sent may call it.
func (s *Store) Replace(name, tag string) {
	if s.tags == nil {
		s.tags = map[string]string{}
	}
	s.tags[name] = tag
}

type object struct {
	store *Store
	name  string
	data  fetch.Source
}

func (o *object) Size() int64 { return o.data.Size() }

func (o *object) Traits() fetch.Traits {
	s := o.store
	s.mu.Lock()
	defer s.mu.Unlock()
	t := fetch.Traits{
		Identity: fetch.Identity{Name: o.name, Size: o.Size(), Tag: cmp.Or(s.tags[o.name], "first")},
		Latency:  cmp.Or(s.Stated.Latency, s.Latency), Bandwidth: cmp.Or(s.Stated.Bandwidth, s.Bandwidth),
	}
	return t
}

func (o *object) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if err := fetch.Check(ranges, o.Size()); err != nil {
		return nil, err
	}
	got, err := o.data.ReadRanges(ctx, ranges, nil)
	if err != nil {
		return nil, err
	}
	var requests []*Request
	for _, r := range ranges {
		q, err := o.store.send(ctx, o.name, r)
		if err != nil {
			return nil, fmt.Errorf("%s, range %v: %w", o.name, r, err)
		}
		requests = append(requests, q)
	}
	for _, q := range requests {
		select {
		case <-q.done:
		case <-ctx.Done():
			o.store.cancel(requests)
			return nil, fetch.Ended(ctx)
		}
	}
	out := make([][]byte, len(ranges))
	for i, b := range got {
		if out[i] = make([]byte, len(b)); alloc != nil {
			out[i] = alloc(len(b))
		}
		copy(out[i], b)
	}
	return out, nil
}

// send sends a request, unless it has to fail.
func (s *Store) send(ctx context.Context, name string, r fetch.Range) (*Request, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if s.start.IsZero() {
		s.start = now
	}
	q := &Request{Object: name, Range: r, Start: now.Sub(s.start), ctx: ctx, done: make(chan struct{})}
	number := len(s.requests)
	s.requests = append(s.requests, q)
	if s.Sent != nil {
		s.Sent(number, q)
	}
	if s.Fail != nil {
		if err := s.Fail(number); err != nil {
			return nil, err
		}
	}
	if s.Workers > 0 {
		s.enter(q)
	} else {
		time.AfterFunc(s.Latency, func() { s.begin(q) })
	}
	return q, nil
}

// begin lets the bytes of a request come.
func (s *Store) begin(q *Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-q.done: // cancelled
		return
	default:
	}
	s.advance()
	q.until = s.each + float64(q.Len)
	s.active = append(s.active, q)
	s.advance()
}

// cancel ends requests whose bytes nobody waits for.
func (s *Store) cancel(requests []*Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance()
	for _, q := range requests {
		select {
		case <-q.done:
		default:
			close(q.done)
		}
	}
	s.active = slices.DeleteFunc(s.active, func(q *Request) bool { return slices.Contains(requests, q) })
	s.advance()
}

// advance counts the bytes that came since the last call, ends the requests that are
// complete, and sets the timer for the next.
func (s *Store) advance() {
	now := time.Now()
	if n := len(s.active); n > 0 {
		s.each += now.Sub(s.counted).Seconds() * float64(s.Bandwidth) / float64(n)
	}
	s.counted = now
	const most = 0.5 // of a byte, which rounding to nanoseconds may leave
	var complete []*Request
	s.active = slices.DeleteFunc(s.active, func(q *Request) bool {
		if q.until > s.each+most {
			return false
		}
		complete = append(complete, q)
		return true
	})
	slices.SortFunc(complete, byPlace)
	for _, q := range complete {
		if s.ended = s.ended.Add(1); now.After(s.ended) {
			s.ended = now
		}
		time.AfterFunc(s.ended.Sub(now), func() { s.finish(q) })
	}
	if s.timer != nil {
		s.timer.Stop()
	}
	if len(s.active) == 0 {
		return
	}
	next := slices.MinFunc(s.active, func(a, b *Request) int { return cmp.Compare(a.until, b.until) })
	left := (next.until - s.each) * float64(len(s.active)) / float64(s.Bandwidth)
	s.timer = time.AfterFunc(max(time.Duration(left*1e9), 1), func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.advance()
	})
}

// finish ends a request that is complete.
func (s *Store) finish(q *Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-q.done: // cancelled
	default:
		q.End = time.Since(s.start)
		close(q.done)
	}
}

func byPlace(a, b *Request) int {
	return cmp.Or(strings.Compare(a.Object, b.Object), cmp.Compare(a.Off, b.Off), cmp.Compare(a.Len, b.Len))
}

// Requests returns the requests so far, sorted by time to a microsecond, object and offset.
func (s *Store) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Clone(s.requests)
	slices.SortStableFunc(all, func(a, b *Request) int {
		return cmp.Or(cmp.Compare(a.Micros(), b.Micros()), byPlace(a, b))
	})
	return all
}

// Began returns the time of the first request.
func (s *Store) Began() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.start
}

// Trips returns how many requests, one after the other, the longest chain has in which
// each starts when, or after, the one before it has ended.
func Trips(requests []*Request) int {
	trips, most := make([]int, len(requests)), 0
	for i, q := range requests {
		trips[i] = 1
		for k, before := range requests[:i] {
			if before.End > 0 && before.End <= q.Start {
				trips[i] = max(trips[i], trips[k]+1)
			}
		}
		most = max(most, trips[i])
	}
	return most
}

// ErrInjected is what a request ends with that a test lets fail.
var ErrInjected = errors.New("the request was made to fail")
