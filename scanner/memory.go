package scanner

import (
	"math"
	"slices"
	"sync"
	"weak"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/page/codec"
	"github.com/winnow-scan/winnow/scanner/internal/feed"
	"github.com/winnow-scan/winnow/scanner/internal/idle"
)

// idleMemory keeps the memory of released batches and pages for reuse, and decoders of compressed
// pages. Safe for concurrent use.
type idleMemory struct {
	batches idle.Batches
	bodies  column.Bodies
	windows column.Bodies // bytes that were read
	codecs  *codec.Set    // whose decoders are reused, too

	mu      sync.Mutex
	readers map[vector.Type][]*chunkReader
	kept    int64 // bytes that readers keep for dictionaries
}

// ownMemory is the limit of memory for which no host has chosen one, in bytes.
const ownMemory = 64 << 20

// maxRead bounds the memory that is kept for bytes that are read: few chunks are open at a time.
const maxRead = 32 << 20

// newIdleMemory returns memory that keeps at most limit bytes of batches, as many of pages, and as
// many of dictionaries.
func newIdleMemory(limit int64) *idleMemory {
	m := &idleMemory{batches: idle.Batches{Limit: limit}, codecs: codec.NewSet(codec.Options{Spare: encoding.Padding})}
	m.bodies.Limit = int(min(limit, math.MaxInt))
	m.windows.Limit = int(min(limit, maxRead))
	return m
}

// memoryFor returns the memory for reuse of scans with options o.
func (f *File) memoryFor(o *Options) *idleMemory {
	switch {
	case o.memory != nil:
		return o.memory
	case o.Resources != nil:
		return o.Resources.made().memory
	}
	return f.memory.get()
}

// ownedMemory is the memory of a file's scans without Resources. It stays as long as a scan or a
// batch of one uses it, and after that until the garbage collector takes it. The zero ownedMemory
// is ready for use. Safe for concurrent use.
type ownedMemory struct {
	mu   sync.Mutex
	last weak.Pointer[idleMemory]
}

func (o *ownedMemory) get() *idleMemory {
	o.mu.Lock()
	defer o.mu.Unlock()
	m := o.last.Value()
	if m == nil {
		m = newIdleMemory(ownMemory)
		o.last = weak.Make(m)
	}
	return m
}

// shapeOf returns a key that is equal for batches that can reuse each other's memory.
func shapeOf(columns []batchColumn) string {
	var shape []byte
	for i := range columns {
		c := &columns[i]
		for _, l := range c.leaves {
			shape = append(shape, byte('a'+l.node.Type.Store()))
		}
		if c.nesting != nil {
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
	pages  column.Chunk
	cursor column.Cursor
	feed   feed.Feed
	held   int64 // bytes for dictionaries, as far as they are counted
}

// maxReaders bounds the idle readers.
const maxReaders = 64

// takeReader returns a reader for a leaf. Of the idle readers of its type it is the one
// that was given first: that of the same leaf, if scans read the same columns.
func (m *idleMemory) takeReader(leaf *schema.Node) *chunkReader {
	m.mu.Lock()
	defer m.mu.Unlock()
	free := m.readers[leaf.Type]
	if len(free) == 0 {
		return new(chunkReader)
	}
	first := free[0]
	m.readers[leaf.Type] = slices.Delete(free, 0, 1)
	m.kept -= first.held
	first.held = 0
	return first
}

// giveReader takes a reader back, unless enough are idle, or it keeps too much for dictionaries.
func (m *idleMemory) giveReader(leaf *schema.Node, r *chunkReader) {
	r.feed.Reset()
	r.held = r.pages.Release()
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, free := range m.readers {
		n += len(free)
	}
	if n == maxReaders || m.kept+r.held > m.batches.Limit {
		return
	}
	m.kept += r.held
	if m.readers == nil {
		m.readers = map[vector.Type][]*chunkReader{}
	}
	m.readers[leaf.Type] = append(m.readers[leaf.Type], r)
}
