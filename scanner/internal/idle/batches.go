package idle

import (
	"sync"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
)

// Batch is the memory of a batch's vectors. Between Take and Give it belongs to the owner
// of the batch.
type Batch struct {
	Columns []Column
	shape   string
}

// Column is the memory of a column of a batch.
type Column struct {
	Values []*vector.Vector // by leaf, as its cursor filled them
	Root   *vector.Vector   // the assembled vector of a nested column
}

// Batches is a pool of released batches, at most Limit bytes of them. Safe for concurrent use.
type Batches struct {
	Limit int64

	mu    sync.Mutex
	free  map[string][]*Batch // by shape
	bytes int64               // in free
}

// Take returns memory for a batch: that of a released batch of the same shape, or else
// fresh memory.
func (m *Batches) Take(shape string, columns int) *Batch {
	m.mu.Lock()
	defer m.mu.Unlock()
	free := m.free[shape]
	n := len(free)
	if n == 0 {
		return &Batch{shape: shape, Columns: make([]Column, columns)}
	}
	b := free[n-1]
	m.free[shape] = free[:n-1]
	m.bytes -= b.size()
	return b
}

// Give takes the memory of a released batch back, and that of the pages that it held.
func (m *Batches) Give(b *Batch, pages *column.Bodies) {
	for _, c := range b.Columns {
		for _, v := range c.Values {
			pages.Release(v)
			v.Dict = nil
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	size := b.size()
	if m.bytes+size > m.Limit {
		return
	}
	if m.free == nil {
		m.free = map[string][]*Batch{}
	}
	m.bytes += size
	m.free[b.shape] = append(m.free[b.shape], b)
}

func (b *Batch) size() (n int64) {
	for _, c := range b.Columns {
		for _, v := range c.Values {
			n += sizeOf(v)
		}
		n += sizeOf(c.Root)
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
