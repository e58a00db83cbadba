package values

import (
	"cmp"
	"errors"
	"slices"
	"sort"
	"sync"
	"weak"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/invariants"
)

// Bodies is memory for page bodies, and for bytes of a file that are read. The strings of a vector point into the body of
// their page, so a body is reused only after Release of each such vector. A vector that
// is never released costs speed, never safety. Safe for concurrent use.
type Bodies struct {
	// Limit bounds the bytes that are kept for reuse; 0 stands for 64 MiB. It
	// must not change once the Bodies are used.
	Limit int

	mu      sync.Mutex
	free    [][]byte // by size
	bytes   int      // of free
	surplus int      // bytes of free to drop, since as many were allocated in addition
	loans   map[weak.Pointer[byte]]*loan
}

// loan counts the vectors that point into a body. It does not keep the body alive, for
// vectors may never be released.
type loan struct {
	refs  int
	left  bool // Leave was called
	front int  // bytes of the body's memory in front of the values: levels
}

const (
	maxLoans = 64 << 10 // beyond this all loans are dropped, so that vectors that are never released do not add up
	maxFree  = 64 << 20 // bytes
	maxIdle  = 16 << 20 // bytes that may stay free for bodies of other sizes, at most a quarter of the limit
	maxCount = 8 << 10  // of free bodies
)

// Release frees the bodies that v's strings point into, once all their vectors are
// released. v comes from a cursor with these Bodies, no other vector shares its buffers,
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

// find returns the loan of a body with these values, or nil.
func (b *Bodies) find(values []byte) *loan {
	if len(values) == 0 || len(b.loans) == 0 {
		return nil
	}
	return b.loans[weak.Make(&values[0])]
}

// Lend notes that a vector points into a body: the first, or another one. If the loan was
// forgotten, it stays so, for the number of vectors is not known. The values start
// front bytes after the start of the body's memory.
func (b *Bodies) Lend(values []byte, front int, another bool) {
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

// Leave notes that a cursor or decoder does not need a body any more that was lent.
func (b *Bodies) Leave(values []byte) {
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

// close ends a loan and frees the body.
func (b *Bodies) close(values []byte, l *loan) {
	delete(b.loans, weak.Make(&values[0]))
	b.putLocked(withFront(values, l.front))
}

// Get returns free memory for size bytes and at most twice as many, or nil. It takes the
// one that fits best, so that large memory stays for large bodies.
func (b *Bodies) Get(size int) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := b.search(size)
	if at == len(b.free) || cap(b.free[at])/2 > size {
		b.evictFor(at, size)
		return nil
	}
	return b.remove(b.search(cap(b.free[at])+1) - 1) // of those of a size the one used last
}

// Take returns memory of n bytes, with any content and encoding.Padding of spare capacity.
func (b *Bodies) Take(n int) []byte {
	if memory := b.Get(n + encoding.Padding); memory != nil {
		return memory[:n]
	}
	return make([]byte, n, n+encoding.Padding)
}

// search returns the first of free that is not below a size.
func (b *Bodies) search(size int) int {
	return sort.Search(len(b.free), func(i int) bool { return cap(b.free[i]) >= size })
}

// evictFor drops as many free bytes as will be allocated for size bytes, but keeps
// maxIdle: else memory of every size that was ever needed would add up. It drops memory
// that is a little too small, before at, first, then memory that is far too large.
func (b *Bodies) evictFor(at, size int) {
	b.surplus = max(0, min(b.surplus+size, b.bytes-min(maxIdle, b.limit()/4)))
	for b.surplus > 0 {
		if at--; at < 0 {
			at = len(b.free) - 1
		}
		if cap(b.free[at]) > b.surplus {
			return
		}
		b.surplus -= cap(b.remove(at))
	}
}

// remove removes entry at from free.
func (b *Bodies) remove(at int) []byte {
	body := b.free[at]
	b.free = slices.Delete(b.free, at, at+1)
	b.bytes -= cap(body)
	return body
}

// Put frees memory that nothing points into.
func (b *Bodies) Put(body []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.putLocked(body)
}

func (b *Bodies) putLocked(body []byte) {
	size := cap(body)
	if size == 0 || size > b.limit()-b.bytes {
		return
	}
	if len(b.free) == maxCount {
		b.remove(0) // the smallest: allocating it again costs least
	}
	b.bytes += size
	invariants.Mangle(body)
	b.free = slices.Insert(b.free, b.search(size+1), body[:0])
}

func (b *Bodies) limit() int { return cmp.Or(b.Limit, maxFree) }

// copyStep is how many bytes are copied at a time. Go's copy of 1 MiB and more writes past the processor's
// caches, and strings are looked at next: in pages of 1.2 MB, whole scans take 0.9 of the time with steps.
const copyStep = 256 << 10

// CopyBody copies b to memory, or to new memory if it does not fit, for views to point
// there.
func CopyBody(memory, b []byte) []byte {
	if cap(memory) < len(b)+encoding.Padding {
		memory = make([]byte, 0, len(b)+len(b)/8+encoding.Padding)
	}
	memory = memory[:0]
	for part := range slices.Chunk(b, copyStep) {
		memory = append(memory, part...)
	}
	return memory
}

// KeepsMemory reports whether err is of a decompression that goes on writing to its
// memory, since its host no longer waits for it.
func KeepsMemory(err error) bool {
	var e interface{ KeepsMemory() bool }
	return errors.As(err, &e) && e.KeepsMemory()
}
