package values

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
)

// An Owner is a decoder whose values are in memory that is not the page's body: a
// dictionary's, or its own, of Input.Bodies.
type Owner interface {
	Lend(b []byte) // notes that one more vector points into b, if that is such memory
	Leave()        // notes that no more values of its page are wanted
}

// A Dropper is an Owner that takes back memory of values which only one vector had.
type Dropper interface {
	Drop(buffers [][]byte) // says that nothing points into these buffers any more, but those that were lent
}

// cached decodes each value once and keeps those of the window: for decoders that cannot
// be copied, or put values together in memory of their own.
type cached struct {
	basic
	from  filler // decodes the values after those that are kept
	kept  Kept
	now   int
	owned arenas // of kept
	want  int    // where the wanted values end: all up to here are decoded at once
}

func (d *cached) Reset(in *Input) error {
	d.Leave()
	d.kept.first, d.now = 0, 0
	build.Reset(&d.kept.vec, in.Type)
	d.owned.bodies = in.Bodies
	return d.from.Reset(in)
}

// Leave drops all values that are kept.
func (d *cached) Leave() {
	build.Reset(&d.kept.vec, d.kept.vec.Type)
	d.owned.leave()
}

func (d *cached) end() int { return d.kept.first + d.kept.vec.Len }

func (d *cached) Begin(v, n int) error {
	if err := d.Seek(v); err != nil {
		return err
	}
	d.want = v + n
	if v < d.end() {
		if n := v - d.kept.first; n > d.kept.vec.Len/2 { // else values would be moved for every small step
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
	d.kept.first = v
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
	v := &d.kept.vec
	rest := v.Len - n
	if v.Type.Store() == vector.InViews {
		copy(v.Views, v.Views[n:v.Len])
	} else {
		w := v.Type.Width()
		copy(v.Fixed, v.Fixed[n*w:v.Len*w])
	}
	d.kept.first += n
	v.Len = rest
}

func (d *cached) Seek(v int) error {
	d.now = v
	return nil
}

// decodeNext decodes the next n values, unless they are there, and makes them the next of
// those that are kept.
func (d *cached) decodeNext(n int) error {
	if lack := max(d.now+n, d.want) - d.end(); d.now+n > d.end() {
		had := d.kept.vec.Len
		if err := d.from.Fill(&d.kept.vec, lack, &d.owned); err != nil {
			d.kept.vec.Len = had
			return err
		}
	}
	d.kept.now = d.now - d.kept.first
	d.now += n
	return nil
}

func (d *cached) Next(dst *vector.Vector, at, n int) error {
	if err := d.decodeNext(n); err != nil {
		return err
	}
	return d.kept.Next(dst, at, n)
}

func (d *cached) Gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	if err := d.decodeNext(n); err != nil {
		return err
	}
	return d.kept.Gather(dst, at, sel, n)
}

// Pack is Gather: all values are decoded, whatever is wanted.
func (d *cached) Pack(dst *vector.Vector, at int, sel []uint64, n int) (bool, error) {
	return true, d.Gather(dst, at, sel, n)
}

// Filter tests decoded values, which stay.
func (d *cached) Filter(sel []uint64, n int, t *pred.Test) (bool, error) {
	if t.Negate || t.Kind == pred.Func {
		return false, nil
	}
	if err := d.decodeNext(n); err != nil {
		return true, err
	}
	d.kept.filter(sel, d.kept.now, d.kept.now+n, t)
	return true, nil
}
