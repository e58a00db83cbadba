package column

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// kept are values of a page that a filter had to decode, for who reads the
// survivors: those of the window, in their order and without NULLs.
//
//	values   0        first              first+vec.Len
//	         ├──────────┼─────────────────────┤
//	                    now ▶
type kept struct {
	vec        vector.Vector
	first, now int
}

// source is what values are read from: a page's decoder, or what was kept.
type source interface {
	seek(v int) error
	next(dst *vector.Vector, at, n int) error
	gather(dst *vector.Vector, at int, sel []uint64, n int) error
}

// has reports whether the values [from, to) of the page are there.
func (k *kept) has(from, to int) bool {
	return k.first <= from && to <= k.first+k.vec.Len
}

func (k *kept) forget() {
	k.vec.Len = 0
	clear(k.vec.Buffers)
	k.vec.Buffers = k.vec.Buffers[:0]
}

func (k *kept) seek(v int) error {
	k.now = v - k.first
	return nil
}

func (k *kept) next(dst *vector.Vector, at, n int) error {
	from, to := k.now, k.now+n
	k.now = to
	switch v := &k.vec; v.Type.Store() {
	case vector.InBools:
		bits.Copy(dst.Bools, at, v.Bools, from, n)
	case vector.InInt32s:
		copy(dst.Int32s[at:at+n], v.Int32s[from:to])
	case vector.InInt64s:
		copy(dst.Int64s[at:at+n], v.Int64s[from:to])
	case vector.InFloats:
		copy(dst.Floats[at:at+n], v.Floats[from:to])
	case vector.InDoubles:
		copy(dst.Doubles[at:at+n], v.Doubles[from:to])
	case vector.InFixed:
		w := v.Type.Width()
		copy(dst.Fixed[at*w:(at+n)*w], v.Fixed[from*w:to*w])
	case vector.InViews:
		moveViews(dst, at, v.Views[from:to], v.Buffers)
	}
	return nil
}

func (k *kept) gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	from := k.now
	k.now += n
	switch v := &k.vec; v.Type.Store() {
	case vector.InInt32s:
		gather(dst.Int32s[at:], v.Int32s[from:], sel, n)
	case vector.InInt64s:
		gather(dst.Int64s[at:], v.Int64s[from:], sel, n)
	case vector.InFloats:
		gather(dst.Floats[at:], v.Floats[from:], sel, n)
	case vector.InDoubles:
		gather(dst.Doubles[at:], v.Doubles[from:], sel, n)
	case vector.InViews:
		count := gather(dst.Views[at:], v.Views[from:], sel, n)
		moveViews(dst, at, dst.Views[at:at+count], v.Buffers)
	case vector.InFixed:
		w := v.Type.Width()
		for i := bits.Next(sel, 0, n); i < n; i = bits.Next(sel, i+1, n) {
			copy(dst.Fixed[at*w:(at+1)*w], v.Fixed[(from+i)*w:])
			at++
		}
	case vector.InBools:
		for i := bits.Next(sel, 0, n); i < n; i = bits.Next(sel, i+1, n) {
			bits.Copy(dst.Bools, at, v.Bools, from+i, 1)
			at++
		}
	}
	return nil
}

// gather copies the values whose bits are set.
func gather[T any](dst, src []T, sel []uint64, n int) (count int) {
	src = src[:n]
	for i := bits.Next(sel, 0, n); i < n; i = bits.Next(sel, i+1, n) {
		dst[count] = src[i]
		count++
	}
	return count
}

// toKeep reports whether the part's first n values, of which those in sel are
// to be tested, are best decoded and kept: where a test must decode them
// anyway, and most of them.
func (c *Cursor) toKeep(p *leafPage, sel []uint64, n int) bool {
	force := c.opts.Force.Keep
	if !c.opts.Returned || force != ByCost {
		return c.opts.Returned && force == Always && p.values.codes() == nil
	}
	switch p.header.Encoding { // of others kernels test what they need not store, or decode at no cost
	case wire.Encoding_DELTA_BINARY_PACKED, wire.Encoding_ALP:
		return 4*bits.Count(sel, 0, n) >= n
	}
	return false
}

// keep decodes the part's first n values, unless they are there.
func (c *Cursor) keep(p *leafPage, n int) error {
	k := &p.kept
	if k.has(p.value, p.value+n) {
		return nil
	}
	k.vec.Reset(c.src.Leaf.Type)
	k.vec.Extend(n)
	k.first = p.value
	err := p.values.seek(p.value)
	if err == nil {
		err = p.values.next(&k.vec, 0, n)
	}
	if err != nil {
		k.forget()
	}
	return err
}

// narrowKept tests the part's first n values, which are kept.
func (c *Cursor) narrowKept(p *leafPage, sel []uint64, n int, t *pred.Test) {
	from := p.value - p.kept.first
	v := &p.kept.vec
	part := vector.Vector{Type: v.Type, Len: n, Buffers: v.Buffers}
	switch to := from + n; v.Type.Store() {
	case vector.InBools:
		c.keptBits = grown(c.keptBits, bits.Words(n))
		bits.Copy(c.keptBits, 0, v.Bools, from, n)
		part.Bools = c.keptBits
	case vector.InInt32s:
		part.Int32s = v.Int32s[from:to]
		if within(sel, part.Int32s, t) {
			return
		}
	case vector.InInt64s:
		part.Int64s = v.Int64s[from:to]
		if within(sel, part.Int64s, t) {
			return
		}
	case vector.InFloats:
		part.Floats = v.Floats[from:to]
		if within(sel, part.Floats, t) {
			return
		}
	case vector.InDoubles:
		part.Doubles = v.Doubles[from:to]
		if within(sel, part.Doubles, t) {
			return
		}
	case vector.InFixed:
		w := v.Type.Width()
		part.Fixed = v.Fixed[from*w : to*w]
	case vector.InViews:
		part.Views = v.Views[from:to]
	}
	t.Narrow(sel, &part)
}

// within runs the kernel for a Range, if t is one.
func within[T encoding.Number](sel []uint64, values []T, t *pred.Test) bool {
	lo, hi, ok := bounds[T](t)
	if !ok || t.Negate || t.Kind != pred.Range {
		return false
	}
	encoding.Within(sel, values, lo, hi)
	return true
}
