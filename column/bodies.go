package column

import (
	"sync"
	"weak"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/invariants"
)

// Bodies is memory for page bodies. Strings that a cursor hands out point into
// the body of their page, which is therefore not used again, unless everyone
// who got some says Release. Forgetting to costs speed, and nothing else. It
// may be shared by cursors and used by several goroutines at once.
type Bodies struct {
	mu    sync.Mutex
	free  [][]byte
	bytes int // of free
	loans []loan
}

// loan counts the vectors that point into a body. It keeps nothing alive, for
// it is not known whether a vector comes back.
type loan struct {
	first weak.Pointer[byte] // of the body's values
	refs  int
	left  bool // the cursor has left the page
}

const (
	maxLoans = 128      // of more nothing is remembered, so that forgotten ones do not add up
	maxFree  = 64 << 20 // bytes
	lookAt   = 16       // of the free ones, where one of a size is looked for
)

// Release says that v's strings are not looked at any more. v was handed to a
// cursor's Read or is the Values of Levels, no other vector shares its buffers,
// and it must be Reset before it is used again.
func (b *Bodies) Release(v *vector.Vector) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, values := range v.Buffers {
		i := b.find(values)
		if i < 0 {
			continue
		}
		if b.loans[i].refs--; b.loans[i].refs == 0 && b.loans[i].left {
			b.close(i, values)
		}
	}
	clear(v.Buffers)
	v.Buffers = v.Buffers[:0]
}

func (b *Bodies) find(values []byte) int {
	if len(values) == 0 || len(b.loans) == 0 {
		return -1
	}
	first := weak.Make(&values[0])
	for i := range b.loans {
		if b.loans[i].first == first {
			return i
		}
	}
	return -1
}

// lend notes that one more vector points into a body: the first, or another. If
// the loan is forgotten, it stays so, for nobody knows how many point there.
func (b *Bodies) lend(values []byte, another bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := b.find(values)
	if i < 0 {
		if another {
			return
		}
		if len(b.loans) == maxLoans {
			b.loans = append(b.loans[:0], b.loans[1:]...)
		}
		i = len(b.loans)
		b.loans = append(b.loans, loan{first: weak.Make(&values[0])})
	}
	b.loans[i].refs++
}

// leave notes that the cursor does not need a body any more that was lent.
func (b *Bodies) leave(values []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := b.find(values)
	if i < 0 {
		return
	}
	if b.loans[i].left = true; b.loans[i].refs == 0 {
		b.close(i, values)
	}
}

// close ends a loan. The memory in front of the values is lost; that was levels.
func (b *Bodies) close(i int, values []byte) {
	b.loans = append(b.loans[:i], b.loans[i+1:]...)
	b.put(values)
}

// take returns memory for a body of a size, or less, or nil.
func (b *Bodies) take(size int) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	last := len(b.free) - 1
	if last < 0 {
		return nil
	}
	at := last
	for i := last; i >= 0 && i > last-lookAt; i-- {
		if cap(b.free[i]) >= size {
			at = i
			break
		}
	}
	body := b.free[at]
	b.free[at] = b.free[last]
	b.free[last] = nil
	b.free = b.free[:last]
	b.bytes -= cap(body)
	return body
}

// give takes memory back that nothing points into.
func (b *Bodies) give(body []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.put(body)
}

func (b *Bodies) put(body []byte) {
	if cap(body) == 0 || cap(body) > maxFree-b.bytes {
		return
	}
	b.bytes += cap(body)
	invariants.Mangle(body)
	b.free = append(b.free, body[:0])
}
