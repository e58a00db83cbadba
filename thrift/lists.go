package thrift

import (
	"math"
	"slices"
)

// Long lists are read by loops that keep the place in a register and decode in
// place what writers write; the reader's methods take the rest, and what is bad.

func (r *reader) i64s(dst []int64) []int64 {
	n := r.list(typeI64, 1)
	dst = slices.Grow(dst[:0], n)[:n]
	i := r.at
	for k := range dst {
		if i+9 <= len(r.b) {
			if v, next := few(r.b, i); next > i {
				dst[k] = zigzag(v)
				i = next
				continue
			}
		}
		r.at = i
		dst[k] = r.i64()
		i = r.at
		if r.err != nil {
			return dst[:k]
		}
	}
	r.at = i
	return dst
}

func (r *reader) binaries(dst [][]byte) [][]byte {
	n := r.list(typeBinary, 1)
	dst = slices.Grow(dst[:0], n)[:n]
	b, i := r.b, r.at
	for k := 0; k < len(dst); {
		if i < len(b) && b[i] < 0x80 {
			// As long as the sizes are the same, where the next value starts
			// need not wait for a byte of this one.
			size, first := int(b[i]), k
			for k < len(dst) && i+size < len(b) && int(b[i]) == size {
				dst[k] = b[i+1 : i+1+size : i+1+size]
				i += 1 + size
				k++
			}
			if k > first {
				continue
			}
		}
		r.at = i
		dst[k] = r.binary()
		i = r.at
		if r.err != nil {
			return dst[:k]
		}
		k++
	}
	r.at = i
	return dst
}

// pageLocations reads locations that have the three fields in their order.
//
//	16 offset… 15 size… 16 first row… 00
func (r *reader) pageLocations(dst []PageLocation) []PageLocation {
	const most = 3*(1+9) + 1
	// A field is at least 2 bytes; three of them and a stop.
	n := r.list(typeStruct, 7)
	dst = slices.Grow(dst[:0], n)[:n]
	b, i := r.b, r.at
	for k := range dst {
		if i+most <= len(b) {
			offset, at := few(b, i+1)
			size, behind := few(b, at+1)
			row, end := few(b, behind+1)
			usual := b[i] == 1<<4|typeI64 && b[at] == 1<<4|typeI32 && b[behind] == 1<<4|typeI64 && b[end] == typeStop
			if usual && size <= math.MaxUint32 {
				dst[k] = PageLocation{Offset: zigzag(offset), FirstRow: zigzag(row), CompressedSize: int32(zigzag(size))}
				i = end + 1
				continue
			}
		}
		r.at = i
		r.pageLocation(&dst[k])
		i = r.at
		if r.err != nil {
			return dst[:k]
		}
	}
	r.at = i
	return dst
}

func (r *reader) texts(dst []string) []string {
	n := r.list(typeBinary, 1)
	dst = slices.Grow(dst[:0], n)
	for ; n > 0 && r.err == nil; n-- {
		dst = append(dst, r.text())
	}
	return dst
}

func (r *reader) bools(dst []bool) []bool {
	n := r.list(typeTrue, 1)
	dst = slices.Grow(dst[:0], n)[:n]
	start := r.at
	for k, c := range r.bytes(n) {
		if c > typeFalse {
			r.fail(start+k, "bool of value ", c)
			break
		}
		dst[k] = c == typeTrue
	}
	return dst
}
