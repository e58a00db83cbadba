package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

// pick picks in two steps, each of which goes over all positions. Vectors make of 8
// positions the bytes where their values begin, which are in dst meanwhile. Then four bytes from each
// go into a register, where they are shifted and masked. Two places come with one load, for loads are
// what there is least of.
func pick() {
	frame.Kernel("pick32AVX2", "func(dst *uint32, src *byte, positions *uint32, n, width, first int, inverse uint64, gap int)",
		"unpacks n >= 8 values of 1 to 25 bits, number first+positions[k] to dst[k]. Value v lies v*inverse>>32 times "+
			"gap bytes farther on. None begins at bit 1<<32 or behind. It reads 4 bytes from where each begins.")
	splat := func(r reg.GPVirtual) reg.VecVirtual {
		v := YMM()
		VMOVD(r.As32(), v.AsX())
		VPBROADCASTD(v.AsX(), v)
		return v
	}
	dst, src, positions, n := frame.Parameter("dst"), frame.Parameter("src"), frame.Parameter("positions"), frame.Parameter("n")
	wide, begin := frame.Parameter("width"), frame.Parameter("first")
	width, first := splat(wide), splat(begin)
	inverse, gap := splat(frame.Parameter("inverse")), splat(frame.Parameter("gap"))
	ones, count, mask, seven, shift := YMM(), XMM(), YMM(), YMM(), GP64()
	VPCMPEQD(ones, ones, ones)
	VPSRLD(Imm(29), ones, seven)
	MOVQ(U32(32), shift)
	SUBQ(wide, shift)
	VMOVQ(shift, count)
	VPSRLD(count, ones, mask)
	at := func(base, i reg.Register) Mem { return Mem{Base: base, Index: i, Scale: 4} }
	numbers := func(i reg.Register) reg.VecVirtual {
		v := YMM()
		VPADDD(at(positions, i), first, v)
		return v
	}
	begins := func(i reg.Register) reg.VecVirtual {
		v, from := numbers(i), YMM()
		VPMULLD(width, v, from)
		VPSRLD(Imm(3), from, from)
		odd, even := YMM(), YMM()
		VPSRLQ(Imm(32), v, odd)
		VPMULUDQ(inverse, v, even)
		VPMULUDQ(inverse, odd, odd)
		VPSRLQ(Imm(32), even, even)
		VPBLENDD(Imm(0xaa), odd, even, even)
		VPMULLD(gap, even, even)
		VPADDD(even, from, from)
		return from
	}
	values := func(i reg.Register) reg.VecVirtual {
		shifts := numbers(i)
		VPMULLD(width, shifts, shifts)
		VPAND(seven, shifts, shifts)
		v, upper := eightAt(src, func(k int) Mem { return at(dst, i).Offset(4 * k) })
		VINSERTI128(Imm(1), upper, v, v)
		VPSRLVD(shifts, v, v)
		VPAND(mask, v, v)
		return v
	}
	// The last eight are done first: some may come up with those before.
	i, last := GP64(), GP64()
	LEAQ(Mem{Base: n, Disp: -8}, last)
	for _, step := range []struct {
		name string
		make func(i reg.Register) reg.VecVirtual
	}{{"begins", begins}, {"values", values}} {
		final := step.make(last)
		XORL(i.As32(), i.As32())
		JMP(LabelRef(step.name + "End"))
		Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []Op{Imm(64)}}) // else it may take a fifth longer
		Label(step.name)
		VMOVDQU(step.make(i), at(dst, i))
		ADDQ(Imm(8), i)
		Label(step.name + "End")
		CMPQ(i, last)
		JLT(LabelRef(step.name))
		VMOVDQU(final, at(dst, last))
	}
	VZEROUPPER()
	RET()
}

// eightAt loads four bytes each from where a list of 8 says, two of it at a time, into the lower half of v and
// into upper.
func eightAt(src reg.Register, list func(k int) Mem) (v, upper reg.VecVirtual) {
	four := [2]reg.VecVirtual{YMM(), XMM()}
	for k := 0; k < 8; k += 2 {
		low, both, x := GP64(), GP64(), four[k/4].AsX()
		MOVQ(list(k), both)
		MOVL(both.As32(), low.As32())
		SHRQ(Imm(32), both)
		if k%4 == 0 {
			VMOVD(Mem{Base: src, Index: low, Scale: 1}, x)
		} else {
			VPINSRD(Imm(2), Mem{Base: src, Index: low, Scale: 1}, x, x)
		}
		VPINSRD(Imm(uint64(k%4+1)), Mem{Base: src, Index: both, Scale: 1}, x, x)
	}
	return four[0], four[1]
}
