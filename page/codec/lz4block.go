package codec

import "encoding/binary"

// A lz4Sequence is literals and a match. The last one of a block has no match:
//
//	token      more literals    literals   offset   more match
//	LLLL MMMM  FF … FF 00       …          2 bytes  FF … FF 00
//
// A length whose four bits are all set continues in further bytes. The last
// sequence ends after its literals.
type lz4Sequence struct {
	literals []byte
	offset   int
	match    int64
	rest     []byte
}

// nextSequence splits the first sequence off src, which is not empty.
func nextSequence(src []byte) (q lz4Sequence, ok bool) {
	token := src[0]
	literals, src, ok := lz4Length(int64(token>>4), src[1:])
	if !ok || literals > int64(len(src)) {
		return q, false
	}
	q.literals, src = src[:literals], src[literals:]
	if len(src) == 0 {
		return q, true
	}
	if len(src) < 2 {
		return q, false
	}
	q.offset = int(binary.LittleEndian.Uint16(src))
	q.match, q.rest, ok = lz4Length(int64(token&15), src[2:])
	q.match += 4
	return q, ok
}

// lz4Length returns the length whose four bits in the token are n, and the bytes after it.
func lz4Length(n int64, src []byte) (int64, []byte, bool) {
	if n < 15 {
		return n, src, true
	}
	for i, b := range src {
		n += int64(b)
		if b < 255 {
			return n, src[i+1:], true
		}
	}
	return 0, nil, false
}

// lz4Size adds up the decoded sizes of a block's sequences, without decoding them. It
// stops when the sum is at least enough.
func lz4Size(src []byte, enough int64) (size int64, ok bool) {
	for len(src) > 0 && size < enough {
		q, ok := nextSequence(src)
		if !ok {
			return 0, false
		}
		size += int64(len(q.literals)) + q.match
		src = q.rest
	}
	return size, true
}

// lz4Prefix fills dst with the first decoded bytes of a block, and reports whether
// there are so many.
func lz4Prefix(dst, src []byte) bool {
	d := 0
	for d < len(dst) {
		d, src = lz4FastLoop(dst, d, src)
		if len(src) == 0 {
			return false
		}
		q, ok := nextSequence(src)
		if !ok {
			return false
		}
		src = q.rest
		d += copy(dst[d:], q.literals)
		n := int(min(q.match, int64(len(dst)-d)))
		if n > 0 && (q.offset == 0 || q.offset > d) {
			return false
		}
		// A match that is longer than its offset repeats what it writes.
		for match, m := dst[d:d+n], 0; m < n; {
			m += copy(match[m:], dst[d-q.offset:d+m])
		}
		d += n
	}
	return true
}

// lz4FastLoop decodes sequences by moves of 16 and 18 bytes. It stops at the first one
// whose lengths do not fit its token, whose match is less than 16 bytes back, or that
// is so close to the end of dst or src that such a move would leave it. It returns
// the bytes in dst and the rest of src.
func lz4FastLoop(dst []byte, d int, src []byte) (int, []byte) {
	const most = 14 + 18 // literals and match
	s := 0
	for len(dst)-d >= most+16 && len(src)-s >= 1+16+2 {
		literals, match := int(src[s]>>4), int(src[s]&15)+4
		if literals == 15 || match == 19 {
			break
		}
		offset := int(binary.LittleEndian.Uint16(src[s+1+literals:]))
		if from := d + literals - offset; offset < 16 || from < 0 {
			break
		}
		*(*[16]byte)(dst[d:]) = *(*[16]byte)(src[s+1:])
		d, s = d+literals, s+1+literals+2
		*(*[16]byte)(dst[d:]) = *(*[16]byte)(dst[d-offset:])
		*(*[2]byte)(dst[d+16:]) = *(*[2]byte)(dst[d+16-offset:])
		d += match
	}
	return d, src[s:]
}
