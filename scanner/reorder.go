package scanner

import (
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
)

// maxWaitingBytes bounds the bytes of batches that wait for their turn.
const maxWaitingBytes = 256 << 20

// reorderBuffer returns batches in the file's order while several goroutines read
// units at the same time. Safe for concurrent use.
type reorderBuffer struct {
	mu       sync.Mutex
	change   sync.Cond
	units    []unitBatches
	turn     int   // the unit whose batches pop returns
	bytes    int64 // of all waiting batches
	maxBytes int64 // of bytes
	stopped  bool  // no consumer is left
}

type unitBatches struct {
	batches     []sized
	lastBuffers []*byte // the last counted buffer of each column
	done        bool
	err         error
}

// sized is a batch with the bytes that it adds to the batches before it.
type sized struct {
	batch *vector.Batch
	bytes int64
}

// withSize returns b with the bytes that it holds. A page or dictionary that several
// batches hold counts for the first of them.
func (g *unitBatches) withSize(b *vector.Batch) sized {
	if g.lastBuffers == nil {
		g.lastBuffers = make([]*byte, len(b.Columns))
	}
	s := sized{batch: b}
	for i, v := range b.Columns {
		s.bytes += held(v)
		if n := len(v.Buffers); n > 0 && len(v.Buffers[n-1]) > 0 && &v.Buffers[n-1][0] != g.lastBuffers[i] {
			g.lastBuffers[i] = &v.Buffers[n-1][0]
			s.bytes += int64(len(v.Buffers[n-1]))
		}
	}
	return s
}

// put adds a batch of a unit. It waits for room, unless the unit's turn has come and
// pop has taken its batches. It returns false once the buffer is stopped.
func (l *reorderBuffer) put(number int, b *vector.Batch) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.stopped && l.bytes > l.maxBytes && (number != l.turn || len(l.units[number].batches) > 0) {
		l.change.Wait()
	}
	g := &l.units[number]
	waits := g.withSize(b)
	l.bytes += waits.bytes
	g.batches = append(g.batches, waits)
	l.change.Broadcast()
	return !l.stopped
}

// finish marks the end of a unit's batches, with its error if it failed.
func (l *reorderBuffer) finish(number int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.units[number].done, l.units[number].err = true, err
	l.change.Broadcast()
}

// pop waits for the next batch in order and returns it; nil after the last.
func (l *reorderBuffer) pop() (*vector.Batch, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.turn < len(l.units) {
		switch g := &l.units[l.turn]; {
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

// stop makes every put return false, without waiting for room.
func (l *reorderBuffer) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopped = true
	l.change.Broadcast()
}
