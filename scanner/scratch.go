package scanner

import (
	"sync"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
)

// scratch is the memory of batches that were released, and of page bodies that
// nobody looks at any more.
type scratch struct {
	bodies  column.Bodies
	windows pool // of the feeds, which are used by one goroutine

	mu   sync.Mutex
	free []*batchMemory
}

// batchMemory is what the vectors of a batch are made of. None of it is
// touched between take and give but by those who have the batch.
type batchMemory struct {
	columns []columnMemory
}

type columnMemory struct {
	values []*vector.Vector // of each leaf, as its cursor filled it
	root   *vector.Vector   // of a nested column, as it was assembled
}

// maxFreeBatches bounds the memory that waits for a batch.
const maxFreeBatches = 4

// take returns the memory for a batch.
func (s *scratch) take(columns int) *batchMemory {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.free)
	if n == 0 {
		return &batchMemory{columns: make([]columnMemory, columns)}
	}
	m := s.free[n-1]
	s.free = s.free[:n-1]
	return m
}

// give takes back the memory of a released batch.
func (s *scratch) give(m *batchMemory) {
	for _, c := range m.columns {
		for _, v := range c.values {
			s.bodies.Release(v)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.free) < maxFreeBatches {
		s.free = append(s.free, m)
	}
}
