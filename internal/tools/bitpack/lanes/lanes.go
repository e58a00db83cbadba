package lanes

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

// A Table is a variable with one entry per width.
type Table struct {
	stride int
	mem    Mem
}

// At loads the address of width's entry.
func (t Table) At(width reg.GPVirtual) reg.GPVirtual {
	p, offset := GP64(), GP64()
	LEAQ(t.mem, p)
	IMUL3Q(Imm(uint64(t.stride)), width, offset)
	ADDQ(offset, p)
	return p
}

// LoadHalves loads 16 bytes at p to the low half and 16 bytes at q to the high.
func LoadHalves(p, q Mem, to reg.VecVirtual) {
	VMOVDQU(p, to.AsX())
	VINSERTI128(Imm(1), q, to, to)
}

// WidthMask returns a register whose lanes have the lowest width bits set.
func WidthMask(width reg.GPVirtual, laneBits int) reg.VecVirtual {
	ones, count, mask := YMM(), XMM(), YMM()
	shift := GP64()
	MOVQ(U32(laneBits), shift)
	SUBQ(width, shift)
	VMOVQ(shift, count)
	VPCMPEQD(ones, ones, ones)
	if laneBits == 64 {
		VPSRLQ(count, ones, mask)
	} else {
		VPSRLD(count, ones, mask)
	}
	return mask
}

// By width, shuffles and shifts for eight lanes of 32 and of 64 bits: variables that each package with kernels has, as
// bitpack.Lanes32 and bitpack.Lanes64 make them; and bitpack's own for 16 lanes of 16 bits.
var (
	Table32 = Table{64, frame.Variable("table32")}
	Table64 = Table{128, frame.Variable("table64")}
	Table8  = Table{48, frame.Variable("table8")}
)

// Unpacker is the state of a loop over 8 values at a time.
type Unpacker struct {
	shuffle, shift, mask reg.VecVirtual
	v                    reg.VecVirtual // avo takes a register loaded by halves for one that lives on, so there is but one
	width, half          reg.GPVirtual
}

func NewUnpacker(width reg.GPVirtual) Unpacker {
	u := Unpacker{shuffle: YMM(), shift: YMM(), v: YMM(), width: width, half: GP64()}
	t := Table32.At(width)
	VMOVDQU(Mem{Base: t}, u.shuffle)
	VMOVDQU(Mem{Base: t, Disp: 32}, u.shift)
	u.mask = WidthMask(width, 32)
	MOVQ(width, u.half)
	SHRQ(Imm(1), u.half)
	return u
}

// Next unpacks 8 values at s and moves s behind them.
func (u Unpacker) Next(s reg.GPVirtual) reg.VecVirtual {
	v := u.v
	LoadHalves(Mem{Base: s}, Mem{Base: s, Index: u.half, Scale: 1}, v)
	ADDQ(u.width, s)
	VPSHUFB(u.shuffle, v, v)
	VPSRLVD(u.shift, v, v)
	VPAND(u.mask, v, v)
	return v
}

// Max returns the instruction for the larger of numbers of size bytes.
func Max(size int) func(...Op) {
	return map[int]func(...Op){1: VPMAXUB, 2: VPMAXUW, 4: VPMAXUD}[size]
}

// Greatest folds v in halves down to one lane of size bytes, and returns that.
func Greatest(v reg.VecVirtual, size int) reg.GPVirtual {
	x, h := v.AsX(), XMM()
	VEXTRACTI128(Imm(1), v, h)
	Max(size)(h, x, x)
	for shift := 8; shift >= size; shift /= 2 {
		VPSRLDQ(Imm(uint64(shift)), x, h)
		Max(size)(h, x, x)
	}
	r := GP32()
	VMOVD(x, r)
	switch size {
	case 1:
		MOVBLZX(r.As8(), r)
	case 2:
		MOVWLZX(r.As16(), r)
	}
	return r
}
