package values

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/delta"
	"github.com/winnow-scan/winnow/encoding/plain"
)

// A viewKeeper decodes those of the next n values that are in sel to views of v, from
// slot at on.
type viewKeeper interface {
	Pack(v *vector.Vector, at int, sel []uint64, n int, a *arenas) error
}

// A filler appends decoded values to a vector.
type filler interface {
	Reset(in *Input) error
	Skip(n int) error
	Fill(v *vector.Vector, n int, a *arenas) error
}

// prefixed decodes DELTA_BYTE_ARRAY.
type prefixed struct {
	d       delta.Prefixed
	n, size int // of the last arena: its values, and its bytes with some to spare
}

// needed estimates how many bytes the next n values take, from the last ones.
func (p *prefixed) needed(n int) int {
	if p.n == 0 {
		return 0
	}
	const trust = 1 << 20 // bytes that are allocated on an estimate
	return int(min(int64(p.size)*int64(n)/int64(p.n), int64(max(p.size, trust))))
}

func (p *prefixed) Reset(in *Input) error { return p.d.Reset(in.Body, in.N) }
func (p *prefixed) Skip(n int) error      { return p.d.Skip(n) }

func (p *prefixed) Fill(v *vector.Vector, n int, a *arenas) error {
	first := build.Extend(v, n)
	p.d.Buffer = int32(len(v.Buffers))
	_, arena, err := p.d.Next(v.Views[first:v.Len], a.take(p.needed(n)))
	p.made(v, arena, n, a)
	return err
}

func (p *prefixed) Pack(v *vector.Vector, at int, sel []uint64, n int, a *arenas) error {
	p.d.Buffer = int32(len(v.Buffers))
	_, arena, err := p.d.Pack(v.Views[at:], a.take(p.needed(n)), sel, n)
	p.made(v, arena, n, a)
	return err
}

// made adds the arena of n values to v's buffers.
func (p *prefixed) made(v *vector.Vector, arena []byte, n int, a *arenas) {
	a.putBack(arena)
	if len(arena) > 0 {
		build.AddBuffer(v, arena)
		p.n, p.size = n, len(arena)+len(arena)/8
	}
}

// sized decodes values of a fixed size: to a vector's Fixed, or, if they are too long
// for it, to memory that views point into.
type sized[D any, P fixedDecoder[D]] struct {
	d     D
	width int
}

func (s *sized[D, P]) Reset(in *Input) error {
	s.width = in.Type.Width()
	return P(&s.d).Reset(in.Body, in.N, s.width)
}

func (s *sized[D, P]) Skip(n int) error { return P(&s.d).Skip(n) }

func (s *sized[D, P]) Fill(v *vector.Vector, n int, a *arenas) error {
	w := s.width
	if v.Type.Store() == vector.InFixed {
		first := build.Extend(v, n)
		_, err := P(&s.d).Next(v.Fixed[first*w : v.Len*w])
		return err
	}
	for n > 0 {
		// An arena has about a MiB: offsets have 31 bits.
		some := min(n, max(1, (1<<20)/w))
		arena := a.take(some * w)[:some*w]
		a.putBack(arena)
		if _, err := P(&s.d).Next(arena); err != nil {
			return err
		}
		first, buffer := build.Extend(v, some), build.AddBuffer(v, arena)
		for i := range some {
			v.Views[first+i] = bits.MakeRef(arena[i*w:(i+1)*w], buffer, int32(i*w))
		}
		n -= some
	}
	return nil
}

// longPlain decodes PLAIN values that are too long for a vector's Fixed, to
// views into the page.
type longPlain struct {
	d    plain.Fixed
	body []byte
	at   int
	w    int
}

func (l *longPlain) Reset(in *Input) error {
	l.body, l.at, l.w = in.Body, 0, in.Type.Width()
	return l.d.Reset(in.Body, in.N, l.w)
}

func (l *longPlain) Skip(n int) error {
	l.at += n
	return l.d.Skip(n)
}

func (l *longPlain) Fill(v *vector.Vector, n int, _ *arenas) error {
	if err := l.d.Skip(n); err != nil {
		return err
	}
	first, buffer := build.Extend(v, n), useBuffer(v, l.body)
	for i := range n {
		from := (l.at + i) * l.w
		v.Views[first+i] = bits.MakeRef(l.body[from:from+l.w], buffer, int32(from))
	}
	l.at += n
	return nil
}
