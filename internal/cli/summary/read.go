package summary

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// read appends the values in slots [from, to) of a flat or a constant vector to b, those with a
// bit in valid, whose first bit is for the slot from.
func (c *Column) read(b *block, v *vector.Vector, valid []uint64, from, to int) {
	switch {
	case c.kind == booleans:
		for i := from; i < to; i++ {
			if valid == nil || bits.Get(valid, i-from) {
				key := int64(0)
				if bits.Get(v.Bools, i) {
					key = 1
				}
				b.keys = append(b.keys, key)
			}
		}
	case c.kind == float32s:
		b.numbers = appendValid(b.numbers, v.Floats[from:to], valid)
		c.keysOfFloats(b)
	case c.kind == float64s:
		b.numbers = appendValid(b.numbers, v.Doubles[from:to], valid)
		c.keysOfFloats(b)
	case c.kind == float16s:
		for i := from; i < to; i++ {
			if valid == nil || bits.Get(valid, i-from) {
				b.numbers = append(b.numbers, float64(vector.HalfToFloat(binary.LittleEndian.Uint16(v.Bytes(i)))))
			}
		}
		c.keysOfFloats(b)
	case c.Type.Physical == vector.Int32:
		b.keys = appendValid(b.keys, v.Int32s[from:to], valid)
		c.normalise32(b.keys)
		c.numbersOfKeys(b)
	case c.Type.Physical == vector.Int64:
		b.keys = appendValid(b.keys, v.Int64s[from:to], valid)
		if c.kind == unsigned {
			for i := range b.keys {
				b.keys[i] ^= sign
			}
		}
		c.numbersOfKeys(b)
	default:
		c.readBytes(b, v, valid, from, to)
	}
}

func (c *Column) readBytes(b *block, v *vector.Vector, valid []uint64, from, to int) {
	for i := from; i < to; i++ {
		if valid != nil && !bits.Get(valid, i-from) {
			continue
		}
		value := v.Bytes(i)
		switch c.kind {
		case decimals:
			if c.Type.Physical == vector.ByteArray {
				value = bits.Significant(value)
			}
			b.numbers = append(b.numbers, c.kind.number(value))
		case int96s:
			b.numbers = append(b.numbers, c.kind.number(value))
		}
		b.bytes = append(b.bytes, value)
	}
}

// normalise32 makes keys of values that are stored as INT32. Some writers store
// integers of 8 and 16 bits without sign extension: their high bits mean nothing.
func (c *Column) normalise32(keys []int64) {
	unused := 0
	if c.Type.Logical == vector.Integer && c.Type.Bits < 32 {
		unused = 32 - int(c.Type.Bits)
	}
	switch {
	case c.kind == unsigned:
		for i, key := range keys {
			keys[i] = int64(uint32(key)<<unused>>unused) ^ sign
		}
	case unused > 0:
		for i, key := range keys {
			keys[i] = int64(int32(key) << unused >> unused)
		}
	}
}

// numbersOfKeys appends the numbers that keys stand for.
func (c *Column) numbersOfKeys(b *block) {
	if c.kind == unsigned {
		for _, key := range b.keys {
			b.numbers = append(b.numbers, float64(uint64(key)^1<<63))
		}
		return
	}
	for _, key := range b.keys {
		b.numbers = append(b.numbers, float64(key))
	}
}

// numberOf returns the number that a key stands for.
func (c *Column) numberOf(key int64) float64 {
	switch c.kind {
	case float16s, float32s, float64s:
		return keyFloat(key)
	case unsigned:
		return float64(uint64(key) ^ 1<<63)
	}
	return float64(key)
}

// keysOfFloats appends the keys of numbers. It takes NaNs out, and counts them.
func (c *Column) keysOfFloats(b *block) {
	n := 0
	for i, x := range b.numbers {
		weight := b.weight(i)
		if x != x {
			c.NaNs += weight
			continue
		}
		b.keys = append(b.keys, floatKey(x))
		b.numbers[n] = x
		if b.weights != nil {
			b.weights[n] = weight
		}
		n++
	}
	b.numbers = b.numbers[:n]
	if b.weights != nil {
		b.weights = b.weights[:n]
	}
}

// appendValid appends the values that have a bit in valid, all if it is nil.
func appendValid[To int64 | float64, T int32 | int64 | float32 | float64](dst []To, src []T, valid []uint64) []To {
	for i, x := range src {
		if valid == nil || valid[i>>6]>>(uint(i)&63)&1 != 0 {
			dst = append(dst, To(x))
		}
	}
	return dst
}
