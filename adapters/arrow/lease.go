package arrowscan

import (
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/winnow-scan/winnow/column/vector"
)

// lease holds a batch while buffers of a record show its memory. Each of these buffers has
// the lease as its allocator, so that freeing the buffer ends its part of the lease.
type lease struct {
	batch   *vector.Batch
	holders atomic.Int64
}

// borrow returns a buffer that shows memory of the batch.
func (l *lease) borrow(b []byte) *memory.Buffer {
	l.holders.Add(1)
	return memory.NewBufferWithAllocator(b, l)
}

// Free is called when a borrowed buffer is released for the last time.
func (l *lease) Free([]byte) { l.end() }

// end drops one holder, and releases the batch with the last one.
func (l *lease) end() {
	if l.holders.Add(-1) == 0 {
		l.batch.Release()
	}
}

// Allocate is part of memory.Allocator. Borrowed buffers are immutable, so Arrow never
// calls it.
func (l *lease) Allocate(size int) []byte { return make([]byte, size) }

// Reallocate is part of memory.Allocator, as Allocate is.
func (l *lease) Reallocate(size int, b []byte) []byte {
	return append(make([]byte, 0, size), b...)[:size]
}
