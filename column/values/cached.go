package values

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/delta"
	"github.com/winnow-scan/winnow/encoding/pack"
	"github.com/winnow-scan/winnow/encoding/plain"
	"github.com/winnow-scan/winnow/encoding/rle"
)

// An Owner is a decoder that puts values together in memory of its own, of Input.Bodies.
type Owner interface {
	Lend(b []byte) // notes that one more vector points into b, if that is such memory
	Leave()        // says that the decoder is not asked for more values of its page
}

// cached decodes each value once and keeps those of the window: for decoders that cannot
// be copied, or put values together in memory of their own. Values that Keep decodes
// directly to dst are not kept; if they are asked for again, which is rare, the page is
// decoded from its start.
type cached struct {
	from filler
	vec  vector.Vector // values from first on; from decodes those behind them
	typ  vector.Type

	first int
	now   int
	part  vector.Vector // of vec, for tests
	owned arenas        // of vec
	want  int           // where the wanted values end: decoded at once

	in     Input // to begin again
	reread bool  // values that had not been kept were asked for again
}

// A viewKeeper decodes those of the next n values that are in sel to views of v, from
// slot at on.
type viewKeeper interface {
	Keep(v *vector.Vector, at int, sel []uint64, n int, a *arenas) error
}

// A filler appends decoded values to a vector.
type filler interface {
	Reset(in *Input) error
	Skip(n int) error
	Fill(v *vector.Vector, n int, a *arenas) error
}

func (d *cached) Reset(in *Input) error {
	d.Leave()
	d.typ, d.first, d.now = in.Type, 0, 0
	d.vec.Reset(in.Type)
	d.owned.bodies = in.Bodies
	d.in = *in
	return d.from.Reset(in)
}

// Leave drops all values that are kept.
func (d *cached) Leave() {
	d.vec.Reset(d.typ)
	d.owned.leave()
}

func (d *cached) end() int { return d.first + d.vec.Len }

func (d *cached) Begin(v, n int) error {
	if err := d.Seek(v); err != nil {
		return err
	}
	d.want = v + n
	if v < d.end() {
		if n := v - d.first; n > d.vec.Len/2 { // else values would be moved for every small step
			d.drop(n)
		}
		return nil
	}
	return d.jump(v)
}

// Lend notes that one more vector points into b, if it is memory of these values.
func (d *cached) Lend(b []byte) { d.owned.lend(b) }

// jump drops all values, and skips up to value v.
func (d *cached) jump(v int) error {
	ahead := v - d.end()
	d.Leave()
	d.first = v
	if ahead > 0 {
		return d.from.Skip(ahead)
	}
	return nil
}

// drop drops the first n values, fewer than there are.
func (d *cached) drop(n int) {
	if n == 0 {
		return
	}
	v := &d.vec
	rest := v.Len - n
	if v.Type.Store() == vector.InViews {
		copy(v.Views, v.Views[n:v.Len])
	} else {
		w := v.Type.Width()
		copy(v.Fixed, v.Fixed[n*w:v.Len*w])
	}
	d.first += n
	v.Len = rest
}

func (d *cached) Seek(v int) error {
	if v < d.first {
		d.reread = true
		if err := d.Reset(&d.in); err != nil {
			return err
		}
		if err := d.jump(v); err != nil {
			return err
		}
	}
	d.now = v
	return nil
}

// decodeNext decodes the next n values, unless they are there, and returns the slot of the
// first in vec.
func (d *cached) decodeNext(n int) (int, error) {
	if lack := max(d.now+n, d.want) - d.end(); d.now+n > d.end() {
		had := d.vec.Len
		if err := d.from.Fill(&d.vec, lack, &d.owned); err != nil {
			d.vec.Len = had
			return 0, err
		}
	}
	slot := d.now - d.first
	d.now += n
	return slot, nil
}

func (d *cached) Next(dst *vector.Vector, at, n int) error {
	slot, err := d.decodeNext(n)
	if err != nil {
		return err
	}
	if d.typ.Store() == vector.InViews {
		moveViews(dst, at, d.vec.Views[slot:slot+n], d.vec.Buffers)
		return nil
	}
	w := d.typ.Width()
	copy(dst.Fixed[at*w:], d.vec.Fixed[slot*w:(slot+n)*w])
	return nil
}

func (d *cached) Gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	slot, err := d.decodeNext(n)
	if err != nil {
		return err
	}
	if d.typ.Store() == vector.InViews {
		count := pack.Values(dst.Views[at:], d.vec.Views[slot:slot+n], sel)
		moveViews(dst, at, dst.Views[at:at+count], d.vec.Buffers)
		return nil
	}
	w := d.typ.Width()
	for from, to := bits.NextRun(sel, 0, n); from < n; from, to = bits.NextRun(sel, to, n) {
		copy(dst.Fixed[at*w:], d.vec.Fixed[(slot+from)*w:(slot+to)*w])
		at += to - from
	}
	return nil
}

// Keep decodes directly to dst, if n has all wanted values and none was decoded before.
// Else it is Gather: all values are decoded, whatever is wanted.
func (d *cached) Keep(dst *vector.Vector, at int, sel []uint64, n int) (bool, error) {
	if from, ok := d.from.(viewKeeper); ok && !d.reread && d.vec.Len == 0 && d.now == d.first && d.now+n >= d.want {
		err := from.Keep(dst, at, sel, n, &d.owned)
		d.first += n
		d.now = d.first
		return true, err
	}
	return true, d.Gather(dst, at, sel, n)
}

func (d *cached) GatherSpacing(*vector.Vector) int { return 0 }

// Narrow tests decoded values, which stay.
func (d *cached) Narrow(sel []uint64, n int, t *pred.Test) (bool, error) {
	if t.Negate || t.Kind == pred.Func {
		return false, nil
	}
	slot, err := d.decodeNext(n)
	if err != nil {
		return true, err
	}
	d.part = vector.Vector{Type: d.typ, Len: n, Buffers: d.vec.Buffers}
	if d.typ.Store() == vector.InViews {
		d.part.Views = d.vec.Views[slot : slot+n]
	} else {
		w := d.typ.Width()
		d.part.Fixed = d.vec.Fixed[slot*w : (slot+n)*w]
	}
	t.Narrow(sel, &d.part)
	return true, nil
}

func (d *cached) Codes() *rle.Codes { return nil }

func (d *cached) Mask([]uint64, int, *bitpack.Mask) error { return errNoCodes }

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
	first := v.Extend(n)
	p.d.Buffer = int32(len(v.Buffers))
	_, arena, err := p.d.Next(v.Views[first:v.Len], a.take(p.needed(n)))
	p.made(v, arena, n, a)
	return err
}

func (p *prefixed) Keep(v *vector.Vector, at int, sel []uint64, n int, a *arenas) error {
	p.d.Buffer = int32(len(v.Buffers))
	_, arena, err := p.d.Keep(v.Views[at:], a.take(p.needed(n)), sel, n)
	p.made(v, arena, n, a)
	return err
}

// made adds the arena of n values to v's buffers.
func (p *prefixed) made(v *vector.Vector, arena []byte, n int, a *arenas) {
	a.keep(arena)
	if len(arena) > 0 {
		v.AddBuffer(arena)
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
		first := v.Extend(n)
		_, err := P(&s.d).Next(v.Fixed[first*w : v.Len*w])
		return err
	}
	for n > 0 {
		// An arena has about a MiB: offsets have 31 bits.
		some := min(n, max(1, (1<<20)/w))
		arena := a.take(some * w)[:some*w]
		a.keep(arena)
		if _, err := P(&s.d).Next(arena); err != nil {
			return err
		}
		first, buffer := v.Extend(some), v.AddBuffer(arena)
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
	first, buffer := v.Extend(n), useBuffer(v, l.body)
	for i := range n {
		from := (l.at + i) * l.w
		v.Views[first+i] = bits.MakeRef(l.body[from:from+l.w], buffer, int32(from))
	}
	l.at += n
	return nil
}
