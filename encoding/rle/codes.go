package rle

import (
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
	start int // byte at which the values of the current run begin
	next  int // byte of the next run's header
	run   Run // what is left of the current run
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
	if d.run.N == 0 {
		if err := d.load(); err != nil {
			return Run{}, err
		}
	}
	r := d.run
	r.N = min(r.N, max)
	d.run.N -= r.N
	d.run.First += r.N
	d.n -= r.N
	return r, nil
}

// load reads the header of the next run.
func (d *Codes) load() error {
	at := d.next
	if d.n == 0 {
		return corrupt.At(at, "more values wanted than there are")
	}
	if at == len(d.body) {
		return corrupt.At(at, "no more bytes, but ", d.n, " values to come")
	}
	header, size := uint64(0), 0
	if d.body[at] < 0x80 {
		header, size = uint64(d.body[at]), 1
	} else if header, size = uvarint32(d.body[at:]); size == 0 {
		return corrupt.At(at, "run header is cut short or has more than 32 bits")
	}
	at += size
	d.start = at
	count := header >> 1
	if count == 0 {
		return corrupt.At(d.next, "run of no values")
	}
	left := uint64(len(d.body) - at)
	if header&1 == 0 {
		value, size := uint32(0), (d.width+7)/8
		if uint64(size) > left {
			return corrupt.At(at, "repeated value is cut short")
		}
		for i := range size {
			value |= uint32(d.body[at+int(i)]) << (8 * i)
		}
		if uint64(value)>>d.width != 0 {
			return corrupt.At(at, "repeated value ", value, " has more than ", uint64(d.width), " bits")
		}
		d.run = Run{N: int(min(count, uint64(d.n))), Value: value}
		d.next = at + int(size)
		return nil
	}
	if count > (1<<31-1)/8 {
		return corrupt.At(d.next, "packed run of ", count, " groups")
	}
	bytes := min(count*uint64(d.width), left)
	values := count * 8
	if d.width > 0 {
		values = min(values, bytes*8/uint64(d.width))
	}
	if values == 0 {
		return corrupt.At(at, "packed run is cut short")
	}
	d.run = Run{N: int(min(values, uint64(d.n)))}
	if d.width > 0 {
		d.run.Packed = d.body[at:][:bytes]
	}
	d.next = at + int(bytes)
	return nil
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
	for n > 0 {
		r, err := d.NextRun(n)
		if err != nil {
			return err
		}
		n -= r.N
	}
	return nil
}

// Next decodes the next len(dst) codes; fewer only with an error.
func (d *Codes) Next(dst []uint32) (int, error) {
	done := 0
	for done < len(dst) {
		r, err := d.NextRun(len(dst) - done)
		if err != nil {
			return done, err
		}
		some := dst[done:][:r.N]
		if r.Packed != nil {
			r.unpack(some, 0, d.width)
			if bad := d.firstBad(some); bad >= 0 {
				return done + bad, d.tooBig(some[bad])
			}
		} else {
			if r.Value >= d.limit {
				return done, d.tooBig(r.Value)
			}
			fill(some, r.Value)
		}
		done += r.N
	}
	return done, nil
}

// Gather steps over n codes and decodes those whose bit is set in sel.
func (d *Codes) Gather(dst []uint32, sel []uint64, n int) (int, error) {
	var positions [block]uint32
	kept := 0
	for at := 0; at < n; {
		r, err := d.NextRun(n - at)
		if err != nil {
			return kept, err
		}
		if r.Packed == nil {
			count := bits.Count(sel, at, at+r.N)
			if count > 0 && r.Value >= d.limit {
				return kept, d.tooBig(r.Value)
			}
			fill(dst[kept:][:count], r.Value)
			kept += count
			at += r.N
			continue
		}
		for i := 0; i < r.N; i += block {
			m := min(block, r.N-i)
			count := bits.Positions(positions[:], sel, at+i, at+i+m)
			some := dst[kept:][:count]
			r.pick(some, positions[:count], at, i, m, d.width)
			if bad := d.firstBad(some); bad >= 0 {
				return kept + bad, d.tooBig(some[bad])
			}
			kept += count
		}
		at += r.N
	}
	return kept, nil
}

// block is the number of values that are handled at a time where a buffer on
// the stack stands between two kernels.
const block = 1024

// unpack unpacks the values i to i+len(dst)-1 of a packed run.
func (r *Run) unpack(dst []uint32, i int, width uint) {
	from := r.First + i
	// Kernels start on a byte: value by value up to the next group.
	for ; len(dst) > 0 && from%8 != 0; from++ {
		dst[0] = uint32(bitpack.Get(r.Packed, from, width))
		dst = dst[1:]
	}
	if len(dst) > 0 {
		bitpack.Unpack32(dst, r.Packed[bitpack.Size(from, width):], width)
	}
}

// pick unpacks those of the values i to i+m-1 of a packed run that stand at
// the positions, counted from base for value 0.
func (r *Run) pick(dst []uint32, positions []uint32, base, i, m int, width uint) {
	switch {
	case len(positions) == m:
		r.unpack(dst, i, width)
	case len(positions)*16 <= m: // cheaper one by one: measured
		bitpack.Pick32(dst, r.Packed, width, positions, r.First-base)
	default:
		var codes [block]uint32
		r.unpack(codes[:m], i, width)
		for k, p := range positions {
			dst[k] = codes[(int(p)-base-i)%block]
		}
	}
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
	return corrupt.At(d.start, "code ", code, " in the run from here on, all must be below ", d.limit)
}

// fill sets all of dst to v.
func fill[T any](dst []T, v T) {
	const few = 64
	head := dst[:min(few, len(dst))]
	for i := range head {
		head[i] = v
	}
	// The rest is copied from what is there, which moves more than one at a time.
	for done := len(head); done < len(dst); {
		done += copy(dst[done:], dst[:min(done, 16*few)])
	}
}
