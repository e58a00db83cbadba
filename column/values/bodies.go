package values

import (
	"errors"
	"slices"
	"sort"
	"sync"
	"weak"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/invariants"
)

// Bodies is memory for page bodies. Strings that are handed out point into
// the body of their page, which is therefore not used again, unless everyone
// who got some says Release. Forgetting to costs speed, and nothing else.
// Safe for concurrent use.
type Bodies struct {
	// Limit bounds the bytes that wait for a next use; 0 stands for 64 MiB. It
	// must not change once the Bodies are used.
	Limit int

	mu    sync.Mutex
	free  [][]byte // by size
	bytes int      // of free
	owed  int      // of them, for memory that was made beside
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
	maxIdle  = 16 << 20 // bytes that may stay free for other sizes, at most a quarter of the limit
	maxCount = 8 << 10  // of free ones
)

// Release says that v's strings are not looked at any more. v was handed out by
// who shares b, no other vector shares its buffers,
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

// Lend notes that one more vector points into a body: the first, or another. If
// the loan is forgotten, it stays so, for nobody knows how many point there.
// The values begin so many bytes behind the front of the memory.
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

// Leave notes that the cursor does not need a body any more that was lent.
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

// close ends a loan.
func (b *Bodies) close(values []byte, l *loan) {
	delete(b.loans, weak.Make(&values[0]))
	b.put(withFront(values, l.front))
}

// Take returns memory for size bytes and not for many more, or nil: it may stay
// with someone for long. What fits best is taken, so that what is large is there
// for large ones.
func (b *Bodies) Take(size int) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := b.search(size)
	if at == len(b.free) || cap(b.free[at])/2 > size {
		b.makeWay(at, size)
		return nil
	}
	return b.remove(b.search(cap(b.free[at])+1) - 1) // of those of a size what was used last
}

// search returns where those begin that are free and not below a size.
func (b *Bodies) search(size int) int {
	return sort.Search(len(b.free), func(i int) bool { return cap(b.free[i]) >= size })
}

// makeWay lets go of as much as will be made for size bytes, but of what may
// stay free: memory of every size that was ever needed would add up. What is a
// little too small, in front of at, goes first, then what is far too large.
func (b *Bodies) makeWay(at, size int) {
	b.owed = max(0, min(b.owed+size, b.bytes-min(maxIdle, b.limit()/4)))
	for b.owed > 0 {
		if at--; at < 0 {
			at = len(b.free) - 1
		}
		if cap(b.free[at]) > b.owed {
			return
		}
		b.owed -= cap(b.remove(at))
	}
}

// remove takes the memory number at out of those that are free.
func (b *Bodies) remove(at int) []byte {
	body := b.free[at]
	b.free = slices.Delete(b.free, at, at+1)
	b.bytes -= cap(body)
	return body
}

// Give takes memory back that nothing points into.
func (b *Bodies) Give(body []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.put(body)
}

func (b *Bodies) put(body []byte) {
	size := cap(body)
	if size == 0 || size > b.limit()-b.bytes {
		return
	}
	if len(b.free) == maxCount {
		b.remove(0) // to make it anew costs least
	}
	b.bytes += size
	invariants.Mangle(body)
	b.free = slices.Insert(b.free, b.search(size+1), body[:0])
}

func (b *Bodies) limit() int {
	if b.Limit > 0 {
		return b.Limit
	}
	return maxFree
}

// CopyBody copies b to memory, or to new memory: views may point there, and must
// not point to a feed's.
func CopyBody(memory, b []byte) []byte {
	if cap(memory) < len(b)+encoding.Padding {
		memory = make([]byte, 0, len(b)+len(b)/8+encoding.Padding)
	}
	return append(memory[:0], b...)
}

// KeepsMemory reports whether what failed goes on writing to the memory that it
// was given: decompression that a host no longer waits for.
func KeepsMemory(err error) bool {
	var e interface{ KeepsMemory() bool }
	return errors.As(err, &e) && e.KeepsMemory()
}
