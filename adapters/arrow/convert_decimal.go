package arrowscan

import (
	"encoding/binary"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/winnow-scan/winnow/column/vector"
)

// decimalData makes decimals of width bytes, 16 or 32, in the machine's byte order, from
// integers and from big-endian bytes of any length.
//
//	file       ff fe                  two bytes, most significant first: -2
//	Arrow      fe ff ff ff … ff       width bytes, least significant first
func decimalData(width int) converter {
	return func(c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
		values := k.allocate(v.Len * width)
		words := sliceOf[uint64](values.Bytes())
		n := width / 8 // words a value
		ok := true
		switch v.Type.Store() {
		case vector.InInt32s:
			extend(words, v.Int32s[:v.Len], n)
		case vector.InInt64s:
			extend(words, v.Int64s[:v.Len], n)
		case vector.InFixed:
			w := v.Type.Width()
			for i := range v.Len {
				ok = decimalWords(words[i*n:(i+1)*n], v.Fixed[i*w:(i+1)*w]) && ok
			}
		case vector.InViews:
			for i := range v.Len {
				ok = decimalWords(words[i*n:(i+1)*n], v.Views[i].Bytes(v.Buffers)) && ok
			}
		}
		if !ok {
			values.Release()
			return nil, c.errorf("a decimal does not fit into %d bytes", width)
		}
		return c.assemble(v, []*memory.Buffer{k.bitmap(v.Validity, v.Len), values}, nil), nil
	}
}

// extend sets n words for each value: the value and copies of its sign.
func extend[T int32 | int64](words []uint64, from []T, n int) {
	if n == 2 && littleEndian {
		words = words[:2*len(from)]
		for i, x := range from {
			words[2*i], words[2*i+1] = uint64(int64(x)), uint64(int64(x)>>63)
		}
		return
	}
	for i, x := range from {
		setWord(words[i*n:(i+1)*n], 0, uint64(int64(x)))
		for j := 1; j < n; j++ {
			setWord(words[i*n:(i+1)*n], j, uint64(int64(x)>>63))
		}
	}
}

// setWord sets the word of value that counts 2 to the power of 64 i.
func setWord(value []uint64, i int, w uint64) {
	if littleEndian {
		value[i] = w
	} else {
		value[len(value)-1-i] = w
	}
}

// decimalWords sets value to the big-endian two's complement number b, and reports whether
// it fits.
func decimalWords(value []uint64, b []byte) bool {
	if len(b) == 0 {
		clear(value)
		return true
	}
	sign := uint64(int64(int8(b[0])) >> 63)
	i := 0
	for ; len(b) >= 8 && i < len(value); i++ {
		setWord(value, i, binary.BigEndian.Uint64(b[len(b)-8:]))
		b = b[:len(b)-8]
	}
	if i == len(value) {
		// What is left may only repeat the sign.
		for _, x := range b {
			if x != byte(sign) {
				return false
			}
		}
		top := value[len(value)-1]
		if !littleEndian {
			top = value[0]
		}
		return uint64(int64(top)>>63) == sign
	}
	w := sign
	for _, x := range b {
		w = w<<8 | uint64(x)
	}
	if len(b) > 0 {
		setWord(value, i, w)
		i++
	}
	for ; i < len(value); i++ {
		setWord(value, i, sign)
	}
	return true
}

// julianEpoch is the Julian day of 1970-01-01.
const julianEpoch = 2440588

// int96Data makes timestamps of INT96 values: nanoseconds of the day, then the Julian day.
func int96Data(perSecond int64) converter {
	const daySeconds = 86400
	return func(c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
		values := k.allocate(8 * v.Len)
		to := sliceOf[int64](values.Bytes())
		bad := false
		for i := range to {
			value := v.Fixed[12*i : 12*i+12]
			nanos := int64(binary.LittleEndian.Uint64(value))
			day := int64(int32(binary.LittleEndian.Uint32(value[8:]))) - julianEpoch
			if v.IsNull(i) {
				to[i] = 0
				continue
			}
			t, ok := scaled(day*daySeconds, nanos, perSecond)
			to[i] = t
			bad = bad || !ok
		}
		if bad {
			values.Release()
			return nil, c.errorf("an INT96 timestamp is out of the range of %s; choose a coarser unit", c.storage)
		}
		return c.assemble(v, []*memory.Buffer{k.bitmap(v.Validity, v.Len), values}, nil), nil
	}
}

// scaled returns seconds plus nanos in units of which there are perSecond in a second, rounded
// down, and whether that fits.
func scaled(seconds, nanos, perSecond int64) (t int64, ok bool) {
	unit := 1e9 / perSecond
	part := nanos / unit
	if nanos%unit < 0 {
		part--
	}
	hi, lo := bits.Mul64(uint64(max(seconds, -seconds)), uint64(perSecond))
	if hi != 0 || lo > 1<<63-1 {
		// 1677-09-21 and its like: the sum may fit where the day's start does not.
		return scaledAcross(seconds, part, perSecond)
	}
	whole := int64(lo)
	if seconds < 0 {
		whole = -whole
	}
	t = whole + part
	return t, (t < whole) == (part < 0)
}

// scaledAcross is scaled for a day that begins before the smallest timestamp and may end
// after it.
func scaledAcross(seconds, part, perSecond int64) (t int64, ok bool) {
	if seconds >= 0 {
		return 0, false
	}
	const day = 86400
	hi, lo := bits.Mul64(uint64(-(seconds + day)), uint64(perSecond))
	if hi != 0 || lo > 1<<63-1 {
		return 0, false
	}
	next, back := -int64(lo), part-day*perSecond // the next day's start, and the way back from there
	t = next + back
	return t, (t < next) == (back < 0)
}
