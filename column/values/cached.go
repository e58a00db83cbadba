package values

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
	"github.com/winnow-scan/winnow/encoding/rle"
)

// An Owner is a decoder that puts values together in memory of its own, of Input.Bodies.
type Owner interface {
	Lend(b []byte) // notes that one more vector points into b, if that is such memory
	Leave()        // notes that no more values of its page are wanted
}

// cached decodes each value once and keeps those of the window: for decoders that cannot
// be copied, or put values together in memory of their own. Values that Pack decodes
// directly to dst are not kept; if they are wanted again, which is rare, the page is
// decoded from its start.
type cached struct {
	from filler
	vec  vector.Vector // values from first on; from decodes those after them
	typ  vector.Type

	first int
	now   int
	part  vector.Vector // of vec, for tests
	owned arenas        // of vec
	want  int           // where the wanted values end: all up to here are decoded at once

	in     Input // to decode the page from its start
	reread bool  // values that had not been kept were wanted again
}

func (d *cached) Reset(in *Input) error {
	d.Leave()
	d.typ, d.first, d.now = in.Type, 0, 0
	build.Reset(&d.vec, in.Type)
	d.owned.bodies = in.Bodies
	d.in = *in
	return d.from.Reset(in)
}

// Leave drops all values that are kept.
func (d *cached) Leave() {
	build.Reset(&d.vec, d.typ)
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

// Pack decodes directly to dst, if n has all wanted values and none was decoded before.
// Else it is Gather: all values are decoded, whatever is wanted.
func (d *cached) Pack(dst *vector.Vector, at int, sel []uint64, n int) (bool, error) {
	if from, ok := d.from.(viewKeeper); ok && !d.reread && d.vec.Len == 0 && d.now == d.first && d.now+n >= d.want {
		err := from.Pack(dst, at, sel, n, &d.owned)
		d.first += n
		d.now = d.first
		return true, err
	}
	return true, d.Gather(dst, at, sel, n)
}

func (d *cached) GatherSpacing(*vector.Vector) int { return 0 }

// Filter tests decoded values, which stay.
func (d *cached) Filter(sel []uint64, n int, t *pred.Test) (bool, error) {
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
	t.Filter(sel, &d.part)
	return true, nil
}

func (d *cached) Codes() *rle.Codes { return nil }

func (d *cached) Mask([]uint64, int, *bitpack.Mask) error { return errNoCodes }
