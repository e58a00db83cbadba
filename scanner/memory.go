package scanner

import (
	"math"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/feed"
)

// Memory keeps the memory of released batches and pages for reuse: fresh memory costs
// as much as decoding does. Several scans may share a Memory, one after the other or at the
// same time. Safe for concurrent use.
type Memory struct {
	limit   int64
	bodies  column.Bodies
	windows feed.Pool

	mu        sync.Mutex
	readers   map[vector.Type][]*chunkReader
	free      map[string][]*batchMemory // by shape
	freeBytes int64                     // in free
}

// batchMemory is the memory of a batch's vectors. Between takeBatch and giveBatch it
// belongs to the owner of the batch.
type batchMemory struct {
	shape   string
	columns []columnMemory
}

type columnMemory struct {
	values []*vector.Vector // by leaf, as its cursor filled them
	root   *vector.Vector   // the assembled vector of a nested column
}

// ownMemory is the limit of a scan's own Memory, in bytes.
const ownMemory = 64 << 20

// NewMemory returns a Memory that keeps at most limit bytes of batches, and as many of
// pages.
func NewMemory(limit int64) *Memory {
	m := &Memory{limit: limit}
	m.bodies.Limit = int(min(limit, math.MaxInt))
	m.windows.Limit = int(min(limit, feed.MaxIdle))
	return m
}

// takeBatch returns memory for a batch: that of a released batch of the same shape, see
// shapeOf, or else fresh memory.
func (m *Memory) takeBatch(shape string, columns int) *batchMemory {
	m.mu.Lock()
	defer m.mu.Unlock()
	free := m.free[shape]
	n := len(free)
	if n == 0 {
		return &batchMemory{shape: shape, columns: make([]columnMemory, columns)}
	}
	b := free[n-1]
	m.free[shape] = free[:n-1]
	m.freeBytes -= b.size()
	return b
}

// giveBatch takes the memory of a released batch back.
func (m *Memory) giveBatch(b *batchMemory) {
	for _, c := range b.columns {
		for _, v := range c.values {
			m.bodies.Release(v)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	size := b.size()
	if m.freeBytes+size > m.limit {
		return
	}
	if m.free == nil {
		m.free = map[string][]*batchMemory{}
	}
	m.freeBytes += size
	m.free[b.shape] = append(m.free[b.shape], b)
}

func (b *batchMemory) size() (n int64) {
	for _, c := range b.columns {
		for _, v := range c.values {
			n += sizeOf(v)
		}
		n += sizeOf(c.root)
	}
	return n
}

// sizeOf returns the bytes that v's own memory takes.
func sizeOf(v *vector.Vector) int64 {
	if v == nil {
		return 0
	}
	n := 8*(cap(v.Validity)+cap(v.Bools)+cap(v.Int64s)+cap(v.Doubles)) +
		4*(cap(v.Int32s)+cap(v.Floats)+cap(v.Codes)+cap(v.Offsets)) + cap(v.Fixed) + 16*cap(v.Views)
	total := int64(n)
	for _, c := range v.Children {
		total += sizeOf(c)
	}
	return total
}

// shapeOf returns a key that is equal for batches that can reuse each other's memory.
func shapeOf(columns []batchColumn) string {
	var shape []byte
	for i := range columns {
		c := &columns[i]
		for _, l := range c.leaves {
			shape = append(shape, byte('a'+l.node.Type.Store()))
		}
		if !c.flat {
			shape = append(shape, '(')
			for _, l := range c.leaves {
				shape = append(shape, l.node.String()...)
				shape = append(shape, 0)
			}
		}
		shape = append(shape, '.')
	}
	return string(shape)
}

// chunkReader is the reader of a leaf's chunks, with all of its memory.
type chunkReader struct {
	pages    column.Chunk
	cursor   column.Cursor
	feed     feed.Feed
	baseline column.Counters // the cursor's counters at the last call of since
}

// since returns what the cursor has counted since the last call.
func (r *chunkReader) since() column.Counters {
	now := r.cursor.Counters()
	n := now
	n.Subtract(&r.baseline)
	r.baseline = now
	return n
}

// maxReaders bounds the idle readers, since each may hold a dictionary of any size.
const maxReaders = 64

// takeReader returns a reader for a leaf. Of the idle readers of its type it is the one
// that was given first: that of the same leaf, if scans read the same columns.
func (m *Memory) takeReader(leaf *schema.Node) *chunkReader {
	m.mu.Lock()
	defer m.mu.Unlock()
	free := m.readers[leaf.Type]
	if len(free) == 0 {
		return new(chunkReader)
	}
	first := free[0]
	m.readers[leaf.Type] = slices.Delete(free, 0, 1)
	return first
}

// giveReader takes a reader back, unless enough are idle.
func (m *Memory) giveReader(leaf *schema.Node, r *chunkReader) {
	r.feed.Reset()
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, free := range m.readers {
		n += len(free)
	}
	if n == maxReaders {
		return
	}
	if m.readers == nil {
		m.readers = map[vector.Type][]*chunkReader{}
	}
	m.readers[leaf.Type] = append(m.readers[leaf.Type], r)
}
