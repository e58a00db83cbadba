package brotli

import "github.com/winnow-scan/winnow/internal/corrupt"

// A Decoder decodes one body at a time. The zero Decoder is ready.
type Decoder struct {
	input
	src      []byte
	first    *byte    // of src, or of tail if that has all bytes
	lastLoad uint     // the last byte from which on 8 are loaded there, and from here on
	tail     [16]byte // these 8, or fewer, and zeros

	out   []byte // up to its capacity
	made  int    // how many bytes are decoded
	want  int    // how many bytes are wanted
	whole bool   // decode all meta-blocks; more bytes than want are an error

	err    error
	window int    // copies reach back at most as far
	last   [4]int // distances, the latest in front of number turn
	turn   int

	meta
}

// Decode fills dst from a body, which must give exactly as many bytes. It may change the
// bytes after dst, up to its capacity.
func (d *Decoder) Decode(dst, body []byte) error { return d.decode(dst, body, true) }

// DecodePrefix fills dst with the first bytes that a body gives. It does not look at the
// rest of the body.
func (d *Decoder) DecodePrefix(dst, body []byte) error { return d.decode(dst, body, false) }

func (d *Decoder) reset(dst, src []byte, whole bool) {
	d.input, d.src, d.tail, d.first = input{}, src, [16]byte{}, &d.tail[0]
	if d.lastLoad = uint(max(len(src)-8, 0)); d.lastLoad > 0 {
		d.first = &src[0]
	}
	copy(d.tail[:8], src[d.lastLoad:])
	d.out, d.made, d.want, d.whole = dst[:cap(dst)], 0, len(dst), whole
	d.last, d.turn, d.err = [4]int{16, 15, 11, 4}, 0, nil
}

// mostKept bounds the tables, of 2 bytes an entry, that an idle decoder keeps. Pages of text whose literals
// have many contexts need some 10,000 entries.
const mostKept = 1 << 16

// release lets go of the page.
func (d *Decoder) release() {
	if d.reset(nil, nil, false); cap(d.tables) > mostKept {
		*d = Decoder{}
	}
}

// full reports whether the decoder may stop.
func (d *Decoder) full() bool { return d.made >= d.want && !d.whole }

func (d *Decoder) decode(dst, body []byte, whole bool) error {
	d.reset(dst, body, whole)
	defer d.release()
	d.readWindow()
	for last := false; !last && d.err == nil && !d.full(); {
		last = d.metaBlock()
	}
	if d.err != nil || d.full() {
		return d.err
	}
	if d.bytes(0); d.read < uint(len(d.src)) {
		d.fail("the input goes on after its last meta-block")
	}
	if d.made < d.want {
		d.fail("the body is shorter than it should be")
	}
	return d.err
}

// readWindow reads the size of the window.
func (d *Decoder) readWindow() {
	d.load()
	wide := uint64(16)
	if d.take(1) == 1 {
		wide = 17 + d.take(3)
	}
	if wide == 17 {
		if n := d.take(3); n > 0 {
			wide = 8 + n
		}
	}
	if d.window = 1<<wide - 16; wide == 9 {
		d.fail("a window of a size that RFC 7932 does not know")
	}
}

// load fills bits to at least 56.
func (d *Decoder) load() { d.input = d.loaded(d.input) }

// isCut reports whether more bits were taken than the input has.
func (d *Decoder) isCut() bool { return d.read-d.have/8 > uint(len(d.src)) }

// take returns the next n bits, which the caller has loaded.
func (d *Decoder) take(n uint) (v uint64) {
	v, d.input = d.taken(uint8(n))
	return v
}

// symbol decodes a symbol with the table at a position. The caller has loaded enough bits.
func (d *Decoder) symbol(at int) int {
	s, after := next(d.root(at), d.input)
	d.input = after
	return int(s)
}

// bad returns an error: that the input is cut short, or else what.
func (d *Decoder) bad(what string) error {
	if d.isCut() {
		what = "the input is cut short"
	}
	return corrupt.At(-1, what, ", after ", d.made, " bytes")
}

// fail remembers the first error. What is read after it is of no use, but does no harm.
func (d *Decoder) fail(what string) {
	if d.err == nil {
		d.err = d.bad(what)
	}
}

// tooLong is an error of several places.
const tooLong = "a command goes beyond its meta-block"

// bytes returns the next n whole bytes. Bits in front of them, that fill a byte, must be zero.
func (d *Decoder) bytes(n int) []byte {
	if d.take(d.have%8) != 0 {
		d.fail("bits that fill a byte are not zero")
	}
	d.input = input{read: d.read - d.have/8 + uint(n)}
	if d.isCut() {
		d.fail("")
		return nil
	}
	return d.src[d.read-uint(n) : d.read]
}

// metaBlock decodes one meta-block, or until full.
func (d *Decoder) metaBlock() (last bool) {
	d.load()
	last = d.take(1) == 1
	if last && d.take(1) == 1 {
		return true
	}
	nibbles := uint(d.take(2)) + 4
	if nibbles == 7 {
		d.skip()
		return last
	}
	size := int(d.take(4*nibbles)) + 1
	if nibbles > 4 && (size-1)>>(4*nibbles-4) == 0 {
		d.fail("the length of a meta-block has a zero in front")
	}
	stored := !last && d.take(1) == 1
	switch {
	case d.whole && size > d.want-d.made:
		d.fail("the body is longer than it should be")
	case stored:
		d.made += copy(d.out[d.made:], d.bytes(min(size, d.want-d.made)))
	default:
		if d.readMeta(); d.err == nil {
			d.err = d.commands(d.made + size)
		}
	}
	return last
}

// skip skips metadata.
func (d *Decoder) skip() {
	reserved, wide := d.take(1), 8*uint(d.take(2))
	n := int(d.take(wide))
	if reserved != 0 || wide > 8 && n>>(wide-8) == 0 {
		d.fail("metadata with a wrong length")
	}
	d.bytes(n + int(min(wide, 1)))
}
