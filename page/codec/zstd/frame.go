package zstd

import (
	"encoding/binary"
	"math"

	"github.com/cespare/xxhash/v2"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

const (
	frameMagic    = 0xfd2fb528
	skippable     = 0x184d2a50 // and the next 15 numbers
	minWindow     = 1 << 10
	maxWindow     = math.MaxInt32
	maxBlock      = 128 << 10
	sizeUnknown   = -1
	flagSingle    = 1 << 5 // the window is the content
	flagReserved  = 1 << 3
	flagChecksum  = 1 << 2
	blockRaw      = 0
	blockRLE      = 1
	blockPacked   = 2
	leastHeadroom = 7 // bytes before a stream of bits that a load of its first byte may touch
)

// header is the header of a frame.
type header struct {
	size     int // of the header
	skip     int // bytes after the header, if the frame is skippable
	window   int64
	content  int64 // sizeUnknown, or the decoded size
	checksum bool
}

// parseHeader reads the header at the start of src.
func parseHeader(src []byte) (h header, err error) {
	if len(src) < 5 {
		return h, corrupt.At(-1, "frame header cut short")
	}
	magic := binary.LittleEndian.Uint32(src)
	if magic&^15 == skippable {
		if len(src) < 8 || int64(binary.LittleEndian.Uint32(src[4:])) > int64(len(src)-8) {
			return h, corrupt.At(-1, "skippable frame cut short")
		}
		h.size, h.skip = 8, int(binary.LittleEndian.Uint32(src[4:]))
		return h, nil
	}
	if magic != frameMagic {
		return h, corrupt.At(-1, "no frame starts with the number ", magic)
	}
	flags := src[4]
	if flags&flagReserved != 0 {
		return h, corrupt.At(-1, "reserved bit of a frame header is set")
	}
	single := flags&flagSingle != 0
	windowLen, dictLen, sizeLen := 1, int(flags&3), 1<<(flags>>6)
	if dictLen == 3 {
		dictLen = 4
	}
	if single {
		windowLen = 0
	} else if sizeLen == 1 {
		sizeLen = 0
	}
	h.size = 5 + windowLen + dictLen + sizeLen
	if len(src) < h.size {
		return h, corrupt.At(-1, "frame header cut short")
	}
	if dictionary := number(src[5+windowLen:], dictLen); dictionary != 0 {
		return h, corrupt.NotSupported("ZSTD dictionary ", uint32(dictionary))
	}
	h.checksum, h.content = flags&flagChecksum != 0, sizeUnknown
	if sizeLen > 0 {
		h.content = number(src[5+windowLen+dictLen:], sizeLen)
		if sizeLen == 2 {
			h.content += 256 // two bytes store sizes from 256 on, less 256
		}
		if h.content < 0 || h.content > maxWindow {
			return h, corrupt.At(-1, "content of ", uint64(h.content), " bytes")
		}
	}
	if single {
		h.window = max(h.content, minWindow)
	} else {
		base := int64(1) << (10 + src[5]>>3)
		h.window = base + base/8*int64(src[5]&7)
	}
	if h.window > maxWindow {
		return h, corrupt.At(-1, "window of ", h.window, " bytes")
	}
	return h, nil
}

// mostOfBlock is the largest decoded size of a block.
func (h *header) mostOfBlock() int { return int(min(h.window, maxBlock)) }

// blockHeader is the header of a block.
type blockHeader struct {
	last   bool
	kind   int
	size   int // its length: of the decoded bytes, or, of packed ones, of these
	packed int // how many bytes follow the header
}

const blockHeaderSize = 3

// parseBlock reads the header at the start of src. Blocks have at most most bytes.
func parseBlock(src []byte, most int) (h blockHeader, err error) {
	if len(src) < blockHeaderSize {
		return h, corrupt.At(-1, "block header cut short")
	}
	b := int(number(src, blockHeaderSize))
	h = blockHeader{last: b&1 != 0, kind: b >> 1 & 3, size: b >> 3, packed: b >> 3}
	if h.kind == blockRLE {
		h.packed = 1
	}
	left := len(src) - blockHeaderSize
	switch {
	case h.size > most:
		err = corrupt.At(-1, "block of ", h.size, " bytes, at most ", most, " are allowed")
	case h.packed > left:
		err = corrupt.At(-1, "block of ", h.packed, " bytes, ", left, " are left")
	case h.kind > blockPacked:
		err = corrupt.At(-1, "block of a reserved kind")
	}
	return h, err
}

// Reach returns how many bytes frames become at most, by their headers and those of their blocks.
func Reach(src []byte) (reach int64, err error) {
	for at := 0; at < len(src); {
		h, err := parseHeader(src[at:])
		if err != nil {
			return 0, err
		}
		at += h.size + h.skip
		for last := h.window == 0; !last; {
			b, err := parseBlock(src[at:], h.mostOfBlock())
			if err != nil {
				return 0, err
			}
			at, last = at+blockHeaderSize+b.packed, b.last
			if b.kind == blockPacked {
				b.size = h.mostOfBlock()
			}
			reach += int64(b.size)
		}
		if h.checksum {
			if at += 4; at > len(src) {
				return 0, cutShort("checksum")
			}
		}
	}
	return reach, nil
}

func number(b []byte, n int) (v int64) {
	for i, x := range b[:n] {
		v |= int64(x) << (8 * i)
	}
	return v
}

// A Decoder keeps tables and a buffer for literals between calls. It serves one
// call at a time.
type Decoder struct {
	seq    sequences
	lit    literals
	hash   xxhash.Digest
	kernel way
}

// A way is a choice of kernels that decode most of a block; nil where there is none.
type way struct {
	name string
	// sequences runs sequences, and reads the states after each, until none is left, or one
	// violates a bound or has more bits than a load contains. The bits start at src[at:].
	sequences func(c *cursor, b *bounds, tables *[3][mostStates]state, dst, src []byte, at int, lits []byte)
	// literals decodes the four streams side by side, until one is nearly at its end.
	literals func(l *literals, src []byte)
}

// careful is the way without kernels.
func careful() way { return way{name: "careful"} }

// NewDecoder returns a Decoder with all the memory that it needs.
func NewDecoder() *Decoder {
	d := &Decoder{lit: literals{buf: make([]byte, maxBlock+slack)}, kernel: pick()}
	d.seq.prepare()
	for i := range d.lit.codes {
		d.lit.codes[i] = symbol(0, uint32(i))
	}
	return d
}

// Decode fills dst from frames, which must give exactly as many bytes. It may change the
// bytes after dst, up to its capacity.
func (d *Decoder) Decode(dst, src []byte) error { return d.decode(dst, src, true) }

// DecodePrefix fills dst with the first bytes that frames give. It does not look at the
// rest of src.
func (d *Decoder) DecodePrefix(dst, src []byte) error { return d.decode(dst, src, false) }

func (d *Decoder) decode(dst, src []byte, whole bool) error {
	done, at := 0, 0
	for at < len(src) && (whole || done < len(dst)) {
		h, err := parseHeader(src[at:])
		if err != nil {
			return err
		}
		at += h.size + h.skip
		if h.window == 0 {
			continue
		}
		if whole && h.content > int64(len(dst)-done) {
			return corrupt.At(-1, "content of ", h.content, " bytes, not ", len(dst)-done)
		}
		start := done
		if done, at, err = d.frame(dst, done, src, at, h, whole); err != nil {
			return err
		}
		if !whole && done == len(dst) {
			return nil // the rest of the frame may be anything
		}
		if n := done - start; h.content != sizeUnknown && h.content != int64(n) {
			return corrupt.At(-1, "content of ", n, " bytes, not ", h.content)
		}
		if h.checksum {
			if len(src)-at < 4 {
				return cutShort("checksum")
			}
			if want := binary.LittleEndian.Uint32(src[at:]); want != uint32(d.hash.Sum64()) {
				return corrupt.At(-1, "wrong checksum")
			}
			at += 4
		}
	}
	if done < len(dst) {
		return corrupt.At(-1, "the frames give ", done, " bytes, not ", len(dst))
	}
	return nil
}

// frame decodes blocks from src[at:] to dst[start:], up to the last one, or, unless whole,
// until dst is full. It returns where it stopped.
func (d *Decoder) frame(dst []byte, start int, src []byte, at int, h header, whole bool) (int, int, error) {
	d.seq.start()
	d.lit.known = false
	if h.checksum {
		d.hash.Reset()
	}
	most := h.mostOfBlock()
	done := start
	for last := false; !last && (whole || done < len(dst)); {
		b, err := parseBlock(src[at:], most)
		if err != nil {
			return done, at, err
		}
		at, last = at+blockHeaderSize, b.last
		size := b.size
		before := done
		switch b.kind {
		case blockRaw, blockRLE:
			if whole && size > len(dst)-done {
				return done, at, tooMuch(len(dst))
			}
			to := dst[done:min(done+size, len(dst))]
			if b.kind == blockRaw {
				moved := 0
				if len(to) > 0 && done%16 == 0 {
					// Go moves to a multiple of 16 by REP MOVSQ on Intel processors. From
					// anywhere else, that takes up to three times as long as its other way.
					moved = copy(to[:1], src[at:])
				}
				copy(to[moved:], src[at+moved:])
			} else {
				fill(to, src[at])
			}
			done += len(to)
		case blockPacked:
			tables, err := d.lit.read(src, at, at+size, most, &d.kernel)
			if err == nil {
				done, err = d.seq.run(dst, start, done, src, tables, at+size, d.lit.out, d.lit.room, limits{most, int(h.window), whole}, &d.kernel)
			}
			if err != nil {
				return done, at, err
			}
		}
		if h.checksum {
			d.hash.Write(dst[before:done]) // never returns an error
		}
		at += b.packed
	}
	return done, at, nil
}

func tooMuch(n int) error { return corrupt.At(-1, "more than ", n, " bytes") }

// fill sets all bytes of b.
func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}
