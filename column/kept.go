package column

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
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
	part       vector.Vector // of vec, for tests
}

// A stepper knows how many of the next n values, n > 64, are best decoded at once.
type stepper interface{ step(n int) int }

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
		pack.Values(dst.Int32s[at:], v.Int32s[from:from+n], sel)
	case vector.InInt64s:
		pack.Values(dst.Int64s[at:], v.Int64s[from:from+n], sel)
	case vector.InFloats:
		pack.Values(dst.Floats[at:], v.Floats[from:from+n], sel)
	case vector.InDoubles:
		pack.Values(dst.Doubles[at:], v.Doubles[from:from+n], sel)
	case vector.InViews:
		count := pack.Values(dst.Views[at:], v.Views[from:from+n], sel)
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
		return c.ahead == c.asked.N || 4*bits.Count(sel, 0, n) >= n
	}
	return false
}

// keptBlock is how many values are decoded before they are tested: they stay in
// the processor's cache.
const keptBlock = 2048

// keepAndNarrow decodes the part's first n values, unless they are there, and tests them.
func (c *Cursor) keepAndNarrow(p *leafPage, sel []uint64, n int, t *pred.Test) error {
	k := &p.kept
	block := keptBlock
	if !numeric(c.src.Leaf.Type) {
		block = n
	}
	done := n
	if !k.has(p.value, p.value+n) {
		k.vec.Reset(c.src.Leaf.Type)
		k.vec.Extend(n)
		k.first, done = p.value, 0
	}
	steps, _ := p.values.(stepper)
	for tested := 0; tested < n; {
		if done < n {
			m := min(block, n-done)
			if steps != nil && m < n-done {
				m = steps.step(m)
			}
			err := p.values.seek(p.value + done)
			if err == nil {
				err = p.values.next(&k.vec, done, m)
			}
			if err != nil {
				k.forget()
				return err
			}
			done += m
		}
		end := done
		if end < n {
			end &^= 63 // whole words of sel
		}
		c.narrowKept(p, sel[tested/64:], tested, end-tested, t)
		tested = end
	}
	return nil
}

// numeric reports whether values of type t are numbers of a vector, each by itself.
func numeric(t vector.Type) bool {
	switch t.Store() {
	case vector.InInt32s, vector.InInt64s, vector.InFloats, vector.InDoubles:
		return true
	}
	return false
}

// keptNumbers reports whether the part's first n values are numbers that are kept:
// then their decoder need not come to them.
func (p *leafPage) keptNumbers(n int) bool {
	return p.kept.has(p.value, p.value+n) && numeric(p.kept.vec.Type)
}

// narrowKept tests n of the part's values, from value i on, which are kept.
func (c *Cursor) narrowKept(p *leafPage, sel []uint64, i, n int, t *pred.Test) {
	from := p.value + i - p.kept.first
	v, to := &p.kept.vec, from+n
	if narrowNumbers(sel, v, from, to, t) {
		return
	}
	part := &p.kept.part
	*part = vector.Vector{Type: v.Type, Len: n, Buffers: v.Buffers}
	switch v.Type.Store() {
	case vector.InBools:
		c.keptBits = grown(c.keptBits, bits.Words(n))
		bits.Copy(c.keptBits, 0, v.Bools, from, n)
		part.Bools = c.keptBits
	case vector.InInt32s:
		part.Int32s = v.Int32s[from:to]
	case vector.InInt64s:
		part.Int64s = v.Int64s[from:to]
	case vector.InFloats:
		part.Floats = v.Floats[from:to]
	case vector.InDoubles:
		part.Doubles = v.Doubles[from:to]
	case vector.InFixed:
		w := v.Type.Width()
		part.Fixed = v.Fixed[from*w : to*w]
	case vector.InViews:
		part.Views = v.Views[from:to]
	}
	t.Narrow(sel, part)
	*part = vector.Vector{}
}
