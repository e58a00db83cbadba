package rle

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Codes decodes numbers below a limit. The zero Codes holds no values.
type Codes struct {
	body  []byte
	width uint
	limit uint32
	n     int // values left of those that Reset was promised
	next  int // byte of the next run's header

	// The current run: 0 <= start <= next <= len(body).
	left   int    // values left of it
	packed bool   // as the values from number first on in body[start:next]
	value  uint32 // else as this
	first  int
	start  int

	outcome [64]uint64 // of a test; not on the stack, where it would be cleared for every run
}

// A Run is a row of values that have one representation.
type Run struct {
	N      int    // how many values
	Value  uint32 // all of them, if Packed is nil
	Packed []byte // else they are the values First to First+N-1 in here, as package bitpack unpacks them
	First  int
}

// Reset starts on body, which holds at most n codes of a bit width, each below
// limit.
func (d *Codes) Reset(body []byte, width uint, limit uint32, n int) error {
	*d = Codes{body: body, width: width, limit: limit, n: max(n, 0)}
	if width > 32 {
		*d = Codes{}
		return corrupt.At(-1, "bit width ", uint64(width))
	}
	return nil
}

// ResetIndices starts on body, which holds at most n dictionary indices behind
// a byte with their bit width. limit is the number of entries.
func (d *Codes) ResetIndices(body []byte, limit uint32, n int) error {
	if n <= 0 {
		*d = Codes{} // a page of nulls may lack even the width
		return nil
	}
	if len(body) == 0 {
		*d = Codes{}
		return corrupt.At(0, "no bit width")
	}
	if body[0] > 32 {
		*d = Codes{}
		return corrupt.At(0, "bit width ", body[0])
	}
	*d = Codes{body: body, width: uint(body[0]), limit: limit, n: n, next: 1}
	return nil
}

// Width returns the bit width.
func (d *Codes) Width() uint { return d.width }

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

// take is NextRun without the Run, which does not fit into registers: n values
// are stepped over, the current run is theirs, and first is the number of the
// first of them in it if it is packed.
func (d *Codes) take(max int) (n, first int, err error) {
	if d.left == 0 && !d.loadShort() {
		if err := d.load(); err != nil {
			return 0, 0, err
		}
	}
	n, first = min(d.left, max), d.first
	d.left -= n
	d.first += n
	d.n -= n
	return n, first, nil
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

// loadShort is load for a header of one byte with which nothing is wrong, not
// at the very end of the body; else it does nothing.
func (d *Codes) loadShort() bool {
	body, at := d.body, d.next
	if len(body)-at < 5 || d.n == 0 {
		return false
	}
	header := uint64(body[at])
	count := header >> 1
	at++
	if header >= 0x80 || count == 0 {
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

// repeat and pack make a run of body[start:next] the current one.
func (d *Codes) repeat(count uint64, value uint32, start, next int) {
	d.left, d.packed, d.value = int(min(count, uint64(d.n))), false, value
	d.first, d.start, d.next = 0, start, next
}

func (d *Codes) pack(count uint64, start, next int) {
	d.left, d.packed, d.value = int(min(count, uint64(d.n))), d.width > 0, 0
	d.first, d.start, d.next = 0, start, next
}

// uvarint32 reads ULEB128 of a number of at most 32 bits, and returns how many
// bytes it takes, or 0.
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

// Skip steps over n values.
func (d *Codes) Skip(n int) error {
	for n > d.left {
		n -= d.left
		d.n -= d.left
		d.left = 0
		d.skipShort(&n)
		if n == 0 {
			return nil
		}
		if err := d.load(); err != nil {
			return err
		}
	}
	d.left -= n
	d.first += n
	d.n -= n
	return nil
}

// skipShort steps over whole runs as long as their headers have one byte and
// nothing is wrong with them, and lowers n by their values.
func (d *Codes) skipShort(n *int) {
	body, at, left := d.body, d.next, min(*n, d.n)
	before := left
	width, size := int(d.width), int(d.width+7)/8
	for at < len(body) {
		header := int(body[at])
		count := header >> 1
		bytes := size
		if header&1 != 0 {
			bytes = count * width
			count *= 8
		}
		if header >= 0x80 || count == 0 || count > left || bytes >= len(body)-at {
			break
		}
		if header&1 == 0 && width%8 != 0 && body[at+size]>>(width%8) != 0 {
			break
		}
		at += 1 + bytes
		left -= count
	}
	d.next = at
	d.n -= before - left
	*n -= before - left
}

// Next decodes the next len(dst) codes; fewer only with an error.
func (d *Codes) Next(dst []uint32) (int, error) {
	done := 0
	for done < len(dst) {
		n, first, err := d.take(len(dst) - done)
		if err != nil {
			return done, err
		}
		some := dst[done:][:n]
		if !d.packed {
			if d.value >= d.limit {
				return done, d.tooBig(d.value)
			}
			fill(some, d.value)
		} else {
			d.unpack(some, first)
			if bad := d.firstBad(some); bad >= 0 {
				return done + bad, d.tooBig(some[bad])
			}
		}
		done += n
	}
	return done, nil
}

// Gather steps over n codes and decodes those whose bit is set in sel.
func (d *Codes) Gather(dst []uint32, sel []uint64, n int) (int, error) {
	var room positions
	kept := 0
	for at := 0; at < n; {
		m, first, err := d.take(n - at)
		if err != nil {
			return kept, err
		}
		if !d.packed {
			count := bits.Count(sel, at, at+m)
			if count > 0 && d.value >= d.limit {
				return kept, d.tooBig(d.value)
			}
			fill(dst[kept:][:count], d.value)
			kept += count
			at += m
			continue
		}
		for end := at + m; at < end; {
			some, part := d.pick(dst[kept:], sel, at, first, end-at, &room)
			if bad := d.firstBad(some); bad >= 0 {
				return kept + bad, d.tooBig(some[bad])
			}
			kept += len(some)
			at += part
			first += part
		}
	}
	return kept, nil
}

// block is the number of values that are handled at a time where a buffer on
// the stack stands between two kernels. Larger ones take longer to clear.
const block = 512

// positions has room for those of a block, and what bits.Positions likes to have behind.
type positions [block + 66]uint32

// unpack unpacks the values of the current run, which is packed, from number
// first on.
func (d *Codes) unpack(dst []uint32, first int) {
	src := d.run()
	// Kernels start on a byte: value by value up to the next group.
	for ; len(dst) > 0 && first%8 != 0; first++ {
		dst[0] = uint32(bitpack.Get(src, first, d.width))
		dst = dst[1:]
	}
	if len(dst) > 0 {
		bitpack.Unpack32(dst, src[bitpack.Size(first, d.width):], d.width)
	}
}

// pick unpacks values of the current run, from number first on, whose bits in
// sel from position at on are set: at most block of them, of part <= m values.
func (d *Codes) pick(dst []uint32, sel []uint64, at, first, m int, room *positions) (some []uint32, part int) {
	// One by one where few are wanted: measured.
	const few, farther = 16, 8
	part = min(m, block*farther)
	count := bits.Count(sel, at, at+part)
	if count*few <= part {
		if count > 0 {
			bits.Positions(room[:], sel, at, at+part)
			bitpack.Pick32(dst[:count], d.run(), d.width, room[:count], first-at)
		}
		return dst[:count], part
	}
	if part > block {
		part = block
		count = bits.Count(sel, at, at+part)
	}
	dst = dst[:count]
	if count == part {
		d.unpack(dst, first)
		return dst, part
	}
	var codes [block]uint32
	d.unpack(codes[:part], first)
	bits.Positions(room[:], sel, at, at+part)
	for k, p := range room[:count] {
		dst[k] = codes[(int(p)-at)%block]
	}
	return dst, part
}

// firstBad returns the index of the first code at or above the limit, or -1.
func (d *Codes) firstBad(codes []uint32) int {
	if uint64(d.limit) >= 1<<d.width || bitpack.Largest(codes) < d.limit || len(codes) == 0 {
		return -1
	}
	for i, c := range codes {
		if c >= d.limit {
			return i
		}
	}
	return -1
}

func (d *Codes) tooBig(code uint32) error {
	return corrupt.At(d.start, "code ", code, " in the run that begins here, all must be below ", d.limit)
}

// fill sets all of dst to v.
func fill[T any](dst []T, v T) {
	const few = 64
	head := dst[:min(few, len(dst))]
	for len(head) >= 4 {
		h := head[:4:4]
		h[0], h[1], h[2], h[3] = v, v, v, v
		head = head[4:]
	}
	for i := range head {
		head[i] = v
	}
	// The rest is copied from what is there, which moves more than one at a time.
	for done := few; done < len(dst); {
		done += copy(dst[done:], dst[:min(done, 16*few)])
	}
}
