package rle

import (
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Next decodes the next len(dst) codes; fewer only with an error.
func (d *Codes) Next(dst []uint32) (int, error) {
	done := 0
	for done < len(dst) {
		if d.left == 0 {
			if done += d.shortCodes(dst[done:], len(dst), len(dst)); done == len(dst) {
				break
			}
		}
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
	same := func(code uint32) uint32 { return code }
	return selected(d, dst, sel, n, same, func(dst, codes []uint32) { copy(dst, codes) })
}

// selected steps over n codes and stores what stands for those whose bit is set in sel: one gives that of a code, some
// of several.
func selected[T any](d *Codes, dst []T, sel []uint64, n int, one func(code uint32) T, some func(dst []T, codes []uint32)) (int, error) {
	room := d.space()
	short := true // assume short runs until a long one is met
	kept := 0
	for at := 0; at < n; {
		if short && d.left == 0 {
			if m := d.shortRuns(room.codes[:], min(n-at, block)); m > 0 {
				k := pickCodes(room.codes[:], room.codes[:m], sel, at, &room.places)
				some(dst[kept:], room.codes[:k])
				kept += k
				at += m
				continue
			}
		}
		m, first, err := d.take(n - at)
		if err != nil {
			return kept, err
		}
		short = m <= shortRepeat
		if !d.packed {
			if count := bits.Count(sel, at, at+m); count > 0 {
				if d.value >= d.limit {
					return kept, d.tooBig(d.value)
				}
				fill(dst[kept:][:count], one(d.value))
				kept += count
			}
			at += m
			continue
		}
		if m <= 64 && bits.Extract(sel, at)&bits.Low(m) == 0 { // often so: the run is short, or what a long one left
			at += m
			continue
		}
		for end := at + m; at < end; {
			codes, part := d.pick(room.codes[:], sel, at, first, end-at, n-at)
			bad := d.firstBad(codes)
			if bad >= 0 {
				codes = codes[:bad]
			}
			some(dst[kept:], codes)
			kept += len(codes)
			if bad >= 0 {
				return kept, d.tooBig(room.codes[bad])
			}
			at += part
			first += part
		}
	}
	return kept, nil
}

// block is the number of values that are handled at a time where a buffer lies between
// two kernels. Not measured: any multiple of 64 works, this bounds the room.
const block = 1024

// farthest is the largest number of values that are handled at a time if few are wanted. Not measured.
const farthest = 32 * block

// numbers has room for a number for each value of a block, and for what kernels store after them.
type numbers [block + bits.Spare]uint32

// unpack unpacks values of the current run, which is packed, from number first on.
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

// pick unpacks the wanted values of the current run, from number first on: those whose
// bits in sel from position at on are set. It passes part <= m values, at most a block. m
// values of the run are left, and n >= m are to come; if few of the next ones are wanted,
// it may pass more than m of them.
func (d *Codes) pick(dst []uint32, sel []uint64, at, first, m, n int) (some []uint32, part int) {
	part = min(m, block)
	count := bits.Count(sel, at, at+part)
	// Values are unpacked one by one unless all are wanted. Measured on 32,768 codes with
	// AVX-512: with 1 % wanted this takes 0.4 of decoding all. Callers that want many have
	// LookupKept. Go so far that about three quarters of a block of wanted values are expected.
	if count < part {
		far := min(n, farthest, block*3/4*part/(count+4)+1)
		if some, part := d.pickFew(dst, sel, at, first, m, far, d.space().places[:]); part > 0 {
			return some, part
		}
	}
	dst = dst[:count]
	if count == part {
		d.unpack(dst, first)
		return dst, part
	}
	room := d.space()
	codes, places := &room.codes, &room.places
	d.unpack(codes[:part], first)
	bits.Positions(places[:], sel, at, at+part)
	for k, p := range places[:count] {
		dst[k] = codes[(int(p)-at)%block]
	}
	return dst, part
}

// pickFew is pick if there is room for the places of all wanted values; else part is 0.
// It continues through runs of the form of the current one: their distance is known, so
// no header has to be read to find values.
func (d *Codes) pickFew(dst []uint32, sel []uint64, at, first, m, n int, places []uint32) (some []uint32, part int) {
	part = min(m, n)
	count, gap, runs := 0, 0, 0
	if part < n && d.left == 0 {
		count, gap, runs = d.alike(first + n)
		part = min(n, m+runs*count, m+d.n)
	}
	wanted, ok := bits.Few(places, sel, at, at+part)
	if !ok {
		return nil, 0
	}
	some = dst[:wanted]
	if part <= m {
		bitpack.Pick32(some, d.run(), d.width, places[:wanted], first-at)
		return some, part
	}
	bitpack.PickRuns32(some, d.body[d.start:d.next], d.width, places[:wanted], first-at, count, gap)
	if d.firstBad(some) >= 0 {
		return nil, 0 // the caller goes run by run, and reports which code is too large
	}
	d.stepAlike(part-m, count, gap)
	return some, part
}

// alike returns the runs that follow the current run, which is packed, and have as many
// values, up to n values with it. count is the number of values of each, header the bytes
// of each header. All are 0 if the run is empty or longer than bitpack.LongestRun.
func (d *Codes) alike(n int) (count, header, runs int) { return d.alikeIn(d.start, d.next, n) }

// alikeIn is alike for the run in body[start:next].
func (d *Codes) alikeIn(start, next, n int) (count, header, runs int) {
	groups := (next - start) / int(d.width)
	count = groups * 8
	if count == 0 || count > bitpack.LongestRun {
		return 0, 0, 0
	}
	first, second := byte(groups<<1|1), byte(0)
	header = 1
	if groups >= 1<<6 {
		first, second, header = first|0x80, byte(groups>>6), 2
	}
	stride, at := header+next-start, next
	for ; header == 1 && 4*stride <= len(d.body)-at && n > 4*count; at += 4 * stride {
		b := d.body[at:]
		if (b[0]^first)|(b[stride]^first)|(b[2*stride]^first)|(b[3*stride]^first) != 0 {
			break
		}
		n -= 4 * count
		runs += 4
	}
	for ; stride <= len(d.body)-at && n > count; at += stride {
		if d.body[at] != first || header == 2 && d.body[at+1] != second {
			break
		}
		n -= count
		runs++
	}
	return count, header, runs
}

// pickCodes copies the codes whose bits in sel, from position at on, are set. dst and
// codes may be the same.
func pickCodes(dst, codes []uint32, sel []uint64, at int, room *numbers) int {
	places := room[:bits.Positions(room[:], sel, at, at+len(codes))]
	dst = dst[:len(places)]
	for k, p := range places {
		dst[k] = codes[int(p)-at]
	}
	return len(places)
}

// limited reports whether a code of this width can be out of range.
func (d *Codes) limited() bool { return uint64(d.limit) < 1<<d.width }

// firstBad returns the index of the first code at or above the limit, or -1.
func (d *Codes) firstBad(codes []uint32) int {
	if !d.limited() || bitpack.Largest(codes) < d.limit || len(codes) == 0 {
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
	// The rest is copied from the front, since copy moves more than one entry at a time.
	for done := few; done < len(dst); {
		done += copy(dst[done:], dst[:min(done, 16*few)])
	}
}
