package alp

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// headerSize is the number of bytes before the offsets.
const headerSize = 7

// Numbers decodes FLOAT and DOUBLE. The zero Numbers holds no values.
type Numbers[T number] struct {
	body            []byte
	encoding.Cursor // Skip does not read the vectors in between
	log             uint
	vectors         int

	vector
	entered int // the number of the current vector, plus 1; 0 if there is none
}

// Reset starts on body, which holds at most n values.
func (d *Numbers[T]) Reset(body []byte, n int) error {
	*d = Numbers[T]{}
	if len(body) == 0 && n <= 0 {
		return nil // a page of nulls may lack even the header
	}
	if len(body) < headerSize {
		return corrupt.At(len(body), "header ends early")
	}
	count, log := int32(binary.LittleEndian.Uint32(body[3:])), body[2]
	switch {
	case body[0] != 0:
		return corrupt.At(0, "compression mode ", body[0])
	case body[1] != 0:
		return corrupt.At(1, "integer encoding ", body[1])
	case log < 3 || log > 15:
		return corrupt.At(2, "vectors of 2^", log, " values")
	case count < 0 || int64(count) > int64(n):
		return corrupt.At(3, count, " values in a page of at most ", n)
	}
	vectors := int((int64(count) + 1<<log - 1) >> log)
	if int64(vectors)*4 > int64(len(body)-headerSize) {
		return corrupt.At(headerSize, "offsets of ", vectors, " vectors are cut short")
	}
	d.body, d.Cursor, d.log, d.vectors = body, encoding.Cursor{Count: int(count), EndsAt: len(body)}, uint(log), vectors
	return nil
}

// here returns the position of the next value in its vector, and how many of the
// next n values lie in that vector.
func (d *Numbers[T]) here(n int) (at, m int, err error) {
	if d.At == d.Count {
		_, _, err = d.Take(n)
		return 0, 0, err
	}
	at = d.At & (1<<d.log - 1)
	return at, min(n, 1<<d.log-at, d.Count-d.At), nil
}

// load enters the vector of the next value.
func (d *Numbers[T]) load() error {
	if k := d.At >> d.log; d.entered != k+1 {
		return d.enter(k)
	}
	return nil
}

// Next decodes the next len(dst) values; fewer only with an error.
func (d *Numbers[T]) Next(dst []T) (int, error) {
	done := 0
	for done < len(dst) {
		at, m, err := d.here(len(dst) - done)
		if err == nil {
			err = d.load()
		}
		if err != nil {
			return done, err
		}
		decode(&d.vector, dst[done:][:m], at)
		d.At += m
		done += m
	}
	return done, nil
}

// Gather lists positions of selected values for block values at a time, and Range
// decodes few values at a time to the stack. Not measured: any multiple of 64 works;
// the two bound the stack to 6 KiB.
const block, few = 1024, 256

// Gather steps over n values and decodes those whose bit is set in sel.
func (d *Numbers[T]) Gather(dst []T, sel []uint64, n int) (int, error) {
	var positions [block + bits.Spare]uint32
	kept := 0
	for p := 0; p < n; {
		at, m, err := d.here(n - p)
		if err != nil {
			return kept, err
		}
		m = min(m, block)
		if count := bits.Count(sel, p, p+m); count > 0 {
			if err := d.load(); err != nil {
				return kept, err
			}
			switch some := dst[kept:][:count]; {
			case count == m:
				decode(&d.vector, some, at)
			case count*dense <= m:
				bits.Positions(positions[:], sel, p, p+m)
				pick(&d.vector, some, at, sel, p, m, positions[:count])
			default:
				compress(&d.vector, some, at, sel, p, m)
			}
			kept += count
		}
		d.At += m
		p += m
	}
	return kept, nil
}

// dense is how many values may lie between two selected ones, on average, for all of
// them to be decoded. Chosen by a benchmark whose figures were not kept: compare
// gather of 6 % and of 25 % in BenchmarkALP before you change it.
const dense = 8

// Range steps over n values and clears in sel the bit of each that is not
// lo <= value <= hi. NaN never passes, and -0 equals +0. Vectors without a bit that is
// set are not read.
func (d *Numbers[T]) Range(sel []uint64, n int, lo, hi T) error {
	for p := 0; p < n; {
		at, m, err := d.here(n - p)
		if err != nil {
			return err
		}
		if bits.Any(sel, p, p+m) {
			if err := d.load(); err != nil {
				return err
			}
			d.filter(sel, p, m, at, lo, hi)
		}
		d.At += m
		p += m
	}
	return nil
}

// filter is Range for m values of the current vector from number at on, whose
// bits begin at p.
func (d *Numbers[T]) filter(sel []uint64, p, m, at int, lo, hi T) {
	if len(d.positions) == 0 {
		least, most, ok := bounds[T](&d.vector)
		switch {
		case !ok:
		case lo <= least && most <= hi:
			return
		case !(lo <= hi && lo <= most && least <= hi):
			bits.ClearRange(sel, p, p+m)
			return
		}
	}
	var buffer [few]T
	for m > 0 {
		part := buffer[:min(m, len(buffer))]
		if p%64 == 0 {
			decode(&d.vector, part, at)
			encoding.Within(sel[p/64:], part, lo, hi)
		} else {
			part = part[:min(len(part), 64-p%64)]
			decode(&d.vector, part, at)
			word := [1]uint64{^uint64(0)}
			encoding.Within(word[:], part, lo, hi)
			bits.AndWord(sel, p, word[0], len(part))
		}
		p, at, m = p+len(part), at+len(part), m-len(part)
	}
}
