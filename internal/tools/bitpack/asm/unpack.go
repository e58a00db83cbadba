package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/bitpack/lanes"
	"github.com/winnow-scan/winnow/internal/tools/frame"
)

func unpackArgs() (dst, src, groups, width reg.GPVirtual) {
	return frame.Parameter("dst"), frame.Parameter("src"), frame.Parameter("groups"), frame.Parameter("width")
}

func unpack32() {
	frame.Kernel("unpack32AVX2", "func(dst *uint32, src *byte, groups, width, runs, gap int)",
		"unpacks groups*8 values, groups > 0, of each of runs > 0, which have gap bytes in between. "+
			"It reads 16 bytes behind the last.")
	d, s, _, w := unpackArgs()

	u := lanes.NewUnpacker(w)
	runs, gap := frame.Parameter("runs"), frame.Parameter("gap")
	Label("run")
	n := frame.Parameter("groups")
	SUBQ(Imm(4), n)
	JL(LabelRef("rest"))
	Label("loop")
	for i := range 4 {
		v := u.Next(s)
		VMOVDQU(v, Mem{Base: d, Disp: 32 * i})
	}
	ADDQ(Imm(128), d)
	SUBQ(Imm(4), n)
	JGE(LabelRef("loop"))
	Label("rest")
	ADDQ(Imm(4), n)
	JZ(LabelRef("done"))
	Label("group")
	VMOVDQU(u.Next(s), Mem{Base: d})
	ADDQ(Imm(32), d)
	DECQ(n)
	JNZ(LabelRef("group"))
	Label("done")
	ADDQ(gap, s)
	DECQ(runs)
	JNZ(LabelRef("run"))
	VZEROUPPER()
	RET()
}

// unpack64 unpacks pairs of values from 16 bytes each.
func unpack64() {
	frame.Kernel("unpack64AVX2", "func(dst *uint64, src *byte, groups, width int)",
		"unpacks groups*8 values, groups > 0, of at most 58, or of 60, bits. It reads 16 bytes behind them.")
	d, s, n, w := unpackArgs()

	t := lanes.Table64.At(w)
	shuffle, shift := [2]reg.VecVirtual{YMM(), YMM()}, [2]reg.VecVirtual{YMM(), YMM()}
	for i := range 2 {
		VMOVDQU(Mem{Base: t, Disp: 32 * i}, shuffle[i])
		VMOVDQU(Mem{Base: t, Disp: 64 + 32*i}, shift[i])
	}
	mask := lanes.WidthMask(w, 64)
	half := GP64()
	MOVQ(w, half)
	SHRQ(Imm(1), half)
	// The pairs of values start in the bytes 0, w/4, w/2 and 3w/4.
	quarter, most := GP64(), GP64()
	MOVQ(w, quarter)
	SHRQ(Imm(2), quarter)
	LEAQ(Mem{Base: w, Index: w, Scale: 2}, most)
	SHRQ(Imm(2), most)

	low, high := YMM(), YMM()
	group := func(disp int) {
		lanes.LoadHalves(Mem{Base: s}, Mem{Base: s, Index: quarter, Scale: 1}, low)
		lanes.LoadHalves(Mem{Base: s, Index: half, Scale: 1}, Mem{Base: s, Index: most, Scale: 1}, high)
		ADDQ(w, s)
		for i, v := range []reg.VecVirtual{low, high} {
			VPSHUFB(shuffle[i], v, v)
			VPSRLVQ(shift[i], v, v)
			VPAND(mask, v, v)
			VMOVDQU(v, Mem{Base: d, Disp: disp + 32*i})
		}
	}
	SUBQ(Imm(4), n)
	JL(LabelRef("rest"))
	Label("loop")
	for i := range 4 {
		group(64 * i)
	}
	ADDQ(U32(256), d)
	SUBQ(Imm(4), n)
	JGE(LabelRef("loop"))
	Label("rest")
	ADDQ(Imm(4), n)
	JZ(LabelRef("done"))
	Label("group")
	group(0)
	ADDQ(Imm(64), d)
	DECQ(n)
	JNZ(LabelRef("group"))
	Label("done")
	VZEROUPPER()
	RET()
}

// unpacker8 is the state of a loop over 32 values of at most 8 bits at a time.
type unpacker8 struct {
	first, second, factor reg.VecVirtual // shuffles of values 0-7 and 8-15 of each half
	down                  reg.VecVirtual // count of the shift that ends it
	v                     reg.VecVirtual // as in lanes.Unpacker
	double, stride        reg.GPVirtual  // bytes of 16 and of 32 values
}

func load8(width reg.GPVirtual) unpacker8 {
	u := unpacker8{YMM(), YMM(), YMM(), XMM(), YMM(), GP64(), GP64()}
	t := lanes.Table8.At(width)
	VBROADCASTI128(Mem{Base: t}, u.first)
	VBROADCASTI128(Mem{Base: t, Disp: 16}, u.second)
	VBROADCASTI128(Mem{Base: t, Disp: 32}, u.factor)
	shift := GP64()
	MOVQ(U32(16), shift)
	SUBQ(width, shift)
	VMOVQ(shift, u.down)
	MOVQ(width, u.double)
	SHLQ(Imm(1), u.double)
	MOVQ(width, u.stride)
	SHLQ(Imm(2), u.stride)
	return u
}

// next unpacks 32 values at s and moves s behind them.
func (u unpacker8) next(s reg.GPVirtual) reg.VecVirtual {
	v, a, b := u.v, YMM(), YMM()
	lanes.LoadHalves(Mem{Base: s}, Mem{Base: s, Index: u.double, Scale: 1}, v)
	ADDQ(u.stride, s)
	VPSHUFB(u.first, v, a)
	VPSHUFB(u.second, v, b)
	VPMULLW(u.factor, a, a)
	VPMULLW(u.factor, b, b)
	VPSRLW(u.down, a, a)
	VPSRLW(u.down, b, b)
	VPACKUSWB(b, a, a)
	return a
}

func unpack8() {
	frame.Kernel("unpack8AVX2", "func(dst *uint8, src *byte, groups, width int)",
		"unpacks groups*8 values, groups > 0 and a multiple of 4, of at most 8 bits. It reads 16 bytes behind them.")
	d, s, n, w := unpackArgs()
	u := load8(w)
	Label("loop")
	VMOVDQU(u.next(s), Mem{Base: d})
	ADDQ(Imm(32), d)
	SUBQ(Imm(4), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
