package inflate

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// A Decoder decodes one body at a time. The zero Decoder is ready.
type Decoder struct {
	tables

	src  []byte
	read int    // how many bytes of src are in bits, or decoded
	bits uint64 // of src, the next one lowest; bits from number have on mean nothing
	have uint

	out   []byte // up to its capacity
	start int    // matches must not reach back before this byte
	made  int    // how many bytes are decoded; more than want if the body gives more
	want  int    // how many bytes are wanted
	whole bool   // decode all blocks; more bytes than want are an error
	eager bool   // join the tables of all blocks, which tests ask for; those of fixed ones always are
}

func (d *Decoder) reset(dst, src []byte, whole bool) {
	d.src, d.read, d.bits, d.have = src, 0, 0, 0
	d.out, d.start, d.made, d.want, d.whole = dst[:cap(dst)], 0, 0, len(dst), whole
}

// full reports whether the decoder may stop.
func (d *Decoder) full() bool { return d.made >= d.want && !d.whole }

// blocks decodes up to the end of the last block, or until full.
func (d *Decoder) blocks() error {
	for last := false; !last && !d.full(); {
		d.load()
		if d.have < 3 {
			return d.isCut()
		}
		last = d.take(1) == 1
		var err error
		switch d.take(2) {
		case 0:
			err = d.stored()
		case 1:
			d.fix()
			err = d.symbols()
		case 2:
			if err = d.readCodes(); err == nil {
				err = d.symbols()
			}
		default:
			err = corrupt.At(-1, "a block of no known kind, behind byte ", d.made)
		}
		if err != nil {
			return err
		}
	}
	d.toByte()
	return nil
}

// load fills bits to at least 56, or with all that are left.
func (d *Decoder) load() {
	if len(d.src)-d.read >= 8 {
		d.bits |= binary.LittleEndian.Uint64(d.src[d.read:]) << d.have
		d.read += int(63-d.have) >> 3
		d.have |= 56
		return
	}
	for d.have < 56 && d.read < len(d.src) {
		d.bits |= uint64(d.src[d.read]) << d.have
		d.read++
		d.have += 8
	}
}

// take returns the next n bits. The caller has checked that they are loaded.
func (d *Decoder) take(n uint) uint64 {
	v := d.bits & (1<<n - 1)
	d.bits >>= n
	d.have -= n
	return v
}

// toByte drops the rest of a byte that has begun, and gives all whole bytes back to src.
func (d *Decoder) toByte() {
	d.read -= int(d.have / 8)
	d.bits, d.have = 0, 0
}

// stored copies a stored block.
func (d *Decoder) stored() error {
	d.toByte()
	if len(d.src)-d.read < 4 {
		return d.isCut()
	}
	lengths := binary.LittleEndian.Uint32(d.src[d.read:])
	d.read += 4
	n := int(lengths & 0xffff)
	if n != int(^lengths>>16) {
		return corrupt.At(-1, "lengths of a stored block differ, behind byte ", d.made)
	}
	if left := d.want - d.made; n > left {
		if d.whole {
			return d.tooMuch()
		}
		n = left
	}
	if n > len(d.src)-d.read {
		return d.isCut()
	}
	d.made += copy(d.out[d.made:], d.src[d.read:d.read+n])
	d.read += n
	return nil
}

func (d *Decoder) isCut() error {
	return corrupt.At(-1, "the input is cut short, behind byte ", d.made)
}

func (d *Decoder) tooMuch() error {
	return corrupt.At(-1, "more than ", d.want, " bytes")
}
