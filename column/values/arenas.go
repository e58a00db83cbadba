package values

import "slices"

// arenas is memory in which a decoder put values together, and into which vectors may
// point.
type arenas struct {
	bodies *Bodies // where the memory is from; nil for new memory
	made   []arena
	unused []byte // memory of a call that put nothing there
}

// maxUnused bounds unused: larger memory goes back to bodies, for others may need it.
const maxUnused = 64 << 10

type arena struct {
	bytes []byte
	lent  bool
}

// take returns memory for about size bytes, empty.
func (a *arenas) take(size int) []byte {
	if b := a.unused; b != nil && size <= cap(b) {
		a.unused = nil
		return b
	}
	if a.bodies != nil && size > 0 {
		if b := a.bodies.Get(size); b != nil {
			return b[:0]
		}
	}
	return make([]byte, 0, size)
}

// putBack takes back the memory that take returned, with the values that were put there.
func (a *arenas) putBack(b []byte) {
	switch {
	case len(b) == 0 && cap(b) <= maxUnused:
		a.unused = b
	case a.bodies == nil:
	case len(b) == 0:
		a.bodies.Put(b)
	default:
		a.made = append(a.made, arena{bytes: b})
	}
}

// lend notes that one more vector points into b, if b is one of the arenas.
func (a *arenas) lend(b []byte) {
	for i := range a.made {
		if m := &a.made[i]; len(b) > 0 && &m.bytes[0] == &b[0] {
			a.bodies.Lend(m.bytes, 0, m.lent)
			m.lent = true
		}
	}
}

// drop gives back those of the buffers that are arenas and were not lent.
func (a *arenas) drop(buffers [][]byte) {
	for _, b := range buffers {
		i := slices.IndexFunc(a.made, func(m arena) bool { return &m.bytes[0] == &b[0] })
		if i >= 0 && !a.made[i].lent {
			a.bodies.Put(a.made[i].bytes)
			a.made = slices.Delete(a.made, i, i+1)
		}
	}
}

// leave says that the decoder does not need the arenas any more.
func (a *arenas) leave() {
	for _, m := range a.made {
		if m.lent {
			a.bodies.Leave(m.bytes)
		} else {
			a.bodies.Put(m.bytes)
		}
	}
	clear(a.made)
	a.made = a.made[:0]
}
