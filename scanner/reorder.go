package scanner

import (
	"context"
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/budget"
)

// maxWaitingBytes bounds the bytes of batches that wait for their turn.
const maxWaitingBytes = 256 << 20

// reorderBuffer returns batches in the file's order while several goroutines read
// units at the same time. Safe for concurrent use.
type reorderBuffer struct {
	mu      sync.Mutex
	change  sync.Cond
	units   []unitBatches
	turn    int  // the unit whose batches pop returns
	stopped bool // nobody waits for more

	ctx     context.Context // its end ends all waiting for room
	budget  *budget.Budget
	waiting *budget.Holder // the bytes of all waiting batches
}

// newReorderBuffer returns a buffer for the batches of a number of units. b bounds their
// bytes; nil stands for a budget of the buffer's own.
func newReorderBuffer(ctx context.Context, units int, b *budget.Budget) *reorderBuffer {
	if b == nil {
		b = budget.New([budget.Parts]int64{budget.Waiting: maxWaitingBytes})
	}
	l := &reorderBuffer{units: make([]unitBatches, units), ctx: ctx, budget: b, waiting: b.Join(budget.Waiting)}
	l.change.L = &l.mu
	return l
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
// pop has taken its batches: then the host waits for this one. It returns false once the
// buffer is stopped.
func (l *reorderBuffer) put(number int, b *vector.Batch) bool {
	g := &l.units[number]
	waits := g.withSize(b)
	l.waiting.Wait(waits.bytes, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.stopped || l.ctx.Err() != nil || number == l.turn && len(g.batches) == 0
	})
	l.mu.Lock()
	defer l.mu.Unlock()
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
	for {
		b, found, err := l.next()
		l.waiting.Give(b.bytes)
		l.budget.Wake() // the turn may have come for a batch that waits for room
		if found {
			return b.batch, err
		}
	}
}

// next waits until the unit whose turn it is has a batch or an error, or is done. found
// reports whether pop returns the result, rather than go on to the next unit.
func (l *reorderBuffer) next() (b sized, found bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.turn < len(l.units) {
		switch g := &l.units[l.turn]; {
		case len(g.batches) > 0:
			b := g.batches[0]
			g.batches[0] = sized{}
			g.batches = g.batches[1:]
			return b, true, nil
		case g.err != nil:
			return sized{}, true, g.err
		case g.done:
			l.turn++
			return sized{}, false, nil
		default:
			l.change.Wait()
		}
	}
	return sized{}, true, nil
}

// stop makes every put return false, without waiting for room.
func (l *reorderBuffer) stop() {
	l.mu.Lock()
	l.stopped = true
	l.mu.Unlock()
	l.budget.Wake()
}
