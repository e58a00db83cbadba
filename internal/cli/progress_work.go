package cli

import (
	"math"
	"time"
)

// workKind is a kind of work on the bytes of a file. Each has a speed of its own.
type workKind uint8

const (
	walkingPages workKind = iota
	decodingValues
	comparingRows
	workKinds
)

// work is how much of each kind is done of all there is to do in a file.
type work struct {
	done, all [workKinds]int64
	spent     [workKinds]time.Duration // by all goroutines together
	most      float64                  // of part so far: it does not go back
}

func (w *work) isKnown() bool { return w.all != [workKinds]int64{} }

// part returns the part of the work that is done: of the time that it takes, with the speeds so
// far. Until values were decoded, which is most of it, nothing is known. A kind that was not begun
// is taken to be as slow as that.
func (w *work) part() float64 {
	if w.done[decodingValues] == 0 {
		return w.most
	}
	spent, left := 0.0, 0.0 // seconds
	for k, done := range w.done {
		like := workKind(k)
		if done == 0 {
			like = decodingValues
		}
		spent += w.spent[k].Seconds()
		left += w.spent[like].Seconds() / float64(w.done[like]) * float64(max(w.all[k]-done, 0))
	}
	if spent > 0 {
		w.most = max(w.most, spent/(spent+left))
	}
	return w.most
}

// expect is told how much work there is in a file.
func (p *progress) expect(all [workKinds]int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.position.work.all = all
}

// worker measures the work of one goroutine on one kind. A nil worker measures nothing.
type worker struct {
	p     *progress
	kind  workKind
	since time.Time
}

// begins returns the worker of a goroutine that begins.
func (p *progress) begins(kind workKind) *worker {
	if p == nil {
		return nil
	}
	return &worker{p, kind, p.now()}
}

// did is told of bytes that are done, in the time since the last call.
func (w *worker) did(bytes int64) {
	if w == nil {
		return
	}
	now, p := w.p.now(), w.p
	p.mu.Lock()
	defer p.mu.Unlock()
	at := &p.position
	at.work.done[w.kind] += bytes
	at.work.spent[w.kind] += now.Sub(w.since)
	at.rows = int64(at.work.part() * float64(at.all()))
	w.since = now
	if w.kind == walkingPages { // each page, once
		at.read += bytes
		at.passed += bytes
	}
}

// smoothed is an estimate of the time left, which follows new estimates slowly: one that is
// wrong for a moment should not be seen.
type smoothed struct {
	seconds float64
	at      time.Time // zero: there is none yet
}

// smoothing is the number of seconds after which 63 % of a change is seen: 1-1/e.
const smoothing = 5

// next returns the estimate at a time, given the one from what was measured until then.
func (s *smoothed) next(now time.Time, measured float64) float64 {
	passed := now.Sub(s.at).Seconds()
	if s.at.IsZero() {
		s.seconds = measured
	} else {
		expected := max(s.seconds-passed, 0)
		s.seconds = expected + (measured-expected)*(1-math.Exp(-passed/smoothing))
	}
	s.at = now
	return s.seconds
}
