package column

import (
	"math"
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
	// Limit bounds the bytes that wait for a next use; 0 stands for 64 MiB. It
	// must not change once the Bodies are used.
	Limit int

	mu    sync.Mutex
	free  [][]byte
	bytes int // of free
	loans map[weak.Pointer[byte]]*loan
}

// loan counts the vectors that point into a body. It keeps nothing alive, for
// it is not known whether a vector comes back.
type loan struct {
	refs  int
	left  bool // the cursor has left the page
	front int  // bytes of its memory in front of the values: levels
}

const (
	maxLoans = 64 << 10 // of more nothing is remembered, so that forgotten ones do not add up
	maxFree  = 64 << 20 // bytes
	lookAt   = 128      // of the free ones, where one of a size is looked for
)

// Release says that v's strings are not looked at any more. v was handed to a
// cursor's Read or is the Values of Levels, no other vector shares its buffers,
// and it must be Reset before it is used again.
func (b *Bodies) Release(v *vector.Vector) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, values := range v.Buffers {
		l := b.find(values)
		if l == nil {
			continue
		}
		if l.refs--; l.refs == 0 && l.left {
			b.close(values, l)
		}
	}
	clear(v.Buffers)
	v.Buffers = v.Buffers[:0]
}

func (b *Bodies) find(values []byte) *loan {
	if len(values) == 0 || len(b.loans) == 0 {
		return nil
	}
	return b.loans[weak.Make(&values[0])]
}

// lend notes that one more vector points into a body: the first, or another. If
// the loan is forgotten, it stays so, for nobody knows how many point there.
// The values begin so many bytes behind the front of the memory.
func (b *Bodies) lend(values []byte, front int, another bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.find(values)
	if l == nil {
		if another {
			return
		}
		if len(b.loans) == maxLoans {
			clear(b.loans)
		}
		if b.loans == nil {
			b.loans = map[weak.Pointer[byte]]*loan{}
		}
		l = &loan{front: front}
		b.loans[weak.Make(&values[0])] = l
	}
	l.refs++
}

// leave notes that the cursor does not need a body any more that was lent.
func (b *Bodies) leave(values []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.find(values)
	if l == nil {
		return
	}
	if l.left = true; l.refs == 0 {
		b.close(values, l)
	}
}

// close ends a loan.
func (b *Bodies) close(values []byte, l *loan) {
	delete(b.loans, weak.Make(&values[0]))
	b.put(withFront(values, l.front))
}

// fitting returns memory for size bytes and not for many more, or nil: it may
// stay with someone for long.
func (b *Bodies) fitting(size int) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	last := len(b.free) - 1
	for i := last; i >= 0 && i > last-lookAt; i-- {
		if c := cap(b.free[i]); c >= size && c/4 <= size {
			return b.remove(i)
		}
	}
	return nil
}

// remove takes the memory number at out of those that are free.
func (b *Bodies) remove(at int) []byte {
	last := len(b.free) - 1
	body := b.free[at]
	b.free[at] = b.free[last]
	b.free[last] = nil
	b.free = b.free[:last]
	b.bytes -= cap(body)
	return body
}

// take returns memory for a body of a size, or less, or nil: what was used last
// of what is not much larger than needed, else what fits best, for larger bodies
// have to find theirs.
func (b *Bodies) take(size int) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	last := len(b.free) - 1
	if last < 0 {
		return nil
	}
	best, least := last, math.MaxInt
	for i := last; i >= 0 && i > last-lookAt && least-size > size/4; i-- {
		if c := cap(b.free[i]); c >= size && c < least {
			best, least = i, c
		}
	}
	return b.remove(best)
}

// give takes memory back that nothing points into.
func (b *Bodies) give(body []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.put(body)
}

func (b *Bodies) put(body []byte) {
	limit := maxFree
	if b.Limit > 0 {
		limit = b.Limit
	}
	if cap(body) == 0 || cap(body) > limit-b.bytes {
		return
	}
	b.bytes += cap(body)
	invariants.Mangle(body)
	b.free = append(b.free, body[:0])
}
