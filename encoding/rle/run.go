package rle

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Codes decodes numbers below a limit. The zero Codes holds no values.
type Codes struct {
	state

	// Memory that calls need for a while, nil until the first does. A copy of Codes uses the
	// same memory, so the two must take turns. On the stack it would be cleared for every
	// call, which takes as long as finding a few hundred values; inside Codes it would be
	// copied with it.
	room *room
	bits *[testBlock / 64]uint64 // the outcomes of a test; levels need only these
}

// room is the memory that gathering and looking up need.
type room struct {
	codes  [keepBlock + spare]uint32
	places numbers
}

func (d *Codes) space() *room {
	if d.room == nil {
		d.room = new(room)
	}
	return d.room
}

func (d *Codes) bitmap() []uint64 {
	if d.bits == nil {
		d.bits = new([testBlock / 64]uint64)
	}
	return d.bits[:]
}

// state is what Reset sets.
type state struct {
	body  []byte
	width uint
	limit uint32
	n     int // values left of those that Reset was told of
	next  int // byte of the next run's header

	// The current run: 0 <= start <= next <= len(body).
	left   int    // values left of it
	packed bool   // as the values from number first on in body[start:next]
	value  uint32 // else as this
	first  int
	start  int
}

// A Run is consecutive values in one representation.
type Run struct {
	N      int    // how many values
	Value  uint32 // all of them, if Packed is nil
	Packed []byte // else the values are First to First+N-1 of these, packed as in package bitpack
	First  int
}

// Reset starts on body, which holds at most n codes of a bit width, each below
// limit.
func (d *Codes) Reset(body []byte, width uint, limit uint32, n int) error {
	d.state = state{body: body, width: width, limit: limit, n: max(n, 0)}
	if width > 32 {
		d.state = state{}
		return corrupt.At(-1, "bit width ", uint64(width))
	}
	d.bitmap() // now, so that copies share it
	return nil
}

// ResetIndices starts on body, which holds at most n dictionary indices after
// a byte with their bit width. limit is the number of entries.
func (d *Codes) ResetIndices(body []byte, limit uint32, n int) error {
	if n <= 0 {
		d.state = state{} // a page of nulls may lack even the width
		return nil
	}
	if len(body) == 0 {
		d.state = state{}
		return corrupt.At(0, "no bit width")
	}
	width := body[0]
	if width > 32 {
		d.state = state{}
		return corrupt.At(0, "bit width ", width)
	}
	d.state = state{body: body, width: uint(width), limit: limit, n: n, next: 1}
	d.space() // as in Reset
	d.bitmap()
	return nil
}

// NextRun returns the rest of the current run, or the next, but at most max >
// 0 values of it, and steps over them. The codes in it are not checked.
func (d *Codes) NextRun(max int) (Run, error) {
	n, first, err := d.take(max)
	if err != nil {
		return Run{}, err
	}
	if d.packed {
		return Run{N: n, Packed: d.run(), First: first}, nil
	}
	return Run{N: n, Value: d.value}, nil
}

// take is NextRun without the Run, which does not fit into registers. It steps over n
// values of the current run, which is theirs; if it is packed, first is the number of the
// first of them in it.
func (d *Codes) take(max int) (n, first int, err error) {
	if d.left == 0 && !d.loadShort() {
		if err := d.load(); err != nil {
			return 0, 0, err
		}
	}
	n, first = min(d.left, max), d.first
	d.step(n)
	return n, first, nil
}

// step steps over n values of the current run, which has at least n left.
func (d *Codes) step(n int) {
	d.left -= n
	d.first += n
	d.n -= n
}

// run returns the bytes of the current run, which is packed.
func (d *Codes) run() []byte { return d.body[d.start:d.next] }

// load reads the header of the next run.
func (d *Codes) load() error {
	at := d.next
	if d.n == 0 {
		return corrupt.At(at, "more values wanted than there are")
	}
	if at == len(d.body) {
		return corrupt.At(at, "bytes end, values to come: ", d.n)
	}
	header, size := uvarint32(d.body[at:])
	if size == 0 {
		return corrupt.At(at, "run header is cut short or has more than 32 bits")
	}
	at += size
	count, room := header>>1, uint64(len(d.body)-at)
	if count == 0 {
		return corrupt.At(d.next, "run of no values")
	}
	if header&1 == 0 {
		size := int(d.width+7) / 8
		if uint64(size) > room {
			return corrupt.At(at, "repeated value is cut short")
		}
		value := uint32(0)
		for i := range size {
			value |= uint32(d.body[at+i]) << (8 * i)
		}
		if uint64(value)>>d.width != 0 {
			return corrupt.At(at, "repeated value ", value, " has more than ", uint64(d.width), " bits")
		}
		d.repeat(count, value, at, at+size)
		return nil
	}
	if count > (1<<31-1)/8 {
		return corrupt.At(d.next, "packed run of ", count, " groups")
	}
	bytes, values := count*uint64(d.width), count*8
	if bytes > room {
		bytes, values = room, room*8/uint64(d.width)
		if values == 0 {
			return corrupt.At(at, "packed run is cut short")
		}
	}
	d.pack(values, at, at+int(bytes))
	return nil
}

// loadShort is load for a valid header of up to three bytes, not at the very end of the
// body. For any other it does nothing and returns false.
func (d *Codes) loadShort() bool {
	body, at := d.body, d.next
	if len(body)-at < 7 || d.n == 0 {
		return false
	}
	header := uint64(body[at])
	at++
	if header >= 0x80 {
		second := uint64(body[at])
		at++
		header = header&0x7f | second<<7
		if second >= 0x80 {
			third := uint64(body[at])
			at++
			if third >= 0x80 {
				return false
			}
			header = header&(1<<14-1) | third<<14
		}
	}
	count := header >> 1
	if count == 0 {
		return false
	}
	if header&1 == 0 {
		size := int(d.width+7) / 8
		value := binary.LittleEndian.Uint32(body[at:]) & uint32(1<<(8*size)-1)
		if uint64(value)>>d.width != 0 {
			return false
		}
		d.repeat(count, value, at, at+size)
		return true
	}
	bytes := int(count) * int(d.width)
	if bytes > len(body)-at {
		return false
	}
	d.pack(count*8, at, at+bytes)
	return true
}

// repeat and pack make a run in body[start:next] the current one.
func (d *Codes) repeat(count uint64, value uint32, start, next int) {
	d.left, d.packed, d.value = int(min(count, uint64(d.n))), false, value
	d.first, d.start, d.next = 0, start, next
}

func (d *Codes) pack(count uint64, start, next int) {
	d.left, d.packed, d.value = int(min(count, uint64(d.n))), d.width > 0, 0
	d.first, d.start, d.next = 0, start, next
}

// uvarint32 reads a number of at most 32 bits in ULEB128, and returns how many bytes it
// takes, or 0 if it is invalid.
func uvarint32(b []byte) (v uint64, size int) {
	for i, x := range b[:min(len(b), 5)] {
		v |= uint64(x&0x7f) << (7 * i)
		if x < 0x80 {
			if v >= 1<<32 {
				return 0, 0
			}
			return v, i + 1
		}
	}
	return 0, 0
}
