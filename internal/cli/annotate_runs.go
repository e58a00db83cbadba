package cli

import (
	"math/bits"
	"strconv"

	"github.com/winnow-scan/winnow/internal/cli/table"
)

// levels accounts for the repetition or definition levels of n slots, and
// returns how many of them are at the maximum.
func (a *annotator) levels(what string, maxLevel, n int) (full int64) {
	return a.runs(what, bits.Len(uint(maxLevel)), n, uint64(maxLevel))
}

// runs accounts for n numbers in RLE / bit-packed hybrid, and returns how many
// of them are wanted ones.
//
//	20 05          header 16<<1: 16 times the value 5
//	03 88 c6 fa    header 1<<1 | 1: 8 values of 3 bits each
func (a *annotator) runs(what string, width, n int, wanted uint64) (found int64) {
	size := int64(width+7) / 8
	for done := int64(0); done < int64(n) && a.fault == ""; {
		from := a.at
		head, length := readUvarint(a.data[a.at:])
		count := int64(head >> 1)
		packedRun := head&1 == 1
		if packedRun {
			count *= 8
		}
		switch {
		case length == 0:
			a.fail(what + ": a run's header that does not end")
			return found
		case count == 0 || head > 1<<33:
			a.fail(what + ": a run of length " + strconv.FormatUint(head>>1, 10))
			return found
		}
		a.at += length
		if !packedRun {
			if int64(a.left()) < size {
				a.at = from
				a.fail(what + ": a run without its value")
				return found
			}
			a.at += int(size)
			v := littleEndian(a.data[a.at-int(size) : a.at])
			a.note(from, what+": "+strconv.FormatInt(count, 10)+" × "+strconv.FormatUint(v, 10))
			if v == wanted {
				found += min(count, int64(n)-done)
			}
			done += count
			continue
		}
		a.note(from, what+": "+strconv.FormatInt(count, 10)+" packed in "+table.Plural(int64(width), "bit"))
		// The last group may lack the bytes that hold no value.
		used := min(count, int64(n)-done)
		bytes := min(count/8*int64(width), int64(a.left()))
		if (used*int64(width)+7)/8 > bytes {
			a.fail(what + ": packed values end early")
			return found
		}
		body, _ := a.take(bytes, what+": packed")
		if bytes > 0 {
			a.spans[len(a.spans)-1].what = what + ": " + few(int(used), func(i int) string {
				return strconv.FormatUint(packed(body, i, width), 10)
			})
		}
		for i := range int(used) {
			if packed(body, i, width) == wanted {
				found++
			}
		}
		done += count
	}
	return found
}

// bitPacked is levels in the old BIT_PACKED encoding, whose numbers start at
// the highest bit unless lsb says that the writer got it wrong.
func (a *annotator) bitPacked(what string, maxLevel, n int, lsb bool) (full int64) {
	width := bits.Len(uint(maxLevel))
	from := a.at
	body, ok := a.take((int64(n)*int64(width)+7)/8, what)
	if !ok || from == a.at {
		return 0
	}
	order, read := "MSB", packedMSB
	if lsb {
		order, read = "LSB", packed
	}
	a.spans[len(a.spans)-1].what = what + ": packed in " + table.Plural(int64(width), "bit") + ", " + order + " first: " +
		few(n, func(i int) string { return strconv.FormatUint(read(body, i, width), 10) })
	for i := range n {
		switch v := read(body, i, width); {
		case v == uint64(maxLevel):
			full++
		case v > uint64(maxLevel):
			a.fail(what + ": a level of " + strconv.FormatUint(v, 10))
		}
	}
	return full
}

// delta accounts for DELTA_BINARY_PACKED numbers and returns them up to most,
// which bounds the memory: a few bytes can stand for many equal deltas.
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
	each := int(block / minis)
	for b := 0; uint64(len(values)) < total; b++ {
		in := what + ": block " + strconv.Itoa(b) + ", "
		least, ok := a.uvarint(func(v uint64) string { return in + "min delta " + strconv.FormatInt(unzigzag(v), 10) })
		if !ok {
			return nil, false
		}
		from := a.at
		widths, ok := a.take(int64(minis), in+"bit widths")
		if !ok {
			return nil, false
		}
		if from < a.at {
			a.spans[len(a.spans)-1].what = in + "bit widths " + few(len(widths), func(i int) string { return strconv.Itoa(int(widths[i])) })
		}
		for m := 0; m < len(widths) && uint64(len(values)) < total; m++ {
			width := int(widths[m])
			if width > 64 {
				return nil, a.fail(in + "a bit width of " + strconv.Itoa(width))
			}
			from := a.at
			body, ok := a.take(int64(each)/8*int64(width), in+"miniblock "+strconv.Itoa(m))
			if !ok {
				return nil, false
			}
			start := len(values)
			for i := 0; i < each && uint64(len(values)) < total; i++ {
				values = append(values, values[len(values)-1]+unzigzag(least)+int64(packed(body, i, width)))
			}
			if from < a.at {
				a.spans[len(a.spans)-1].what += ": " + few(len(values)-start, func(i int) string { return show(values[start+i]) })
			}
		}
	}
	return values, true
}
