package reorder

import (
	"context"
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/budget"
)

// maxWaitingBytes bounds the bytes of batches that wait for their turn.
const maxWaitingBytes = 256 << 20

// Buffer returns batches in the file's order while several goroutines read
// units at the same time. Safe for concurrent use.
type Buffer struct {
	mu      sync.Mutex
	change  sync.Cond
	units   []unitBatches
	turn    int  // the unit whose batches Pop returns
	stopped bool // no consumer is left

	ctx       context.Context // its end ends all waiting for room
	noMoreEnd func() bool     // unregisters from ctx
	budget    *budget.Budget
	waiting   *budget.Holder // the bytes of all waiting batches
}

// New returns a Buffer for the batches of a number of units. b bounds their
// bytes; nil stands for a budget of the buffer's own.
func New(ctx context.Context, units int, b *budget.Budget) *Buffer {
	if b == nil {
		b = budget.New([budget.Uses]int64{budget.Waiting: maxWaitingBytes})
	}
	l := &Buffer{units: make([]unitBatches, units), ctx: ctx, budget: b, waiting: b.Join(budget.Waiting)}
	l.change.L = &l.mu
	l.noMoreEnd = context.AfterFunc(ctx, b.Wake)
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
		s.bytes += Held(v)
		if n := len(v.Buffers); n > 0 && len(v.Buffers[n-1]) > 0 && &v.Buffers[n-1][0] != g.lastBuffers[i] {
			g.lastBuffers[i] = &v.Buffers[n-1][0]
			s.bytes += int64(len(v.Buffers[n-1]))
		}
	}
	return s
}

// Put adds a batch of a unit. It waits for room, unless the unit's turn has come and
// Pop has taken its batches: then the host waits for this one. It returns false once the
// buffer is stopped.
func (l *Buffer) Put(number int, b *vector.Batch) bool {
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

// Finish marks the end of a unit's batches, with its error if it failed.
func (l *Buffer) Finish(number int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.units[number].done, l.units[number].err = true, err
	l.change.Broadcast()
}

// Pop waits for the next batch in order and returns it; nil after the last.
func (l *Buffer) Pop() (*vector.Batch, error) {
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
// reports whether Pop returns the result, rather than go on to the next unit.
func (l *Buffer) next() (b sized, found bool, err error) {
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

// Leave gives back the room of all batches that Pop did not return. Nothing is called
// afterwards.
func (l *Buffer) Leave() {
	l.noMoreEnd()
	l.waiting.Leave()
}

// Stop makes every Put return false, without waiting for room.
func (l *Buffer) Stop() {
	l.mu.Lock()
	l.stopped = true
	l.mu.Unlock()
	l.budget.Wake()
}

// Held returns the bytes that a vector holds, without its last buffer, which is a
// dictionary, or a page that the next batch holds too.
func Held(v *vector.Vector) int64 {
	n := int64(v.Len) * max(int64(v.Type.Width()), 16)
	if len(v.Buffers) > 1 {
		for _, b := range v.Buffers[:len(v.Buffers)-1] {
			n += int64(len(b))
		}
	}
	return n
}
