package values

// arenas is memory that a decoder put values together in, and that vectors may
// point into.
type arenas struct {
	bodies *Bodies // nil for memory that is let go of
	made   []arena
	unused []byte // of a call that had nothing to put there
}

// maxUnused bounds what waits for the next call: what is larger, others may need.
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
		if b := a.bodies.Take(size); b != nil {
			return b[:0]
		}
	}
	return make([]byte, 0, size)
}

// keep notes what take's memory has become.
func (a *arenas) keep(b []byte) {
	switch {
	case len(b) == 0 && cap(b) <= maxUnused:
		a.unused = b
	case a.bodies == nil:
	case len(b) == 0:
		a.bodies.Give(b)
	default:
		a.made = append(a.made, arena{bytes: b})
	}
}

// lend notes that one more vector points into b, if it is one of these.
func (a *arenas) lend(b []byte) {
	for i := range a.made {
		if m := &a.made[i]; len(b) > 0 && &m.bytes[0] == &b[0] {
			a.bodies.Lend(m.bytes, 0, m.lent)
			m.lent = true
		}
	}
}

// leave says that the decoder needs none of them any more.
func (a *arenas) leave() {
	for _, m := range a.made {
		if m.lent {
			a.bodies.Leave(m.bytes)
		} else {
			a.bodies.Give(m.bytes)
		}
	}
	clear(a.made)
	a.made = a.made[:0]
}
