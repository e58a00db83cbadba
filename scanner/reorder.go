package scanner

import (
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
)

// waiting bounds the bytes of batches that were made before it is their turn.
const waiting = 256 << 20

// reorderBuffer puts the batches of units that are read side by side in order.
type reorderBuffer struct {
	mu     sync.Mutex
	change sync.Cond
	groups []unitBatches
	turn   int   // the unit whose batches are handed out
	bytes  int64 // of all that wait
	most   int64 // of bytes
	over   bool  // nobody waits for more
}

type unitBatches struct {
	batches []sized
	last    []*byte // the buffer of each column that was counted last
	done    bool
	err     error
}

// sized is a batch with the bytes that it adds to those in front of it.
type sized struct {
	batch *vector.Batch
	bytes int64
}

// size returns b with the bytes that it holds. Pages and dictionaries that the
// batch in front of it held, too, count there.
func (g *unitBatches) size(b *vector.Batch) sized {
	if g.last == nil {
		g.last = make([]*byte, len(b.Columns))
	}
	s := sized{batch: b}
	for i, v := range b.Columns {
		s.bytes += held(v)
		if n := len(v.Buffers); n > 0 && len(v.Buffers[n-1]) > 0 && &v.Buffers[n-1][0] != g.last[i] {
			g.last[i] = &v.Buffers[n-1][0]
			s.bytes += int64(len(v.Buffers[n-1]))
		}
	}
	return s
}

// put adds a batch of a unit, once there is room. It returns false if
// nobody wants it.
func (l *reorderBuffer) put(group int, b *vector.Batch) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.over && l.bytes > l.most && (group != l.turn || len(l.groups[group].batches) > 0) {
		l.change.Wait()
	}
	g := &l.groups[group]
	waits := g.size(b)
	l.bytes += waits.bytes
	g.batches = append(g.batches, waits)
	l.change.Broadcast()
	return !l.over
}

// finish says that a unit has no more batches.
func (l *reorderBuffer) finish(group int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.groups[group].done, l.groups[group].err = true, err
	l.change.Broadcast()
}

// take returns the next batch, nil behind the last.
func (l *reorderBuffer) take() (*vector.Batch, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.turn < len(l.groups) {
		switch g := &l.groups[l.turn]; {
		case len(g.batches) > 0:
			b := g.batches[0]
			g.batches[0] = sized{}
			g.batches = g.batches[1:]
			l.bytes -= b.bytes
			l.change.Broadcast()
			return b.batch, nil
		case g.err != nil:
			return nil, g.err
		case g.done:
			l.turn++
			l.change.Broadcast()
		default:
			l.change.Wait()
		}
	}
	return nil, nil
}

func (l *reorderBuffer) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	l.change.Broadcast()
}
