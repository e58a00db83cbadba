package progress

import (
	"time"
)

// Expect is told how much work there is in a file.
func (p *Progress) Expect(all [WorkKinds]int64) {
	p.locked(func() { p.position.work.all = all })
}

// Worker measures the work of one goroutine on one kind. A nil worker measures nothing.
type Worker struct {
	p     *Progress
	kind  workKind
	since time.Time
}

// Worker returns the worker of a goroutine that begins.
func (p *Progress) Worker(kind workKind) *Worker {
	if p == nil {
		return nil
	}
	return &Worker{p, kind, p.now()}
}

// Did is told of bytes that are done, in the time since the last call.
func (w *Worker) Did(bytes int64) {
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
	if w.kind == WalkingPages { // each page, once
		at.read += bytes
		at.passed += bytes
	}
}

// workKind is a kind of work on the bytes of a file. Each has a speed of its own.
type workKind uint8

const (
	WalkingPages workKind = iota
	DecodingValues
	ComparingRows
	WorkKinds
)

// work is how much of each kind is done of all there is to do in a file.
type work struct {
	done, all [WorkKinds]int64
	spent     [WorkKinds]time.Duration // by all goroutines together
	most      float64                  // of part so far: it does not go back
}

func (w *work) isKnown() bool { return w.all != [WorkKinds]int64{} }

// part returns the part of the work that is done: of the time that it takes, with the speeds so
// far. Until values were decoded, which is most of it, nothing is known. A kind that was not begun
// is taken to be as slow as that.
func (w *work) part() float64 {
	if w.done[DecodingValues] == 0 {
		return w.most
	}
	spent, left := 0.0, 0.0 // seconds
	for k, done := range w.done {
		like := workKind(k)
		if done == 0 {
			like = DecodingValues
		}
		spent += w.spent[k].Seconds()
		left += w.spent[like].Seconds() / float64(w.done[like]) * float64(max(w.all[k]-done, 0))
	}
	if spent > 0 {
		w.most = max(w.most, spent/(spent+left))
	}
	return w.most
}
