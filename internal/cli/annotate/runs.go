package annotate

import (
	"encoding/binary"
	"math/bits"
	"strconv"

	"github.com/winnow-scan/winnow/internal/cli/table"
)

// levels labels the repetition or definition levels of n slots, and returns how
// many of them are at the maximum.
func (a *annotator) levels(what string, maxLevel, n int) (full int64) {
	return a.runs(what, bits.Len(uint(maxLevel)), n, uint64(maxLevel), false)
}

// runs labels n numbers in the RLE / bit-packed hybrid, and returns how many of
// them are equal to counted. With mayEnd there may be fewer, as where the nulls are not known: running
// out of bytes behind a number is no fault then.
//
//	20 05          header 16<<1: 16 times the value 5
//	03 88 c6 fa    header 1<<1 | 1: 8 values of 3 bits each
func (a *annotator) runs(what string, width, n int, counted uint64, mayEnd bool) (found int64) {
	size := int64(width+7) / 8
	for done := int64(0); done < int64(n) && a.fault == "" && !(mayEnd && a.remaining() == 0); {
		from := a.pos
		head, length := binary.Uvarint(a.data[a.pos:])
		count := int64(head >> 1)
		packedRun := head&1 == 1
		if packedRun {
			count *= 8
		}
		switch {
		case length <= 0:
			a.fail(what + ": a run's header that does not end")
			return found
		case count == 0 || head > 1<<33:
			a.fail(what + ": a run of length " + strconv.FormatUint(head>>1, 10))
			return found
		}
		a.pos += length
		if !packedRun {
			if int64(a.remaining()) < size {
				a.pos = from
				a.fail(what + ": a run without its value")
				return found
			}
			a.pos += int(size)
			v := littleEndian(a.data[a.pos-int(size) : a.pos])
			a.label(from, what+": "+strconv.FormatInt(count, 10)+" × "+strconv.FormatUint(v, 10))
			if v == counted {
				found += min(count, int64(n)-done)
			}
			done += count
			continue
		}
		a.label(from, what+": "+strconv.FormatInt(count, 10)+" packed in "+table.Plural(int64(width), "bit"))
		// The last group may lack the bytes that hold no value.
		used := min(count, int64(n)-done)
		bytes := min(count/8*int64(width), int64(a.remaining()))
		if mayEnd && width > 0 {
			used = max(min(used, bytes*8/int64(width)), 1)
		}
		if (used*int64(width)+7)/8 > bytes {
			a.fail(what + ": packed values end early")
			return found
		}
		body, _ := a.consume(bytes, what+": packed")
		if bytes > 0 {
			a.relabel(what + ": " + list(int(used), func(i int) string {
				return strconv.FormatUint(packedLSB(body, i, width), 10)
			}))
		}
		for i := range int(used) {
			if packedLSB(body, i, width) == counted {
				found++
			}
		}
		done += count
	}
	return found
}

// bitPacked labels n levels in the old BIT_PACKED encoding, and returns how many
// of them are at the maximum. The first level stands in the highest bits; with
// lsbFirst, which is how some writers got it wrong, in the lowest.
func (a *annotator) bitPacked(what string, maxLevel, n int, lsbFirst bool) (full int64) {
	width := bits.Len(uint(maxLevel))
	from := a.pos
	body, ok := a.consume((int64(n)*int64(width)+7)/8, what)
	if !ok || from == a.pos {
		return 0
	}
	order, number := "MSB", packedMSB
	if lsbFirst {
		order, number = "LSB", packedLSB
	}
	a.relabel(what + ": packed in " + table.Plural(int64(width), "bit") + ", " + order + " first: " +
		list(n, func(i int) string { return strconv.FormatUint(number(body, i, width), 10) }))
	for i := range n {
		switch v := number(body, i, width); {
		case v == uint64(maxLevel):
			full++
		case v > uint64(maxLevel):
			a.fail(what + ": a level of " + strconv.FormatUint(v, 10))
		}
	}
	return full
}

// delta labels DELTA_BINARY_PACKED numbers and returns them. It refuses more than
// most numbers, which bounds the memory: a few bytes can stand for many equal ones.
//
//	80 01          values in a block
//	04             miniblocks in a block
//	05             values in all
//	02             zigzag(2) = 1, the first value
//	block: min delta, a bit width for each miniblock, the miniblocks
func (a *annotator) delta(what string, most int, show func(v int64) string) ([]int64, bool) {
	number := func(name string) (uint64, bool) {
		return a.uvarint(func(v uint64) string { return what + ": " + name + " " + strconv.FormatUint(v, 10) })
	}
	block, ok1 := number("block size")
	minis, ok2 := number("miniblocks in a block")
	total, ok3 := number("values in all")
	first, ok4 := a.uvarint(func(v uint64) string { return what + ": first value " + show(unzigzag(v)) })
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return nil, false
	}
	if block == 0 || block%128 != 0 || block > 1<<31 || minis == 0 || block%minis != 0 || block/minis%32 != 0 {
		return nil, a.fail(what + ": a block of " + strconv.FormatUint(block, 10) + " in " + strconv.FormatUint(minis, 10) + " miniblocks")
	}
	if total > uint64(most) {
		return nil, a.fail(what + ": " + strconv.FormatUint(total, 10) + " values where " + strconv.Itoa(most) + " are announced")
	}
	if total == 0 {
		return nil, true
	}
	values := append(make([]int64, 0, 16), unzigzag(first))
	perMini := int(block / minis)
	for b := 0; uint64(len(values)) < total; b++ {
		in := what + ": block " + strconv.Itoa(b) + ", "
		minDelta, ok := a.uvarint(func(v uint64) string { return in + "min delta " + strconv.FormatInt(unzigzag(v), 10) })
		if !ok {
			return nil, false
		}
		from := a.pos
		widths, ok := a.consume(int64(minis), in+"bit widths")
		if !ok {
			return nil, false
		}
		if from < a.pos {
			a.relabel(in + "bit widths " + list(len(widths), func(i int) string { return strconv.Itoa(int(widths[i])) }))
		}
		for m := 0; m < len(widths) && uint64(len(values)) < total; m++ {
			width := int(widths[m])
			if width > 64 {
				return nil, a.fail(in + "a bit width of " + strconv.Itoa(width))
			}
			from := a.pos
			body, ok := a.consume(int64(perMini)/8*int64(width), in+"miniblock "+strconv.Itoa(m))
			if !ok {
				return nil, false
			}
			start := len(values)
			for i := 0; i < perMini && uint64(len(values)) < total; i++ {
				values = append(values, values[len(values)-1]+unzigzag(minDelta)+int64(packedLSB(body, i, width)))
			}
			if from < a.pos {
				a.detail(": " + list(len(values)-start, func(i int) string { return show(values[start+i]) }))
			}
		}
	}
	return values, true
}
