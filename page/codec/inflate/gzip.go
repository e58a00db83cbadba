package inflate

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Decode fills dst from a body, which must give exactly as many bytes. It may change the
// bytes after dst, up to its capacity.
func (d *Decoder) Decode(dst, body []byte) error { return d.decode(dst, body, true) }

// DecodePrefix fills dst with the first bytes that a body gives. It does not look at the
// rest of the body.
func (d *Decoder) DecodePrefix(dst, body []byte) error { return d.decode(dst, body, false) }

func (d *Decoder) decode(dst, body []byte, whole bool) error {
	d.reset(dst, body, whole)
	defer d.reset(nil, nil, false) // an idle decoder keeps no page alive
	for d.read < len(body) {
		n, err := header(body[d.read:])
		if err != nil {
			return err
		}
		d.read += n
		d.start = d.made
		if err := d.blocks(); err != nil {
			return err
		}
		if d.full() {
			return nil
		}
		if err := d.trailer(); err != nil {
			return err
		}
	}
	if d.made < len(dst) {
		return corrupt.At(-1, "the body holds ", d.made, " bytes, not ", len(dst))
	}
	return nil
}

// Flags of a member.
const (
	hasHeaderSum = 1 << (iota + 1)
	hasExtra
	hasName
	hasComment
	reserved // and the flags above
)

// header returns how many bytes a member has before its blocks.
func header(member []byte) (int, error) {
	if len(member) < 10 {
		return 0, corrupt.At(-1, "a member of ", len(member), " bytes is cut short")
	}
	if member[0] != 0x1f || member[1] != 0x8b || member[2] != 8 {
		return 0, corrupt.At(-1, "members start with bytes 31, 139, 8, not ", int(member[0]), ", ", int(member[1]), ", ", int(member[2]))
	}
	flags, n := member[3], 10
	if flags >= reserved {
		return 0, corrupt.At(-1, "a member with flags ", int(flags))
	}
	if flags&hasExtra != 0 {
		if len(member)-n < 2 {
			return 0, headerIsCut()
		}
		n += 2 + int(binary.LittleEndian.Uint16(member[n:]))
	}
	for _, text := range []byte{hasName, hasComment} {
		if flags&text == 0 {
			continue
		}
		zero := bytes.IndexByte(member[min(n, len(member)):], 0)
		if zero < 0 {
			return 0, headerIsCut()
		}
		n += zero + 1
	}
	if flags&hasHeaderSum != 0 {
		if len(member)-n < 2 {
			return 0, headerIsCut()
		}
		if uint16(crc32.ChecksumIEEE(member[:n])) != binary.LittleEndian.Uint16(member[n:]) {
			return 0, corrupt.At(-1, "checksum of a member's header differs")
		}
		n += 2
	}
	if n > len(member) {
		return 0, headerIsCut()
	}
	return n, nil
}

func headerIsCut() error { return corrupt.At(-1, "a member is cut short in its header") }

// trailer compares the output of a member's blocks with the checksum and length after them.
func (d *Decoder) trailer() error {
	if len(d.src)-d.read < 8 {
		return corrupt.At(-1, "a member is cut short behind its blocks")
	}
	sums := binary.LittleEndian.Uint64(d.src[d.read:])
	out := d.out[d.start:d.made]
	if uint32(sums) != crc32.ChecksumIEEE(out) {
		return corrupt.At(-1, "checksum of ", len(out), " bytes differs")
	}
	if uint32(sums>>32) != uint32(len(out)) {
		return corrupt.At(-1, "a member gives ", len(out), " bytes, its end says ", uint32(sums>>32))
	}
	d.read += 8
	return nil
}
