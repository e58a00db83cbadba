package arrowscan

import (
	"encoding/binary"
	"math"

	"github.com/apache/arrow-go/v18/arrow"

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
		return c.assemble(k, v, nil, values), nil
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

// momentData makes timestamps of values of 12 bytes.
func momentData(perSecond int64) converter {
	return func(c *column, k *conversion, v *vector.Vector) (arrow.ArrayData, error) {
		values := k.allocate(8 * v.Len)
		to := sliceOf[int64](values.Bytes())
		bad := false
		for i := range to {
			if v.IsNull(i) {
				to[i] = 0
				continue
			}
			days, nanos := v.Type.SplitMoment(v.Fixed[12*i : 12*i+12])
			t, ok := moment(days, nanos, perSecond)
			to[i] = t
			bad = bad || !ok
		}
		if bad {
			values.Release()
			return nil, c.errorf("a timestamp of 12 bytes is out of the range of %s; choose a coarser unit", c.storage)
		}
		return c.assemble(k, v, nil, values), nil
	}
}

// moment returns a time of a day, in nanoseconds, in units of which there are perSecond in a second, rounded
// down, and whether that fits.
func moment(days, nanos, perSecond int64) (t int64, ok bool) {
	const daySeconds = 86400
	perDay, part := daySeconds*perSecond, nanos/(1e9/perSecond)
	if days < 0 { // from the day's end, which fits where the start of 1677-09-21 does not
		days, part = days+1, part-perDay
	}
	if most := math.MaxInt64 / perDay; days > most || days < -most {
		return 0, false
	}
	t = days*perDay + part
	return t, (t < 0) == (days < 0 || part < 0)
}
