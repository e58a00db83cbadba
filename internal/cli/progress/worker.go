package progress

import "time"

// Expect is told how much work there is in a file.
func (p *Progress) Expect(all [WorkKinds]int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.position.work.all = all
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
