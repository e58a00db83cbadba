package rle

import "encoding/binary"

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

// skipShort steps over whole runs as long as their headers have one or two
// bytes and nothing is wrong with them, and lowers n by their values.
func (d *Codes) skipShort(n *int) {
	body, at, left := d.body, d.next, min(*n, d.n)
	before := left
	width, size := int(d.width), int(d.width+7)/8
	wait := 0 // so many runs before it is tried again to take some at once
	for len(body)-at >= 6 {
		header, start := int(body[at]), at+1
		if header >= 0x80 {
			second := int(body[start])
			if second >= 0x80 {
				break
			}
			header, start = header&0x7f|second<<7, start+1
		}
		count, bytes := header>>1, size
		if header&1 != 0 {
			bytes = count * width
			count *= 8
		} else if width%8 != 0 && body[start+size-1]>>(width%8) != 0 {
			break
		}
		if count == 0 || count > left || bytes > len(body)-start {
			break
		}
		stride := start + bytes - at
		next := at + stride
		left -= count
		if header&1 != 0 {
			// More runs of the same header, as most writers make them.
			last := start - at - 1 // byte of the header
			for width > 0 && count <= left && stride <= len(body)-next && body[next] == body[at] && body[next+last] == body[at+last] {
				next += stride
				left -= count
			}
		} else if wait--; wait < 0 && left > 0 {
			wait = 0
			from := next
			if next, left = d.skipAlike(next, left, start-at); next == from {
				wait = 8
			}
		}
		at = next
	}
	d.next = at
	d.n -= before - left
	*n -= before - left
}

// skipAlike steps over repeated runs with a header of some bytes, 1 or 2, four or
// two at a time, as long as they have left values and nothing is wrong. It looks
// at eight bytes without asking where in them runs begin:
//
//	one byte, width 5     ccccccc0 0000…  → 0ccccccc 000vvvvv 0ccccccc 000vvvvv …
//	bits that are given   1       1         111
//	not all of them 0      1111111
func (d *Codes) skipAlike(at, left, header int) (int, int) {
	stride := header + int(d.width+7)/8
	if d.width == 0 || stride > 4 {
		return at, left
	}
	run := struct{ given, are, count, borrow, top uint64 }{given: 0x81, count: 0x7e, borrow: 0x7e, top: 0x80}
	if header == 2 {
		run = struct{ given, are, count, borrow, top uint64 }{given: 0x8081, are: 0x80, count: 0x7f7e, borrow: 0x7f00, top: 0x8000}
	}
	if rest := d.width % 8; rest != 0 {
		run.given |= 0xff << rest & 0xff << (8 * (stride - 1))
	}
	each := uint64(1) | 1<<(8*stride)
	if stride == 2 {
		each |= each << 32
	}
	given, are, count := run.given*each, run.are*each, run.count*each
	borrow, top := run.borrow*each, run.top*each
	step, shift := 2*stride, 8*stride&63
	if stride == 2 {
		step = 8
	}
	for body := d.body; len(body)-at >= 8; at += step {
		w := binary.LittleEndian.Uint64(body[at:])
		c := w & count
		if w&given != are || (c+borrow)&top != top {
			break
		}
		// The counts, twice as large.
		var sum uint64
		if stride == 2 {
			sum = c + c>>32
			sum = (sum + sum>>16) & 0xffff
		} else {
			sum = c + c>>(shift&63)
			sum = sum&0xff + sum>>8&0xff<<7
		}
		if int(sum/2) > left {
			break
		}
		left -= int(sum / 2)
	}
	return at, left
}
