package snappy

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec/moves"
)

// Slack is how many bytes of capacity after dst let the fast loop write all of dst.
const Slack = 64

// sourceSlack is how many bytes before the end of its input the fast loop stops.
const sourceSlack = 80

// reach is the largest offset of a copy that the fast loop executes.
const reach = 1 << 16

// history is how many bytes of output must exist before the fast loop starts.
const history = 16

// A chosen loop runs for stretch bytes of output. Writers compress 64 KiB at a time, and
// the first lead bytes say little about the offsets of copies.
const (
	stretch = 1 << 18
	lead    = 1 << 12
)

// longMove is from how many bytes on Go moves by REP MOVSQ on Intel processors, if the
// destination is a multiple of 16. If the source is not one as well, that takes up to three
// times as long as another move, so one byte is moved separately first.
const longMove = 1 << 11

// A loop is a fast loop; fastGo defines what it does.
type loop func(dst []byte, d, dLimit int, src []byte, s, sLimit int) (int, int)

// Header returns the length that a block declares, and where its tags start.
func Header(block []byte) (length int64, tags int, err error) {
	v, n := binary.Uvarint(block)
	if n <= 0 || v > 1<<32-1 {
		return 0, 0, corrupt.At(-1, "the length is no varint of 32 bits")
	}
	return int64(v), n, nil
}

// Decode fills dst from a block's tags, which must give exactly as many bytes. It may
// change the bytes after dst, up to its capacity.
func Decode(dst, tags []byte) error { return decode(dst, tags, true, pick) }

// DecodePrefix fills dst with the first bytes that a block's tags give. It does not look
// at the rest of the tags.
func DecodePrefix(dst, tags []byte) error { return decode(dst, tags, false, pick) }

func decode(dst, src []byte, whole bool, pick func(src []byte) loop) error {
	room := dst[:cap(dst)]
	dLimit, sLimit := min(len(dst), len(room)-Slack), len(src)-sourceSlack
	d, s := 0, 0
	fast, again := pick(nil), lead // again: the byte of output at which to pick a loop again
	for s < len(src) && (d < len(dst) || whole) {
		if d >= history && d < dLimit && s < sLimit {
			if d >= again {
				fast, again = pick(src[s:]), d+stretch
			}
			base := max(d-reach, 0)
			d, s = fast(room[base:], d-base, min(dLimit, again)-base, src, s, sLimit)
			if d += base; d >= min(dLimit, again) || s == len(src) {
				continue
			}
		}
		tag := src[s]
		length, offset, size := parse(src[s:])
		if size == 0 {
			return corrupt.At(-1, "tag ", int(tag), " cut short at byte ", s)
		}
		s += size
		n := int(min(length, int64(max(len(dst)-d, 0))))
		if int64(n) < length && whole {
			return corrupt.At(-1, "more than ", len(dst), " bytes at byte ", s-size)
		}
		if tag&3 != literal {
			if offset == 0 || offset > int64(d) {
				return corrupt.At(-1, "copy from ", offset, " before byte ", d)
			}
			moves.Repeat(dst[d:d+n], dst[d-int(offset):d])
		} else if n > len(src)-s {
			return corrupt.At(-1, "literal of ", length, " bytes, ", len(src)-s, " are left")
		} else {
			moved := 0
			if n >= longMove && d%16 == 0 { // the start of dst is most often a multiple of 16
				moved = copy(dst[d:d+1], src[s:])
			}
			copy(dst[d+moved:d+n], src[s+moved:])
			s += n
		}
		d += n
	}
	if d < len(dst) || d > len(dst) && whole {
		return corrupt.At(-1, "the tags give ", d, " bytes, not ", len(dst))
	}
	return nil
}

// literal is the kind of tag that copies from the input.
const literal = 0

// parse returns the length and offset of the first tag of src, and how many bytes the tag
// takes; 0 if src does not hold all of them.
func parse(src []byte) (length, offset int64, size int) {
	tag := src[0]
	length, size = int64(tag>>2)+1, 1
	switch tag & 3 {
	case literal:
		if length > 60 {
			size = int(length-60) + 1
		}
	case 1:
		length, offset, size = int64(tag>>2&7)+4, int64(tag>>5)<<8, 2
	case 2:
		size = 3
	case 3:
		size = 5
	}
	if size > len(src) {
		return 0, 0, 0
	}
	v := int64(0)
	for i, b := range src[1:size] {
		v |= int64(b) << (8 * i)
	}
	if tag&3 == literal && size > 1 {
		return v + 1, 0, size
	}
	return length, offset + v, size
}
