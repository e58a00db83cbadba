package ioplan

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// queue is a store that serves a number of requests at once, each with a latency and at a bandwidth
// of its own. The others wait in order.
type queue struct {
	fetch.Source
	latency   time.Duration
	bandwidth float64
	workers   int

	mu   sync.Mutex
	free []time.Time // when each worker is free, for as many workers as there ever were
	most int         // it refuses more requests than so many at a time; 0: it refuses none
	now  int         // requests
	sent int         // refusals

	tells, fails bool // it tells of refusals before it repeats the request; it returns an error instead
}

func (q *queue) ReadRanges(ctx context.Context, ranges []fetch.Range, _ fetch.Alloc) ([][]byte, error) {
	q.mu.Lock()
	for q.most > 0 && q.now >= q.most {
		q.sent++
		q.mu.Unlock()
		switch {
		case q.fails:
			time.Sleep(time.Millisecond)
			return nil, errors.New("503")
		case q.tells:
			fetch.Refused(ctx)
		}
		time.Sleep(time.Second) // Retry-After
		q.mu.Lock()
	}
	q.now++
	for len(q.free) < q.workers {
		q.free = append(q.free, time.Time{})
	}
	first := 0
	for i, at := range q.free[:q.workers] {
		if at.Before(q.free[first]) {
			first = i
		}
	}
	begin := time.Now()
	if q.free[first].After(begin) {
		begin = q.free[first]
	}
	end := begin.Add(q.latency + time.Duration(float64(ranges[0].Len)/q.bandwidth*1e9))
	q.free[first] = end
	q.mu.Unlock()
	time.Sleep(time.Until(end))
	q.mu.Lock()
	defer q.mu.Unlock()
	q.now--
	return make([][]byte, len(ranges)), nil
}

// fetchFor requests all the time, as much as a Meter lets it, until an amount of time has passed.
func fetchFor(d time.Duration, src fetch.Source, m *Meter) (bytes int64) {
	var (
		mu    sync.Mutex
		calls sync.WaitGroup
		fill  func()
		ended bool
	)
	fill = func() {
		mu.Lock()
		defer mu.Unlock()
		for !ended {
			free, pace := m.Free(false, &mu, fill)
			if free <= 0 {
				return
			}
			r := []fetch.Range{{Len: pace.RequestBytes(24 << 20)}}
			ctx, end := m.Begin(context.Background(), r)
			calls.Go(func() {
				_, err := src.ReadRanges(ctx, r, nil)
				end(err == nil)()
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					bytes += r[0].Len
				}
			})
		}
	}
	if !m.Pace().measured { // as the footer is read
		_, _ = Metered{src, m}.ReadRanges(context.Background(), []fetch.Range{{Len: 128 << 10}}, nil)
	}
	fill()
	time.Sleep(d)
	mu.Lock()
	ended = true // nothing starts a call any more
	mu.Unlock()
	calls.Wait()
	return bytes
}

// settled returns the pace between two calls that are made alone.
func settled(m *Meter) Pace {
	p := m.Pace()
	if p.draining {
		p.Limit = p.Crowded
	}
	return p
}

// Limit follows how many requests a store serves at once, in both directions, and what requests take
// when nothing delays them is told apart from the time that they wait for each other.
func TestPaceFollowsTheStore(t *testing.T) {
	for _, latency := range []time.Duration{20 * time.Millisecond, 80 * time.Millisecond} {
		for _, stated := range []Cost{{}, {30 * time.Millisecond, 100e6}, {5 * time.Millisecond, 1e9}, {200 * time.Millisecond, 20e6}} {
			t.Run(fmt.Sprint(latency, stated), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					q := &queue{latency: latency, bandwidth: 50e6}
					var m Meter
					m.Cost(stated)
					for _, w := range []int{4, 1, 2, 64, 16, 1, 64, 4} {
						q.workers = w
						fetchFor(20*time.Second, q, &m)
						p := settled(&m)
						if p.Limit < float64(w)/2 || p.Limit > 2*float64(w)+4 {
							t.Errorf("%d at once: a limit of %v", w, p.Limit)
						}
						size := p.RequestBytes(24 << 20)
						seconds := latency.Seconds() + float64(size)/50e6
						if alone := p.Alone(size) / seconds; alone < 0.75 || alone > 1.3 {
							t.Errorf("%d at once: %+v", w, p)
						}
						bytes := fetchFor(20*time.Second, q, &m)
						best := float64(w) * 20 * float64(size) / seconds
						if float64(bytes) < 0.6*best {
							t.Errorf("%d at once: %d bytes by requests of %d, of %.0f", w, bytes, size, best)
						}
					}
				})
			})
		}
	}
}

// A store that becomes slow is given fewer requests, none of them shorter, until the new latency is known.
func TestPaceOfASlowStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &queue{latency: 20 * time.Millisecond, bandwidth: 50e6, workers: 8}
		var m Meter
		for _, latency := range []time.Duration{20, 200, 20, 1000, 80} {
			before := m.Pace()
			q.latency = latency * time.Millisecond
			fetchFor(10*time.Minute, q, &m)
			p := settled(&m)
			size := p.RequestBytes(24 << 20)
			if got := p.Alone(size) / (q.latency.Seconds() + float64(size)/50e6); got < 0.7 || got > 1.4 {
				t.Errorf("%v: a latency of %v", q.latency, p.Latency)
			}
			if p.Limit < 4 || p.Limit > 24 {
				t.Errorf("%v: a limit of %v", q.latency, p.Limit)
			}
			if before.timed && p.LeastBytes() < before.LeastBytes() {
				t.Errorf("%v: requests of %d bytes, before of %d", q.latency, p.LeastBytes(), before.LeastBytes())
			}
		}
	})
}

// A store that refuses requests gets fewer of them, whether its source tells of it, returns an error, or only
// repeats them after a while, which the pace sees as waiting.
func TestPaceHeedsRefusals(t *testing.T) {
	for _, tc := range []struct {
		name         string
		tells, fails bool
		refused      float64 // of the requests, at most
	}{{"waits", false, false, 1. / 3}, {"tells", true, false, 1. / 6}, {"fails", false, true, 1. / 6}} {
		synctest.Test(t, func(t *testing.T) {
			q := &queue{latency: 20 * time.Millisecond, bandwidth: 50e6, workers: 64, most: 8, tells: tc.tells, fails: tc.fails}
			var m Meter
			fetchFor(time.Minute, q, &m)
			q.sent = 0
			const minute = 60
			bytes := fetchFor(minute*time.Second, q, &m)
			size := float64(m.Pace().RequestBytes(24 << 20))
			if most := 8 * minute * size / (0.02 + size/50e6); float64(bytes) < most/2 {
				t.Errorf("%s: %d bytes in a minute, %.0f are possible", tc.name, bytes, most)
			}
			if requests := float64(bytes) / size; float64(q.sent) > tc.refused*requests {
				t.Errorf("%s: %d refusals of %.0f requests", tc.name, q.sent, requests)
			}
		})
	}
}

// A call that was answered from memory tells nothing of requests.
func TestPaceIgnoresMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m Meter
		before := m.Pace()
		_, end := m.Begin(t.Context(), []fetch.Range{{Len: 128 << 10}})
		time.Sleep(50 * time.Microsecond)
		end(true)
		if m.Pace() != before {
			t.Errorf("%+v, before %+v", m.Pace(), before)
		}
	})
}

// Requests that are refused at the same time lower the limit once, and a call that someone cancels does not.
func TestRefusalsAtATime(t *testing.T) {
	var m Meter
	all := []fetch.Range{{Len: 1}}
	first, _ := m.Begin(t.Context(), all)
	_, second := m.Begin(t.Context(), all)
	fetch.Refused(first)
	second(false)
	ctx, cancel := context.WithCancel(t.Context())
	_, third := m.Begin(ctx, all)
	cancel()
	third(false)
	if got := m.Pace().Limit; got != firstLimit*(1-weight) {
		t.Errorf("a limit of %v", got)
	}
	_, fourth := m.Begin(t.Context(), all)
	fourth(false)
	if got := m.Pace().Limit; got != firstLimit*(1-weight)*(1-weight) {
		t.Errorf("a limit of %v after another", got)
	}
}

// Those who share a store and do not know of each other get about the same, and together as much as one of
// them alone. In a single minute one of them may be behind: how they take turns is chance.
func TestPaceIsFair(t *testing.T) {
	dtest.OnceOfFour(t, func() error {
		got := shares(t, 4, func(q *queue, i int) int64 {
			time.Sleep(time.Duration(i) * time.Second) // the others are there already
			fetchFor(2*time.Minute, q, new(Meter))
			return fetchFor(time.Minute, q, new(Meter))
		})
		if total := got[0] + got[1] + got[2]; total < 60*4*35e6 || slices.Max(got) > 4*slices.Min(got) {
			return fmt.Errorf("%d bytes in a minute, shares of %d", total, got)
		}
		return nil
	})
}

// shares returns how many bytes each of three gets that fetch at once from a store with so many workers.
func shares(t *testing.T, workers int, fetch func(q *queue, i int) int64) []int64 {
	got := make([]int64, 3)
	synctest.Test(t, func(*testing.T) {
		q := &queue{latency: 20 * time.Millisecond, bandwidth: 50e6, workers: workers}
		var scans sync.WaitGroup
		for i := range got {
			scans.Go(func() { got[i] = fetch(q, i) })
		}
		scans.Wait()
	})
	return got
}

// Scans that share an open file take turns.
func TestScansTakeTurns(t *testing.T) {
	for _, w := range []int{1, 4, 16} {
		dtest.OnceOfFour(t, func() error {
			var m Meter
			got := shares(t, w, func(q *queue, _ int) int64 {
				fetchFor(20*time.Second, q, &m)
				return fetchFor(20*time.Second, q, &m)
			})
			if slices.Max(got) > 2*slices.Min(got) {
				return fmt.Errorf("%d at once: shares of %d", w, got)
			}
			return nil
		})
	}
}

// Where others always wait for short calls, none is ever alone: a scan goes on beside them.
func TestPaceBesideOthers(t *testing.T) {
	for _, w := range []int{2, 4, 16} {
		synctest.Test(t, func(t *testing.T) {
			q := &queue{latency: 20 * time.Millisecond, bandwidth: 50e6, workers: w}
			var m Meter
			fetchFor(20*time.Second, q, &m)
			end := time.Now().Add(100 * time.Second)
			var others sync.WaitGroup
			for range w + 1 {
				others.Go(func() {
					for time.Now().Before(end) {
						_, _ = Metered{q, &m}.ReadRanges(t.Context(), []fetch.Range{{Len: 64 << 10}}, nil)
					}
				})
			}
			for part := range 4 {
				if n := fetchFor(20*time.Second, q, &m); n < int64(w)*20*10e6 {
					t.Errorf("%d at once: %d bytes in part %d", w, n, part)
				}
			}
			others.Wait()
		})
	}
}

// Who asks for room several times is called once when a call ends, and before others if someone waits for it.
func TestFreeCallsOnce(t *testing.T) {
	var m Meter
	var called []string
	ask := func(who string, waited bool) {
		if n, _ := m.Free(waited, who, func() { called = append(called, who) }); n > 0 {
			t.Fatalf("%s: room for %d requests", who, n)
		}
	}
	_, end := m.Begin(t.Context(), make([]fetch.Range, maxInFlight))
	for range 3 {
		ask("first", false)
		ask("second", false)
	}
	ask("second", true)
	end(true)()
	if !slices.Equal(called, []string{"second", "first"}) {
		t.Errorf("called: %v", called)
	}
}
