package snappy

import (
	"encoding/binary"
	"unsafe"

	"github.com/winnow-scan/winnow/page/codec/moves"
)

// fastGo decodes tags, from byte s of src to byte d of dst, until d or s has reached its
// limit, or up to a tag that it does not decode: an invalid one, a literal of more than 60
// bytes, an offset of 4 bytes. It returns d and s.
//
// d and s must be below their limits. It touches up to Slack bytes of dst after dLimit and
// up to sourceSlack bytes of src after sLimit. dst must be shorter than rare.
func fastGo(dst []byte, d, dLimit int, src []byte, s, sLimit int) (int, int) {
	inReach(dst, d, dLimit, src, s, sLimit)
	out, in := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src))
	tag := *(*byte)(unsafe.Add(in, s))
	for d < dLimit && s < sLimit {
		kind := tag & 3
		if kind == literal {
			n := int(tag>>2) + 1
			to, at := unsafe.Add(out, d), unsafe.Add(in, s+1)
			move(to, at)
			if n > 16 {
				if n > 60 {
					break
				}
				moveRest(to, at)
			}
			s += n + 1
			d += n
			tag = *(*byte)(unsafe.Add(in, s))
			continue
		}
		behind := binary.LittleEndian.Uint32((*[4]byte)(unsafe.Add(in, s+1))[:])
		n := int(nearCopies.lengths[tag])
		offset := int(behind&masks[kind] + nearCopies.offsets[tag])
		if uint(offset-1) >= uint(d) { // 0, or before the start
			break
		}
		from := d - offset
		// The next tag is shifted out of what was loaded, not loaded: a load would wait for its place, by way of kind.
		tag = byte(behind >> (8 * kind))
		s += int(kind) + 1
		switch {
		case offset >= n: // so no move changes any of the n bytes before they are read; those after them are overwritten
			move(unsafe.Add(out, d), unsafe.Add(out, from))
			if n > 16 {
				moveRest(unsafe.Add(out, d), unsafe.Add(out, from))
			}
		case offset >= 8:
			for i := 0; i < n; i += 8 { // each move may read what the one before wrote
				*(*[8]byte)(unsafe.Add(out, d+i)) = *(*[8]byte)(unsafe.Add(out, from+i))
			}
		default:
			moves.Repeat(dst[d:d+n], dst[from:d])
		}
		d += n
	}
	return d, s
}

func move(to, from unsafe.Pointer) { *(*[16]byte)(to) = *(*[16]byte)(from) }

// moveRest moves the 48 bytes after those that move does. As a struct, the compiler moves them without a call.
func moveRest(to, from unsafe.Pointer) {
	type rest struct{ a, b, c [16]byte }
	*(*rest)(unsafe.Add(to, 16)) = *(*rest)(unsafe.Add(from, 16))
}
