package thrift

import (
	"math"
	"slices"
)

// The loops below read long lists. They keep the offset in a register and decode
// the elements that known writers write; all others, bad ones among them, are left
// to the reader's methods.

func (r *reader) i64s(dst []int64) []int64 {
	n := r.list(typeI64, 1)
	dst = slices.Grow(dst[:0], n)[:n]
	i := r.at
	for k := range dst {
		if i+9 <= len(r.b) {
			if v, next := shortVarint(r.b, i); next > i {
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
			// As long as the sizes are the same, the processor knows where the
			// next value starts before it has loaded this one's size.
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

// pageLocations reads page locations, fast if their three fields are in this order:
//
//	16 offset… 15 size… 16 first row… 00
func (r *reader) pageLocations(dst []PageLocation) []PageLocation {
	const most = 3*(1+9) + 1
	// A location is at least three fields of 2 bytes each, and a stop.
	n := r.list(typeStruct, 7)
	dst = slices.Grow(dst[:0], n)[:n]
	b, i := r.b, r.at
	for k := range dst {
		if i+most <= len(b) {
			offset, at := shortVarint(b, i+1)
			size, behind := shortVarint(b, at+1)
			row, end := shortVarint(b, behind+1)
			ordered := b[i] == 1<<4|typeI64 && b[at] == 1<<4|typeI32 && b[behind] == 1<<4|typeI64 && b[end] == typeStop
			if ordered && size <= math.MaxUint32 {
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
