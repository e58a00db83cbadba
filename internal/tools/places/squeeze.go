package places

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Squeezer is for bits that are not rare: it stores those values of registers, one behind
// the other, whose bits are set.
type Squeezer struct {
	Size int           // of a value: 4 or 8 bytes
	Bits reg.GPVirtual // 64 of them, which are used up

	mask, part reg.OpmaskVirtual
}

// NewSqueezer returns one for values of a size.
func NewSqueezer(size int) Squeezer { return Squeezer{size, GP64(), K(), K()} }

// Begin takes up the Bits.
func (s *Squeezer) Begin() { KMOVQ(s.Bits, s.mask) }

// Store stores the wanted values of v, register number k of Size, and moves to behind
// them. It spoils what is left of 64 bytes there, and v.
func (s *Squeezer) Store(k int, v reg.VecVirtual, to reg.GPVirtual) {
	each, mask, count := uint64(64/s.Size), s.mask, GP64()
	if k > 0 {
		mask = s.part
		KSHIFTRQ(Imm(uint64(k)*each), s.mask, mask)
	}
	if s.Size == 4 {
		MOVWLZX(s.Bits.As16(), count.As32())
		VPCOMPRESSD_Z(v, mask, v)
	} else {
		MOVBLZX(s.Bits.As8(), count.As32())
		VPCOMPRESSQ_Z(v, mask, v)
	}
	VMOVDQU64(v, Mem{Base: to})
	POPCNTL(count.As32(), count.As32())
	LEAQ(Mem{Base: to, Index: count, Scale: uint8(s.Size)}, to)
	if k < s.Size-1 {
		SHRQ(Imm(each), s.Bits)
	}
}
