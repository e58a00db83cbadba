package snappy

import (
	"encoding/binary"
	"unsafe"
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
	for d < dLimit && s < sLimit {
		to, at := unsafe.Add(out, d), unsafe.Add(in, s+1)
		tag := *(*byte)(unsafe.Add(in, s))
		kind := uint(tag & 3)
		if kind == literal {
			n := int(tag>>2) + 1
			if n > 16 {
				if n > 60 {
					break
				}
				move(unsafe.Add(to, 16), unsafe.Add(at, 16))
				move(unsafe.Add(to, 32), unsafe.Add(at, 32))
				move(unsafe.Add(to, 48), unsafe.Add(at, 48))
			}
			move(to, at)
			s += n + 1
			d += n
			continue
		}
		e := uint(copies[tag])
		behind := uint(binary.LittleEndian.Uint32((*[4]byte)(at)[:]))
		offset := int(behind&(1<<(8*kind)-1) + e&^0xff)
		n := int(e & 0xff)
		if offset > d || offset == 0 {
			break
		}
		from := unsafe.Add(to, -offset)
		if offset >= 16 {
			move(to, from)
			if n > 16 {
				// Each move may read what the one before wrote.
				move(unsafe.Add(to, 16), unsafe.Add(from, 16))
				move(unsafe.Add(to, 32), unsafe.Add(from, 32))
				move(unsafe.Add(to, 48), unsafe.Add(from, 48))
			}
		} else if offset >= 8 {
			for i := 0; i < n; i += 8 {
				*(*[8]byte)(unsafe.Add(to, i)) = *(*[8]byte)(unsafe.Add(from, i))
			}
		} else {
			repeat(dst[d:d+n], dst[d-offset:d])
		}
		s += int(kind) + 1
		d += n
	}
	return d, s
}

func move(to, from unsafe.Pointer) { *(*[16]byte)(to) = *(*[16]byte)(from) }
