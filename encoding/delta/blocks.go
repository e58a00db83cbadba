package delta

import (
	"math"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// blocks walks over the blocks and miniblocks of a sequence: all but the deltas.
//
//	0 <= at <= len(body); inMini packed deltas of width bits stand at at,
//	toCome of all deltas from there on are of the sequence, the rest is padding
type blocks struct {
	body   []byte
	at     int
	minis  int    // miniblocks a block
	size   int    // deltas a miniblock, a multiple of 8
	toCome int    // deltas
	inMini int    // deltas, padding included
	width  byte   // bits of each
	widths []byte // of the block's miniblocks after this one
	least  int64  // the block's minimum delta
}

// start reads the header at byte at of body: at most n values, the first of which it
// returns. With anyBlock, the block size may be one that the format forbids.
//
//	80 01   04      05      0e …
//	block   minis   count   first value, zigzag
func (b *blocks) start(body []byte, at, n int, anyBlock bool) (count int, first int64, err error) {
	*b = blocks{body: body, at: at}
	if at == len(body) {
		return 0, 0, nil // some writers leave a page of NULLs empty
	}
	var fields [3]uint64
	for i := range fields {
		if fields[i], err = b.uvarint(); err != nil {
			return 0, 0, err
		}
	}
	block, minis, values := fields[0], fields[1], fields[2]
	switch {
	case block == 0 || block > math.MaxInt32 || minis == 0 || block%minis != 0 || block/minis%8 != 0:
		return 0, 0, corrupt.At(at, "block of ", block, " values in ", minis, " miniblocks")
	case !anyBlock && (block%128 != 0 || block/minis%32 != 0):
		return 0, 0, corrupt.At(at, "block of ", block, " values in ", minis, " miniblocks, not of multiples of 128 and 32")
	case values > uint64(n):
		return 0, 0, corrupt.At(at, values, " values in a page of at most ", n)
	}
	b.minis, b.size = int(minis), int(block/minis)
	if values == 0 {
		if b.at < len(body) { // some writers omit the first value if there are no values
			_, err = b.varint()
		}
		return 0, 0, err
	}
	b.toCome = int(values) - 1
	first, err = b.varint()
	return int(values), first, err
}

// enter goes on to the next miniblock; the caller knows that there are deltas to come. A block begins with
//
//	03                04 00 1f 00      …
//	minimum, zigzag   a width each     packed deltas
func (b *blocks) enter() error {
	if len(b.widths) == 0 {
		at := b.at
		least, err := b.varint()
		if err != nil {
			return err
		}
		if b.minis > len(b.body)-b.at {
			return corrupt.At(at, "block ends early")
		}
		b.least = least
		b.widths = b.body[b.at:][:b.minis]
		b.at += b.minis
	}
	width := b.widths[0]
	b.widths = b.widths[1:]
	if width > 64 {
		return corrupt.At(b.at, "miniblock of ", width, " bits a value")
	}
	if uint64(b.size)/8*uint64(width) > uint64(len(b.body)-b.at) {
		return corrupt.At(b.at, "miniblock of ", b.size, " values of ", width, " bits ends early")
	}
	b.inMini, b.width = b.size, width
	return nil
}

// end returns where the bytes of the sequence end, derived from its widths alone. It
// works on a copy and finds every fault that enter can find.
func (b blocks) end() (int, error) {
	for b.toCome > 0 {
		if b.leap() {
			continue
		}
		if err := b.enter(); err != nil {
			return 0, err
		}
		b.take(b.inMini)
	}
	return b.at, nil
}

// leap steps over the next block if it has no padding and is valid.
func (b *blocks) leap() bool {
	start := b.at
	if b.toCome < b.minis*b.size || len(b.widths) > 0 {
		return false
	}
	if _, err := b.varint(); err == nil && b.minis <= len(b.body)-b.at {
		sum, most := uint64(0), byte(0)
		for _, width := range b.body[b.at:][:b.minis] {
			sum += uint64(width)
			most = max(most, width)
		}
		b.at += b.minis
		if size := sum * uint64(b.size/8); most <= 64 && size <= uint64(len(b.body)-b.at) {
			b.at += int(size)
			b.toCome -= b.minis * b.size
			return true
		}
	}
	b.at = start
	return false
}

// take steps over n deltas of the miniblock, a multiple of 8, and returns their bytes.
func (b *blocks) take(n int) []byte {
	size := n / 8 * int(b.width)
	packed := b.body[b.at:][: size : cap(b.body)-b.at]
	b.at += size
	b.inMini -= n
	b.toCome -= min(n, b.toCome)
	return packed
}

// inBlock reports whether the next delta belongs to a block that was entered.
func (b *blocks) inBlock() bool { return b.inMini > 0 || len(b.widths) > 0 }

// blockWidths has room for the widths of one block. A block of more miniblocks, which no
// known writer makes, is decoded one miniblock at a time.
type blockWidths [32]byte

// wholeBlock takes the next block if it has at most n deltas, no padding, and a kernel
// for it. It returns the deltas, and a copy of their widths in room: the body may
// change, and the kernel must use the widths that were checked. Otherwise, or if the
// block is invalid, it changes nothing.
func (b *blocks) wholeBlock(n int, room *blockWidths) (packed, widths []byte, k kernel) {
	if b.inBlock() || b.minis == 0 || b.minis > len(room) || n < b.minis*b.size || b.toCome < b.minis*b.size {
		return nil, nil, none
	}
	start := b.at
	least, err := b.varint()
	if at := b.at + b.minis; err == nil && at <= len(b.body) {
		widths = room[:copy(room[:], b.body[b.at:at])]
		var size int
		if k, size = kernelFor(b.body[at:], widths, b.size); k != none {
			b.at = at + size
			b.toCome -= b.minis * b.size
			b.least = least
			return b.body[at:b.at], widths, k
		}
	}
	b.at = start
	return nil, nil, none
}

func (b *blocks) uvarint() (uint64, error) {
	if b.at < len(b.body) {
		if c := b.body[b.at]; c < 0x80 {
			b.at++
			return uint64(c), nil
		}
	}
	return b.longUvarint()
}

func (b *blocks) longUvarint() (uint64, error) {
	var v uint64
	for i, c := range b.body[b.at:] {
		if i == 9 && c > 1 {
			return 0, corrupt.At(b.at, "number of more than 64 bits")
		}
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			b.at += i + 1
			return v, nil
		}
	}
	return 0, corrupt.At(b.at, "number ends early")
}

func (b *blocks) varint() (int64, error) {
	u, err := b.uvarint()
	return int64(u>>1) ^ -int64(u&1), err
}
