package bloom

import "encoding/binary"

// New returns an empty filter of at least one block. The format limits a filter to
// less than 2^31 bytes.
func New(blocks uint32) Filter { return make(Filter, int(max(blocks, 1))*BlockSize) }

// Insert adds a hash.
func (f Filter) Insert(hash uint64) {
	at := int(BlockIndex(hash, f.Blocks())) * BlockSize
	insert(f[at:at+BlockSize], hash)
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
