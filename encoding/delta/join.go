package delta

import "github.com/winnow-scan/winnow/encoding/bits"

// joinGo is joinViews and joinFixed in Go. Without views, all values are size bytes long.
//
// A value of up to 64 bytes is put together in room, where its prefix is already, and copied from there. Copies are of
// fixed sizes, 16 bytes at a time through a register: a call of memmove would look at lengths, which cannot be predicted.
func joinGo(dst []bits.View, size int, s *shares, i, n int, state *splicer, out []byte, outLimit int, body []byte, bodyLimit int, buffer int32) (done int) {
	var room [inHead + slack]byte
	length, from, to, next := int(state.length), int(state.from), int(state.to), int(state.next)
	copy(room[:], state.head[:])
	for ; done < n; done++ {
		prefix, suffix := int(s.prefix[i+done]), int(s.suffix[i+done])
		whole := prefix + suffix
		if uint(prefix) > uint(length) || uint(suffix) > uint(bodyLimit-next) || suffix > outLimit-to-prefix || dst == nil && whole != size {
			break
		}
		if max(length, whole) <= inHead {
			if suffix <= 32 {
				t, f := (*[32]byte)(room[prefix:]), (*[32]byte)(body[next:])
				*(*[16]byte)(t[:16]) = *(*[16]byte)(f[:16])
				*(*[16]byte)(t[16:]) = *(*[16]byte)(f[16:])
			} else {
				copy(room[prefix:], body[next:][:suffix])
			}
			t, f := (*[inHead]byte)(out[to:]), (*[inHead]byte)(room[:])
			*(*[16]byte)(t[:16]) = *(*[16]byte)(f[:16])
			*(*[16]byte)(t[16:]) = *(*[16]byte)(f[16:])
			*(*[16]byte)(t[32:]) = *(*[16]byte)(f[32:])
			*(*[16]byte)(t[48:]) = *(*[16]byte)(f[48:])
		} else {
			if length <= inHead {
				copy(out[to:], room[:prefix])
			} else {
				copy(out[to:], out[from:][:prefix])
			}
			copy(out[to+prefix:], body[next:][:suffix])
			copy(room[:inHead], out[to:])
		}
		length, from, next = whole, to, next+suffix
		if dst != nil {
			dst[done] = bits.MakeFrom(out[to:], whole, buffer, int32(to))
		}
		if dst == nil || whole > bits.MaxInline {
			to += whole
		}
	}
	copy(state.head[:], room[:])
	state.length, state.from, state.to, state.next = uint64(length), uint64(from), uint64(to), uint64(next)
	return done
}
