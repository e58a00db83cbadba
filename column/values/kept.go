package values

import (
	"slices"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// Kept holds values of a page that were decoded and are wanted again, as those that a filter
// had to decode are for reading the survivors: in their order and without NULLs.
//
//	values   0        first              first+vec.Len
//	         ├──────────┼─────────────────────┤
//	                    now ▶
type Kept struct {
	vec        vector.Vector
	first, now int
	part       vector.Vector // of vec, for tests
	bools      []uint64      // of part
}

// A stepper is a decoder that says how many of the next n values, n > 64, are best
// decoded at once.
type stepper interface{ step(n int) int }

// Has reports whether the values [from, to) of the page are kept.
func (k *Kept) Has(from, to int) bool {
	return k.first <= from && to <= k.first+k.vec.Len
}

// Forget drops the values. Memory is kept for others, except for buffers that views point
// into.
func (k *Kept) Forget() {
	k.vec.Len = 0
	clear(k.vec.Buffers)
	k.vec.Buffers = k.vec.Buffers[:0]
}

// Seek makes value v of the page the next.
func (k *Kept) Seek(v int) error {
	k.now = v - k.first
	return nil
}

// Next copies the next n values to dst, the first to slot at.
func (k *Kept) Next(dst *vector.Vector, at, n int) error {
	from := k.now
	k.now += n
	switch v := &k.vec; v.Type.Store() {
	case vector.InBools:
		bits.Copy(dst.Bools, at, v.Bools, from, n)
	case vector.InViews:
		moveViews(dst, at, v.Views[from:from+n], v.Buffers)
	default:
		to, _ := build.Memory(dst, at, at+n)
		values, _ := build.Memory(v, from, from+n)
		copy(to, values)
	}
	return nil
}

// Gather is Next for those of the next n values that are in sel.
func (k *Kept) Gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	from := k.now
	k.now += n
	switch v := &k.vec; v.Type.Store() {
	case vector.InBools:
		k.bools = slices.Grow(k.bools[:0], bits.Words(n))[:bits.Words(n)]
		bits.Copy(k.bools, 0, v.Bools, from, n)
		bits.Compress(dst.Bools, at, k.bools, sel, n)
	case vector.InViews:
		count := pack.Values(dst.Views[at:], v.Views[from:from+n], sel)
		moveViews(dst, at, dst.Views[at:at+count], v.Buffers)
	default:
		to, width := build.Memory(dst, at, dst.Len)
		values, _ := build.Memory(v, from, from+n)
		pack.Fixed(to, values, width, sel)
	}
	return nil
}

// keptBlock is how many values are decoded before they are tested: they stay in
// the processor's cache.
const keptBlock = 2048

// HasNumbers is Has for numbers.
func (k *Kept) HasNumbers(from, to int) bool {
	return k.Has(from, to) && IsNumber(k.vec.Type)
}

// DecodeAndFilter decodes and keeps the n values of type typ from value first on, unless
// they are kept, and clears in sel those that do not pass t.
func (k *Kept) DecodeAndFilter(from Decoder, typ vector.Type, first int, sel []uint64, n int, t *pred.Test) error {
	block := keptBlock
	if !IsNumber(typ) {
		block = n
	}
	done := n
	if !k.Has(first, first+n) {
		build.Reset(&k.vec, typ)
		build.Extend(&k.vec, n)
		k.first, done = first, 0
	}
	steps, _ := from.(stepper)
	for tested := 0; tested < n; {
		if done < n {
			m := min(block, n-done)
			if steps != nil && m < n-done {
				m = steps.step(m)
			}
			err := from.Seek(first + done)
			if err == nil {
				err = from.Next(&k.vec, done, m)
			}
			if err != nil {
				k.Forget()
				return err
			}
			done += m
		}
		end := done
		if end < n {
			end &^= 63 // whole words of sel
		}
		k.filter(sel[tested/64:], first-k.first+tested, first-k.first+end, t)
		tested = end
	}
	return nil
}

// filter clears in sel those of vec's slots [from, to) that do not pass t.
func (k *Kept) filter(sel []uint64, from, to int, t *pred.Test) {
	v, n := &k.vec, to-from
	part := &k.part
	part.Type, part.Len, part.Buffers = v.Type, n, v.Buffers
	switch v.Type.Store() {
	case vector.InBools:
		k.bools = slices.Grow(k.bools[:0], bits.Words(n))[:bits.Words(n)]
		bits.Copy(k.bools, 0, v.Bools, from, n)
		part.Bools = k.bools
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
	t.Filter(sel, part)
	part.Buffers = nil
}
