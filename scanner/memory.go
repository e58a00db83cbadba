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

// Memory is what batches and pages are made of. Scans that are given the same
// Memory, one after the other or at once, use again what batches had that were
// released: fresh memory costs as much as decoding does.
type Memory struct {
	limit   int64
	bodies  column.Bodies
	windows feed.Pool

	mu      sync.Mutex
	readers map[vector.Type][]*chunkReader
	free    map[string][]*batchMemory // by shape
	bytes   int64                     // of free
}

// batchMemory is what the vectors of a batch are made of. None of it is
// touched between take and give but by those who have the batch.
type batchMemory struct {
	shape   string
	columns []columnMemory
}

type columnMemory struct {
	values []*vector.Vector // of each leaf, as its cursor filled it
	root   *vector.Vector   // of a nested column, as it was assembled
}

// ownMemory bounds what waits in a scan's own Memory.
const ownMemory = 64 << 20

// NewMemory returns a Memory in which at most limit bytes wait for their next
// use, of batches and of pages each.
func NewMemory(limit int64) *Memory {
	m := &Memory{limit: limit}
	m.bodies.Limit = int(min(limit, math.MaxInt))
	m.windows.Limit = int(min(limit, feed.MaxIdle))
	return m
}

// take returns the memory for a batch of columns of a shape, which tells apart
// what cannot stand in for each other.
func (m *Memory) take(shape string, columns int) *batchMemory {
	m.mu.Lock()
	defer m.mu.Unlock()
	free := m.free[shape]
	n := len(free)
	if n == 0 {
		return &batchMemory{shape: shape, columns: make([]columnMemory, columns)}
	}
	b := free[n-1]
	m.free[shape] = free[:n-1]
	m.bytes -= b.size()
	return b
}

// give takes back the memory of a released batch.
func (m *Memory) give(b *batchMemory) {
	for _, c := range b.columns {
		for _, v := range c.values {
			m.bodies.Release(v)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	size := b.size()
	if m.bytes+size > m.limit {
		return
	}
	if m.free == nil {
		m.free = map[string][]*batchMemory{}
	}
	m.bytes += size
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

// shapeOf tells batches of different columns apart.
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

// chunkReader is what a leaf is read with, and all the memory that it has for that.
type chunkReader struct {
	pages  column.Chunk
	cursor column.Cursor
	feed   feed.Feed
	base   column.Counters // of the cursor, when it was last asked
}

// since returns what the cursor counted since it was last asked.
func (r *chunkReader) since() column.Counters {
	now := r.cursor.Counters()
	n := now
	for i := range n.Pages {
		n.Pages[i] -= r.base.Pages[i]
		n.Bytes[i] -= r.base.Bytes[i]
	}
	n.DictionaryPages -= r.base.DictionaryPages
	n.DictionaryBytes -= r.base.DictionaryBytes
	n.Inflated -= r.base.Inflated
	n.Redecompressed -= r.base.Redecompressed
	n.Values -= r.base.Values
	r.base = now
	return n
}

// maxReaders bounds those that wait, for dictionaries are of any size.
const maxReaders = 64

// reader returns what a leaf may be read with. Of a type's it is the one that was
// given back first: the same leaf's, for scans of the same columns.
func (m *Memory) reader(leaf *schema.Node) *chunkReader {
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
