package bloom

import (
	"encoding/binary"
	"math/bits"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// BlockSize is the number of bytes in a block.
const BlockSize = 32

// The odd multipliers of the format, one for each word of a block.
const (
	salt0 = 0x47b6137b
	salt1 = 0x44974d91
	salt2 = 0x8824ad5b
	salt3 = 0xa2b7289d
	salt4 = 0x705495c7
	salt5 = 0x2df1424b
	salt6 = 0x9efc4947
	salt7 = 0x5c6bfb31
)

// Hash returns the hash of a value's PLAIN encoding without a length prefix:
// XXH64 with seed 0.
func Hash(plain []byte) uint64 { return xxhash.Sum64(plain) }

// BlockIndex returns the index of the block that holds hash, of a filter with the
// given number of blocks.
func BlockIndex(hash uint64, blocks uint32) uint32 {
	return uint32(hash >> 32 * uint64(blocks) >> 32)
}

// Contains reports whether a value with this hash may have been inserted into
// block, which must have at least BlockSize bytes. False is certain; true may be a
// false positive.
func Contains(block []byte, hash uint64) bool {
	b := block[:BlockSize:BlockSize]
	x := uint32(hash)
	// A bit is shifted down from each word; all of them must be set.
	all := binary.LittleEndian.Uint32(b[0:]) >> (x * salt0 >> 27)
	all &= binary.LittleEndian.Uint32(b[4:]) >> (x * salt1 >> 27)
	all &= binary.LittleEndian.Uint32(b[8:]) >> (x * salt2 >> 27)
	all &= binary.LittleEndian.Uint32(b[12:]) >> (x * salt3 >> 27)
	all &= binary.LittleEndian.Uint32(b[16:]) >> (x * salt4 >> 27)
	all &= binary.LittleEndian.Uint32(b[20:]) >> (x * salt5 >> 27)
	all &= binary.LittleEndian.Uint32(b[24:]) >> (x * salt6 >> 27)
	all &= binary.LittleEndian.Uint32(b[28:]) >> (x * salt7 >> 27)
	return all&1 != 0
}

// Filter is a filter's bit set: its blocks one after the other, as in a file. Safe
// for concurrent use.
type Filter []byte

// FromBytes returns a file's bit set as a Filter, which aliases it. It fails if the
// length is not a positive multiple of BlockSize.
func FromBytes(bitset []byte) (Filter, error) {
	if len(bitset) == 0 || len(bitset)%BlockSize != 0 {
		return nil, corrupt.At(0, "Bloom filter of ", len(bitset), " bytes, not a multiple of 32")
	}
	return Filter(bitset), nil
}

// Blocks returns the number of blocks.
func (f Filter) Blocks() uint32 { return uint32(len(f) / BlockSize) }

// Contains reports whether hash may have been inserted.
func (f Filter) Contains(hash uint64) bool {
	at := int(BlockIndex(hash, f.Blocks())) * BlockSize
	return Contains(f[at:at+BlockSize], hash)
}

// Fill returns the fraction of the filter's bits that are set. About 0.5 is full; at
// 1, Contains is true of everything.
func (f Filter) Fill() float64 {
	if len(f) == 0 {
		return 0
	}
	var set int
	for i := 0; i+8 <= len(f); i += 8 {
		set += bits.OnesCount64(binary.LittleEndian.Uint64(f[i:]))
	}
	return float64(set) / float64(len(f)*8)
}
