package arrowscan

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/winnow-scan/winnow/column/vector"
)

// viewData shows strings, with all the buffers that they are in.
func viewData(check bool) converter {
	return func(c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
		if err := c.checkText(v, check); err != nil {
			return nil, err
		}
		values := append(make([]*memory.Buffer, 0, 8), k.lease.borrow(bytesOf(v.Views[:v.Len])))
		for _, b := range v.Buffers {
			values = append(values, k.lease.borrow(b))
		}
		return c.assemble(k, v, nil, values...), nil
	}
}

// offsetsData copies strings one behind the other.
func offsetsData[T int32 | int64](check bool) converter {
	return func(c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
		if err := c.checkText(v, check); err != nil {
			return nil, err
		}
		size := 0
		for i := range v.Views[:v.Len] {
			size += v.Views[i].Len()
		}
		if sizeOf[T]() == 4 && size > math.MaxInt32 {
			return nil, c.errorf("%d bytes of strings in one batch are too many for 32-bit offsets", size)
		}
		offsets := k.allocate((v.Len + 1) * sizeOf[T]())
		bytes := k.allocate(size)
		ends, to, at := sliceOf[T](offsets.Bytes()), bytes.Bytes(), 0
		ends[0] = 0
		for i := range v.Views[:v.Len] {
			at += copy(to[at:], v.Views[i].Bytes(v.Buffers))
			ends[i+1] = T(at)
		}
		return c.assemble(k, v, nil, offsets, bytes), nil
	}
}

// checkText returns an error for the first string that is not UTF-8, if strings are checked.
func (c *column) checkText(v *vector.Vector, check bool) error {
	if !check || littleEndian && ascii(v) {
		return nil
	}
	for i, view := range v.Views[:v.Len] {
		if b := view.Bytes(v.Buffers); !utf8.Valid(b) {
			return c.errorf("the string %q of row %d of a batch is not UTF-8", b[:min(len(b), 40)], i)
		}
	}
	return nil
}

// ascii reports whether all strings are ASCII, by their views and their buffers as a whole: that
// takes a nanosecond a string, where looking at each by itself takes 15. Bytes
// between strings, such as lengths, may spoil it.
func ascii(v *vector.Vector) bool {
	const (
		high      = 0x8080808080808080
		firstFour = high &^ 0xffffffff // the bytes of a string in a view's first word
	)
	var all uint64
	for _, view := range v.Views[:v.Len] {
		head, rest := view.Words()
		if !view.IsInline() {
			rest = 0 // where the string is
		}
		all |= head&firstFour | rest&high
	}
	if all != 0 {
		return false
	}
	for _, b := range v.Buffers {
		if !asciiBytes(b) {
			return asciiSpans(v)
		}
	}
	return true
}

// asciiSpans reports whether the strings of a buffer, and what is between them, are ASCII. A
// page's strings lie one behind the other, with other bytes before and after them.
func asciiSpans(v *vector.Vector) bool {
	spans := make([]span, len(v.Buffers))
	for _, view := range v.Views[:v.Len] {
		if view.IsInline() {
			continue
		}
		buffer, offset := view.Ref()
		s, start := &spans[buffer], int(offset)
		if s.end == 0 {
			s.start = start
		}
		s.start, s.end = min(s.start, start), max(s.end, start+view.Len())
	}
	for i, s := range spans {
		if !asciiBytes(v.Buffers[i][s.start:s.end]) {
			return false
		}
	}
	return true
}

// span is the part of a buffer that strings take.
type span struct{ start, end int }

// asciiBytes reports whether no byte of b has its high bit set.
func asciiBytes(b []byte) bool {
	const high = 0x8080808080808080
	for len(b) >= 256 {
		var all uint64
		block := b[:256]
		for i := 0; i < 256; i += 32 {
			all |= binary.NativeEndian.Uint64(block[i:]) | binary.NativeEndian.Uint64(block[i+8:]) |
				binary.NativeEndian.Uint64(block[i+16:]) | binary.NativeEndian.Uint64(block[i+24:])
		}
		if all&high != 0 {
			return false
		}
		b = b[256:]
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
