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
		if !d.loadShort() {
			if err := d.load(); err != nil {
				return err
			}
		}
	}
	d.left -= n
	d.first += n
	d.n -= n
	return nil
}

// skipShort steps over whole valid runs with headers of one or two bytes, and lowers n by
// their values. The kind of the next run cannot be predicted, so it has no branch on it,
// only on whether it is valid.
func (d *Codes) skipShort(n *int) {
	body, at, left := d.body, d.next, min(*n, d.n)
	before := left
	width, size := int(d.width), int(d.width+7)/8
	skew := size + width/2   // groups*width is header*width/2 minus half of width
	top := (d.width+7)%8 + 1 // bits that the last byte of a value has
	const pause = 16
	wait := 0 // how many runs to pass before skipEqual or skipAlike is tried again
	for len(body)-at >= 6 {
		header, start := int(body[at]), at+1
		if header >= 0x80 {
			second := int(body[start])
			if second >= 0x80 {
				break
			}
			header, start = header&0x7f|second<<7, start+1
		}
		packed := header & 1
		count := header >> 1 << (3 * packed)
		next := start + size + (header*width>>1-skew)&-packed // the next iteration waits for this, so it is a short chain
		above := int(body[start+size-1]>>top) &^ -packed
		if above != 0 || count == 0 || count > left || next > len(body) {
			break
		}
		left -= count
		if wait--; wait < 0 && left >= 8*count {
			from := next
			if packed != 0 {
				next, left = skipEqual(body, at, next, left, start-at, count)
			} else {
				next, left = skipAlike(body, next, left, start-at, d.width)
			}
			wait = 0
			if next == from {
				wait = pause
			}
		}
		at = next
	}
	d.next = at
	d.n -= before - left
	*n -= before - left
}

// skipEqual steps over packed runs that follow one of count values, from at to next, and
// have the same header. Most writers make packed runs of one length.
func skipEqual(body []byte, at, next, left, header, count int) (int, int) {
	stride, last := next-at, header-1
	if stride == header {
		return next, left // stride is 0: width 0
	}
	one, other := body[at], body[at+last]
	runs := min((len(body)-next)/stride, left/count)
	end := next + runs*stride - last // up to here both bytes of each header are in body, without a check
	first, second := body[:end], body[last:][:end]
	i := uint(next)
	for ; i < uint(end) && first[i] == one && second[i] == other; i += uint(stride) {
		left -= count
	}
	return int(i), left
}

// skipAlike steps over valid repeated runs in body, from at on, with headers of 1 or 2
// bytes, four or two runs at a time, as long as left is at least their number of values. It
// may stop before that. It returns where it stopped, and how many values are left. It checks
// eight bytes by masks, without finding where runs begin in them:
//
//	one byte, width 5     ccccccc0 0000…  → 0ccccccc 000vvvvv 0ccccccc 000vvvvv …
//	bits that are given   1       1         111
//	not all of them 0      1111111
func skipAlike(body []byte, at, left, header int, width uint) (next, still int) {
	stride := header + int(width+7)/8
	if width == 0 || stride > 4 {
		return at, left
	}
	run := struct{ given, are, count, borrow, top uint64 }{given: 0x81, count: 0x7e, borrow: 0x7e, top: 0x80}
	if header == 2 {
		run = struct{ given, are, count, borrow, top uint64 }{given: 0x8081, are: 0x80, count: 0x7f7e, borrow: 0x7f00, top: 0x8000}
	}
	if rest := width % 8; rest != 0 {
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
	for ; len(body)-at >= 8; at += step {
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
