package lz4

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec/moves"
)

// Slack is how many bytes of capacity after dst let the fast loop write all of dst.
const Slack = 64

// sourceSlack is how many bytes before the end of its input the fast loop stops.
const sourceSlack = 18

// moveSlack is how many bytes moves of 32 write too many at most.
const moveSlack = 31

// A length of longest has further bytes. leastMatch is the length of a match whose four bits are zero.
const (
	longest    = 15
	leastMatch = 4
)

// The loop for near matches decodes sequences of at most mostLiterals literals, most of whose matches are from
// nearOffset bytes before.
const (
	nearOffset   = 8
	mostLiterals = 5
)

// A chosen loop runs for stretch bytes of input. The first lead bytes, which have nothing before them to
// match, say little about the rest.
const (
	stretch = 1 << 11
	lead    = 1 << 6
)

// Decode fills dst from the front with what a block gives, which must fit, and returns how many bytes
// that is. It may change the bytes after dst, up to its capacity.
func Decode(dst, src []byte) (int, error) { return decode(dst, src, true) }

// DecodePrefix fills dst with the first bytes that a block gives. It does not look at the rest of the block.
func DecodePrefix(dst, src []byte) error {
	n, err := decode(dst, src, false)
	if err == nil && n < len(dst) {
		err = corrupt.At(-1, "the block gives ", n, " bytes, not ", len(dst))
	}
	return err
}

func decode(dst, src []byte, whole bool) (int, error) {
	room := dst[:cap(dst)]
	dLimit, sLimit := min(len(dst), len(room)-Slack), len(src)-sourceSlack
	d, s := 0, 0
	again, nearby := lead, false // again: the byte of input at which to choose again
	for s < len(src) && (d < len(dst) || whole) {
		if s >= again {
			again, nearby = s+stretch, mostlyNear(src[s:])
		}
		limit := min(sLimit, again)
		if nearby {
			d, s = near(room, d, dLimit, src, s, limit)
			limit = min(limit, s+1) // for the one that it stopped at
		}
		if d, s = fast(room, d, dLimit, src, s, limit); d >= len(dst) && !whole {
			break
		} else if s >= limit && limit < sLimit && d < dLimit {
			continue
		}
		q, size := parse(src[s:])
		if size == 0 {
			return 0, corrupt.At(-1, "sequence cut short at byte ", s)
		}
		if whole && int64(len(q.literals))+q.match > int64(len(dst)-d) {
			return 0, corrupt.At(-1, "more than ", len(dst), " bytes at byte ", s)
		}
		d += copy(dst[d:], q.literals)
		if n := int(min(q.match, int64(len(dst)-d))); n > 0 {
			if q.offset == 0 || q.offset > d {
				return 0, corrupt.At(-1, "match from ", q.offset, " before byte ", d)
			}
			moves.Repeat(dst[d:d+n], dst[d-q.offset:d])
			d += n
		}
		s += size
	}
	return d, nil
}

// mostlyNear reports whether the next sequences of src are for the loop for near matches.
func mostlyNear(src []byte) bool {
	n := 0
	for range 8 {
		if len(src) < 1+mostLiterals+2 {
			return false
		}
		literals := src[0] >> 4
		if literals > mostLiterals {
			return false
		}
		if binary.LittleEndian.Uint16(src[1+literals:]) == nearOffset {
			n++
		}
		src = src[1+literals+2:]
	}
	return n > 4
}

// Size returns how many bytes a block gives, without decoding them, or some number of at least enough
// if it gives so many. It reports whether all sequences up to there are whole.
func Size(src []byte, enough int64) (size int64, ok bool) {
	for len(src) > 0 && size < enough {
		q, n := parse(src)
		if n == 0 {
			return 0, false
		}
		size += int64(len(q.literals)) + q.match
		src = src[n:]
	}
	return size, true
}

// A sequence is literals, then a match, of length 0 if the block ends after the literals.
type sequence struct {
	literals []byte
	offset   int
	match    int64
}

// parse returns the first sequence of src, which is not empty, and how many bytes it takes; 0 if src
// does not hold all of them.
func parse(src []byte) (q sequence, size int) {
	literals, s := length(src, src[0]>>4, 1)
	if s == 0 || literals > int64(len(src)-s) {
		return q, 0
	}
	q.literals = src[s : s+int(literals)]
	if s += int(literals); s == len(src) && src[0]&longest == 0 {
		return q, s
	}
	if len(src)-s < 2 {
		return q, 0
	}
	q.offset = int(binary.LittleEndian.Uint16(src[s:]))
	q.match, s = length(src, src[0]&longest, s+2)
	q.match += leastMatch
	return q, s
}

// length returns the length with these four bits in the token, whose further bytes are those from s on,
// and where they end; 0 if src does not hold all of them.
func length(src []byte, bits byte, s int) (n int64, end int) {
	if n = int64(bits); n < longest {
		return n, s
	}
	for i, b := range src[s:] {
		n += int64(b)
		if b < 255 {
			return n, s + i + 1
		}
	}
	return 0, 0
}
