package ioplan

import (
	"context"
	"sync"
	"time"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// maxInFlight bounds the requests in flight to a source.
const maxInFlight = 128

// Meter counts the requests of an open file that are in flight, learns from them what requests
// cost, and says how many may be in flight. All scans of the file share it. Safe for concurrent use.
// The zero Meter knows nothing yet.
type Meter struct {
	mu       sync.Mutex
	pace     Pace
	inFlight int      // requests
	bytes    int64    // of them
	work     float64  // of all calls that have ended, see Sample
	came     int64    // bytes of them
	begun    int64    // calls
	waiting  []func() // to call when a call has ended
}

// Call is a call of a source that is in flight.
type Call struct {
	start    time.Time
	requests int
	number   int64 // among all calls
	alone    bool  // nothing else was in flight when it began
	sample   Sample
}

// Bytes returns how many bytes the call reads.
func (c Call) Bytes() int64 { return c.sample.Bytes }

// Begin is called when a call that reads ranges starts.
func (m *Meter) Begin(ranges []fetch.Range) (c Call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.init(Cost{})
	for _, r := range ranges {
		c.sample.Bytes += r.Len
	}
	c.start, c.requests = time.Now(), len(ranges)
	c.alone = m.inFlight == 0
	m.begun++
	c.number = m.begun
	m.inFlight += c.requests
	m.bytes += c.sample.Bytes
	c.sample.Ahead, c.sample.Work, c.sample.Came = m.bytes, m.work, m.came
	return c
}

// End is called when a call has returned, right or wrong. The caller then calls wake, without any
// lock of its own: others may have waited for the call to end.
func (m *Meter) End(c Call, ok bool) (wake func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inFlight -= c.requests
	m.bytes -= c.sample.Bytes
	if ok {
		m.work += m.pace.Work(c.requests, c.sample.Bytes)
		m.came += c.sample.Bytes
	}
	c.sample.Work, c.sample.Came = m.work-c.sample.Work, m.came-c.sample.Came
	c.sample.Alone = c.alone && m.begun == c.number
	if c.sample.Took = time.Since(c.start).Seconds(); ok && c.sample.Took > 0 && c.sample.Bytes > 0 {
		m.pace = m.pace.After(c.sample)
	}
	waiting := m.waiting
	m.waiting = nil
	return func() {
		for i := range waiting { // in turn: who was first, and waits again, is last now
			waiting[(i+1)%len(waiting)]()
		}
	}
}

// Free returns how many requests more may be in flight, and the pace. What someone waits for may
// take all that the source is ever asked for at a time. If there are none, again, unless it is nil, is
// called once after a call has ended. Those that wait take turns.
func (m *Meter) Free(waited bool, again func()) (requests int, p Pace) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.init(Cost{})
	limit := int(m.pace.Limit + 0.5)
	if waited || !m.pace.Fills(m.bytes) {
		limit = maxInFlight
	}
	if requests = limit - m.inFlight; requests <= 0 && again != nil {
		m.waiting = append(m.waiting, again)
	}
	return requests, m.pace
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

// Metered is a source whose calls someone waits for.
type Metered struct {
	fetch.Source
	Meter *Meter
}

// ReadRanges implements fetch.Source.
func (m Metered) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	call, ok := m.Meter.Begin(ranges), false
	defer func() { m.Meter.End(call, ok)() }()
	got, err := m.Source.ReadRanges(ctx, ranges, alloc)
	ok = err == nil
	return got, err
}
