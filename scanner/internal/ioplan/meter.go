package ioplan

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// maxInFlight bounds the requests in flight to a source.
const maxInFlight = 128

// A call that takes less than leastCall and the time of its bytes at memoryBandwidth was answered from memory, as by a
// cache, or by package web, which has read a file's end at opening. It tells nothing of requests: taken for one, such
// a footer made a server of 5 ms one of a microsecond, which is asked for shares of chunks, 128 at a time.
const (
	leastCall       = 100e-6 // seconds
	memoryBandwidth = 2e9    // bytes a second
)

// Meter counts the requests of an open file that are in flight, learns from them what requests
// cost, and says how many may be in flight. All scans of the file share it. Safe for concurrent use.
// The zero Meter knows nothing yet.
type Meter struct {
	mu       sync.Mutex
	pace     Pace
	inFlight int     // requests
	most     int     // of them at a time, since there were none
	bytes    int64   // of them
	work     float64 // of all calls that have ended, see Sample
	came     int64   // bytes of them
	begun    int64   // calls
	refused  int64   // of them: later ones have begun since the pace has learnt of a refusal
	waiting  []waiter
}

// waiter is called when a call has ended.
type waiter struct {
	who    any
	again  func()
	waited bool // someone waits for what it requests: it comes before others
}

// Begin is called when a call that reads ranges starts, which is then made with inner. The caller calls
// end when the call has returned, right or wrong, and wake after that, without any lock of its own:
// others may have waited for the call to end.
func (m *Meter) Begin(ctx context.Context, ranges []fetch.Range) (inner context.Context, end func(ok bool) (wake func())) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.begin(ctx, ranges)
}

// begin is Begin, with the mutex.
func (m *Meter) begin(ctx context.Context, ranges []fetch.Range) (inner context.Context, end func(ok bool) (wake func())) {
	m.init(Cost{})
	var s Sample
	for _, r := range ranges {
		s.Bytes += r.Len
	}
	start, requests, alone := time.Now(), len(ranges), m.inFlight == 0
	m.begun++
	number := m.begun
	m.inFlight += requests
	m.bytes += s.Bytes
	if m.most = max(m.most, m.inFlight); alone {
		m.most = requests
	}
	s.Ahead, s.Work, s.Came = m.bytes, m.work, m.came
	inner = fetch.OnRefusal(ctx, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		s.Refused = true
		m.refuse(number)
	})
	return inner, func(ok bool) (wake func()) {
		m.mu.Lock()
		defer m.mu.Unlock()
		s.Most = m.most
		m.inFlight -= requests
		m.bytes -= s.Bytes
		s.Took = time.Since(start).Seconds()
		asked := s.Took > leastCall+float64(s.Bytes)/memoryBandwidth
		if ok && asked {
			m.work += m.pace.Work(requests, s.Bytes)
			m.came += s.Bytes
		}
		s.Work, s.Came = m.work-s.Work, m.came-s.Came
		s.Alone = alone && m.begun == number
		switch {
		case s.Refused:
		case !ok && ctx.Err() == nil:
			m.refuse(number)
		case ok && asked && s.Bytes > 0:
			m.pace = m.pace.After(s)
		}
		return m.wake
	}
}

// wake calls those that wait in turn: who was first, and waits again, is last then.
func (m *Meter) wake() {
	m.mu.Lock()
	waiting := m.waiting
	m.waiting = nil
	m.mu.Unlock()
	for _, waited := range []bool{true, false} {
		for i := range waiting {
			if w := waiting[(i+1)%len(waiting)]; w.waited == waited {
				w.again()
			}
		}
	}
}

// refuse is called when a request of a call was refused, or has failed. What the source refuses at the same
// time, as it has too much to do, lowers the limit once.
func (m *Meter) refuse(number int64) {
	if number > m.refused {
		m.pace, m.refused = m.pace.After(Sample{Refused: true}), m.begun
	}
}

// Free returns how many requests more may be in flight, and the pace. What someone waits for may
// take all that the source is ever asked for at a time, or all that it has not refused lately. If there are none, again,
// unless it is nil, is called once after a call has ended, however often who has asked until then. Those that wait
// take turns, what someone waits for first.
func (m *Meter) Free(waited bool, who any, again func()) (requests int, p Pace) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.free(waited, who, again), m.pace
}

// free is Free, with the mutex.
func (m *Meter) free(waited bool, who any, again func()) (requests int) {
	m.init(Cost{})
	limit := m.pace.Limit + 0.5
	switch p := m.pace; {
	case p.refused && waited:
		limit = p.Crowded
	case !p.refused && (waited || !p.Fills(m.bytes)):
		limit = maxInFlight
	}
	if requests = int(limit) - m.inFlight; !waited && slices.ContainsFunc(m.waiting, func(w waiter) bool { return w.waited }) {
		requests = 0
	}
	if requests <= 0 && again != nil {
		i := slices.IndexFunc(m.waiting, func(w waiter) bool { return w.who == who })
		if i < 0 {
			i, m.waiting = len(m.waiting), append(m.waiting, waiter{who: who, again: again})
		}
		m.waiting[i].waited = m.waiting[i].waited || waited
	}
	return requests
}

// Pace returns the pace.
func (m *Meter) Pace() Pace {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.init(Cost{})
	return m.pace
}

// init sets the pace before the first call to that of what a source states.
func (m *Meter) init(stated Cost) {
	if m.pace.Limit == 0 {
		m.pace = newPace(stated)
	}
}

// Cost returns what was learnt, and what is stated where nothing was.
func (m *Meter) Cost(stated Cost) Cost {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.init(stated)
	return Cost{time.Duration(m.pace.Latency * 1e9), int64(m.pace.Rate)}
}

// Metered is a source whose calls someone waits for. They wait for room, and become several where there is little.
type Metered struct {
	fetch.Source
	Meter *Meter
}

// ReadRanges implements fetch.Source.
func (m Metered) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) (got [][]byte, err error) {
	for len(ranges) > 0 && err == nil {
		n, inner, end := m.Meter.await(ctx, ranges)
		func() {
			ok := false
			defer func() { end(ok)() }()
			var part [][]byte
			part, err = m.Source.ReadRanges(inner, ranges[:n], alloc)
			got, ranges, ok = append(got, part...), ranges[n:], err == nil
		}()
	}
	return got, err
}

// await waits for room, and begins a call for as many of the first ranges as there is room for: for one
// if ctx ends before.
func (m *Meter) await(ctx context.Context, ranges []fetch.Range) (n int, inner context.Context, end func(ok bool) (wake func())) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for n < 1 {
		ready := make(chan bool)
		if n = m.free(true, ready, func() { close(ready) }); n < 1 {
			m.mu.Unlock()
			select {
			case <-ready:
			case <-ctx.Done():
				n = 1 // the source tells why it reads nothing
			}
			m.mu.Lock()
		}
	}
	n = min(n, len(ranges))
	inner, end = m.begin(ctx, ranges[:n])
	return n, inner, end
}
