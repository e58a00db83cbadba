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

// insert sets the bits of hash in block.
func insert(block []byte, hash uint64) {
	salts := [8]uint32{salt0, salt1, salt2, salt3, salt4, salt5, salt6, salt7}
	for i, salt := range salts {
		word := block[4*i : 4*i+4]
		bit := uint32(hash) * salt >> 27
		binary.LittleEndian.PutUint32(word, binary.LittleEndian.Uint32(word)|1<<bit)
	}
}

// Filter is a filter's bit set: its blocks one after the other, as in a file. It is
// safe for concurrent use while nothing is inserted.
type Filter []byte

// New returns an empty filter of at least one block. The format limits a filter to
// less than 2^31 bytes.
func New(blocks uint32) Filter { return make(Filter, int(max(blocks, 1))*BlockSize) }

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

// Insert adds a hash.
func (f Filter) Insert(hash uint64) {
	at := int(BlockIndex(hash, f.Blocks())) * BlockSize
	insert(f[at:at+BlockSize], hash)
}

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
