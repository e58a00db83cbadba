package pred

import (
	"bytes"
	"cmp"
	"encoding/binary"
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Filter clears in sel the bit of each value that does not pass. The vector is
// flat and has no NULLs; it is not kept. Filter defines what a test means:
// kernels on encoded values give the same answer. Dictionary entries are tested
// by it, too. Tests of Kind Codes and Null do not look at values: for these,
// Filter lets no value pass.
// Safe for concurrent use, if Function is.
func (t *Test) Filter(sel []uint64, v *vector.Vector) {
	if t.keepNumbers(sel, v) {
		return
	}
	if !t.Negate {
		t.filter(sel, v)
		return
	}
	var buffer [16]uint64 // decoders test up to 1024 values at a time
	var passed []uint64
	if n := bits.Words(v.Len); n <= len(buffer) {
		passed = buffer[:n]
	} else {
		passed = make([]uint64, n)
	}
	copy(passed, sel)
	t.filter(passed, v)
	bits.Drop(sel, passed, v.Len)
}

// filter is Filter without Negate.
//
//every:predicate filter but Never Codes Null (nothing passes; tested on codes and levels)
func (t *Test) filter(sel []uint64, v *vector.Vector) {
	switch t.Kind {
	case Range:
		t.inRange(sel, v)
	case Set:
		if t.set.domain == domainBytes && v.Type.Store() == vector.InFixed {
			t.keepBytes(sel, v)
		} else {
			t.set.filter(sel, v)
		}
	case Equal, Prefix, Suffix, Contains, Like:
		t.keepBytes(sel, v)
	case Func:
		t.Function(v, sel)
	default:
		bits.ClearRange(sel, 0, v.Len)
	}
}

// passes reports whether one value of bytes passes, Negate aside.
//
//every:predicate value but Never Range Codes Null Func (nothing passes; by domain; not on bytes)
func (t *Test) passes(b []byte) bool {
	switch t.Kind {
	case Set:
		return t.set.texts.has(t.set.texts.hash(b), b)
	case Equal:
		return bytes.Equal(b, t.Text)
	case Prefix:
		return bytes.HasPrefix(b, t.Text)
	case Suffix:
		return bytes.HasSuffix(b, t.Text)
	case Contains:
		return bytes.Contains(b, t.Text)
	case Like:
		return t.like.match(b)
	}
	switch t.domain {
	case domainDecimals:
		return (t.blo == nil || CompareDecimals(b, t.blo) >= 0) && (t.bhi == nil || CompareDecimals(b, t.bhi) <= 0)
	case domainInt96s:
		return (t.blo == nil || compareInt96s(b, t.blo) >= 0) && (t.bhi == nil || compareInt96s(b, t.bhi) <= 0)
	case domainLongStamps:
		if len(b) != int96Width {
			return false
		}
		return (t.blo == nil || vector.CompareLongStamps(b, t.blo) >= 0) && (t.bhi == nil || vector.CompareLongStamps(b, t.bhi) <= 0)
	case domainFloat16s:
		if len(b) != 2 {
			return false
		}
		key := int64(float16Key(binary.LittleEndian.Uint16(b)))
		return t.lo <= key && key <= t.hi
	}
	return bytes.Compare(b, t.blo) >= 0 && (t.bhi == nil || bytes.Compare(b, t.bhi) < 0)
}

// inRange is filter for a Range, but of numbers: see keepNumbers.
func (t *Test) inRange(sel []uint64, v *vector.Vector) {
	switch {
	case t.domain == domainInts && v.Type.Store() == vector.InBools:
		for i := range v.Len {
			var x int64
			if bits.Get(v.Bools, i) {
				x = 1
			}
			if x < t.lo || x > t.hi {
				bits.Clear(sel, i)
			}
		}
	case t.domain == domainInts || t.domain == domainFloats:
		bits.ClearRange(sel, 0, v.Len) // the Range is of another type than the values
	default:
		t.keepBytes(sel, v)
	}
}

// keepBytes clears the bit of each value in Views or Fixed that does not pass.
func (t *Test) keepBytes(sel []uint64, v *vector.Vector) {
	if s := v.Type.Store(); s != vector.InFixed && s != vector.InViews {
		bits.ClearRange(sel, 0, v.Len)
		return
	}
	if w := v.Type.Width(); v.Type.Store() == vector.InFixed && t.KeepsFixed(w) {
		t.KeepFixed(sel, v.Fixed[:v.Len*w], w)
		return
	}
	if t.Kind == Equal && v.Type.Store() == vector.InViews && len(t.Text) <= bits.MaxInline {
		// A view holds all bytes of a short string, so views are compared.
		text := bits.MakeInline(t.Text)
		for i, w := range sel[:bits.Words(v.Len)] {
			for w &= bits.Low(min(64, v.Len-i*64)); w != 0; w &= w - 1 {
				if b := mathbits.TrailingZeros64(w); v.Views[i*64+b] != text {
					sel[i] &^= 1 << b
				}
			}
		}
		return
	}
	if least, most, ok := t.Decimals(); ok {
		keepDecimals(sel, v, &span{lowest: least, highest: most})
		return
	}
	for i := bits.Next(sel, 0, v.Len); i < v.Len; i = bits.Next(sel, i+1, v.Len) {
		if !t.passes(v.Bytes(i)) {
			bits.Clear(sel, i)
		}
	}
}

// keepDecimals clears the bit of each decimal in Views that is not within s.
func keepDecimals(sel []uint64, v *vector.Vector, s *span) {
	if s.isEmpty() {
		bits.ClearRange(sel, 0, v.Len)
		return
	}
	l := s.limits()
	for i, w := range sel[:bits.Words(v.Len)] {
		n := min(64, v.Len-i*64)
		for w &= bits.Low(n); w != 0; w &= w - 1 {
			b := mathbits.TrailingZeros64(w)
			sel[i] &^= l.outside(bits.DecimalKey(v.Views[i*64+b].Bytes(v.Buffers))) << b
		}
	}
}

// CompareDecimals is bits.CompareDecimals, for rooms that must not import it.
func CompareDecimals(a, b []byte) int { return bits.CompareDecimals(a, b) }

// compareInt96s compares INT96 timestamps by time: nanoseconds carry into days.
func compareInt96s(a, b []byte) int {
	if len(a) != 12 || len(b) != 12 {
		return len(a) - len(b)
	}
	dayA, nanosA := vector.SplitInt96(a)
	dayB, nanosB := vector.SplitInt96(b)
	return cmp.Or(cmp.Compare(dayA, dayB), cmp.Compare(nanosA, nanosB))
}
