package values

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/plain"
)

// A filler appends decoded values to a vector.
type filler interface {
	Reset(in *Input) error
	Skip(n int) error
	Fill(v *vector.Vector, n int, a *arenas) error
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
