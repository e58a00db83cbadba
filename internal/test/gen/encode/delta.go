package encode

import (
	"encoding/binary"
	"math/bits"
)

// Delta is DELTA_BINARY_PACKED with its choices open. The zero value writes
// what common writers do: blocks of 128 values in 4 miniblocks.
type Delta struct {
	BlockSize  int // values a block; 0 means 128. The spec's examples use 8, which readers must refuse
	Miniblocks int // miniblocks a block; 0 means 4, or 1 for blocks of less than 128

	Padding       bool  // fill the last miniblock up with one bits, not zero bits
	UnneededWidth byte  // width byte of miniblocks that hold no value
	ExtraWidth    int   // bits more than each miniblock needs, as far as the type goes
	LowerMin      int64 // how far below the true minimum delta each block's lies
	Wide          bool  // INT32: deltas in 64-bit arithmetic, so that they may need 33 bits
	Count         int   // if not 0, total value count that the header claims
}

// Int64s appends values of an INT64 column.
func (d Delta) Int64s(dst []byte, v []int64) []byte { return d.append(dst, v, 64) }

// Int32s appends values of an INT32 column.
func (d Delta) Int32s(dst []byte, v []int32) []byte {
	wide := make([]int64, len(v))
	for i, x := range v {
		wide[i] = int64(x)
	}
	if d.Wide {
		return d.append(dst, wide, 64)
	}
	return d.append(dst, wide, 32)
}

// append encodes v with arithmetic that wraps around at typeBits.
func (d Delta) append(dst []byte, v []int64, typeBits int) []byte {
	block, minis := d.shape()
	count := len(v)
	if d.Count != 0 {
		count = d.Count
	}
	dst = binary.AppendUvarint(dst, uint64(block))
	dst = binary.AppendUvarint(dst, uint64(minis))
	dst = binary.AppendUvarint(dst, uint64(count))
	if len(v) == 0 {
		return binary.AppendVarint(dst, 0)
	}
	dst = binary.AppendVarint(dst, v[0])

	wrap := func(x int64) int64 { return x << (64 - typeBits) >> (64 - typeBits) }
	deltas := make([]int64, len(v)-1)
	for i := range deltas {
		deltas[i] = wrap(v[i+1] - v[i])
	}
	for len(deltas) > 0 {
		n := min(block, len(deltas))
		dst = d.block(dst, deltas[:n], block/minis, minis, typeBits)
		deltas = deltas[n:]
	}
	return dst
}

func (d Delta) shape() (block, minis int) {
	block, minis = d.BlockSize, d.Miniblocks
	if block == 0 {
		block = 128
	}
	if minis == 0 {
		minis = 4
		if block < 128 {
			minis = 1
		}
	}
	if block%minis != 0 || block/minis%8 != 0 {
		panic("encode: miniblocks do not fill bytes")
	}
	return block, minis
}

// block appends one block: minimum delta, widths, miniblocks of size values.
func (d Delta) block(dst []byte, deltas []int64, size, minis, typeBits int) []byte {
	wrap := func(x int64) int64 { return x << (64 - typeBits) >> (64 - typeBits) }
	least := deltas[0]
	for _, x := range deltas {
		least = min(least, x)
	}
	least = wrap(least - d.LowerMin)
	dst = binary.AppendVarint(dst, least)

	above := make([]uint64, len(deltas))
	for i, x := range deltas {
		above[i] = uint64(x-least) & (1<<(typeBits-1)<<1 - 1)
	}
	widths := len(dst)
	for range minis {
		dst = append(dst, d.UnneededWidth)
	}
	for m := 0; m*size < len(above); m++ {
		mini := above[m*size : min(len(above), (m+1)*size)]
		width := 0
		for _, x := range mini {
			width = max(width, bits.Len64(x))
		}
		width = min(width+d.ExtraWidth, typeBits)
		dst[widths+m] = byte(width)
		w := bitWriter{dst: dst}
		for _, x := range mini {
			w.lsb(x, width)
		}
		for range size - len(mini) {
			if d.Padding {
				w.lsb(1<<64-1, width)
			} else {
				w.lsb(0, width)
			}
		}
		dst = w.dst
	}
	return dst
}

// LengthByteArrays appends values in DELTA_LENGTH_BYTE_ARRAY: all lengths,
// then all bytes.
func (d Delta) LengthByteArrays(dst []byte, v [][]byte) []byte {
	lengths := make([]int32, len(v))
	for i, x := range v {
		lengths[i] = int32(len(x))
	}
	dst = d.Int32s(dst, lengths)
	for _, x := range v {
		dst = append(dst, x...)
	}
	return dst
}

// ByteArrays appends values in DELTA_BYTE_ARRAY (BYTE_ARRAY and
// FIXED_LEN_BYTE_ARRAY alike), each sharing as much as it can with the value before.
func (d Delta) ByteArrays(dst []byte, v [][]byte) []byte {
	prefixes := make([]int32, len(v))
	suffixes := make([][]byte, len(v))
	var last []byte
	for i, x := range v {
		n := 0
		for n < len(last) && n < len(x) && last[n] == x[n] {
			n++
		}
		prefixes[i], suffixes[i] = int32(n), x[n:]
		last = x
	}
	return d.PrefixedByteArrays(dst, prefixes, suffixes)
}

// PrefixedByteArrays appends DELTA_BYTE_ARRAY from chosen prefix lengths,
// which need not be right, and suffixes.
func (d Delta) PrefixedByteArrays(dst []byte, prefixes []int32, suffixes [][]byte) []byte {
	return d.LengthByteArrays(d.Int32s(dst, prefixes), suffixes)
}
