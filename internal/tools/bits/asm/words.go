package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// shift moves four words at a time, the last four for a second time if they are no four
// of their own.
func shift() {
	TEXT("shiftAVX2", NOSPLIT, "func(dst, src *uint64, words, by int)")
	Pragma("noescape")
	Doc("shiftAVX2 sets words >= 4 words of dst to the bits of src, of words+1, from bit by on, 0 < by < 64.")
	dst, src, n, by := GP64(), GP64(), GP64(), GP64()
	Load(Param("dst"), dst)
	Load(Param("src"), src)
	Load(Param("words"), n)
	Load(Param("by"), by)
	down, up, at := YMM(), YMM(), GP64()
	VMOVQ(by, down.AsX())
	VPBROADCASTQ(down.AsX(), down)
	NEGQ(by)
	ADDQ(Imm(64), by)
	VMOVQ(by, up.AsX())
	VPBROADCASTQ(up.AsX(), up)
	four := func() {
		low, high := YMM(), YMM()
		from := func(word int) Mem { return Mem{Base: src, Index: at, Scale: 8, Disp: 8 * word} }
		VMOVDQU(from(0), low)
		VMOVDQU(from(1), high)
		VPSRLVQ(down, low, low)
		VPSLLVQ(up, high, high)
		VPOR(low, high, low)
		VMOVDQU(low, Mem{Base: dst, Index: at, Scale: 8})
	}
	XORL(at.As32(), at.As32())
	SUBQ(Imm(4), n)
	JE(LabelRef("last"))
	Label("loop")
	four()
	ADDQ(Imm(4), at)
	CMPQ(at, n)
	JB(LabelRef("loop"))
	Label("last")
	MOVQ(n, at)
	four()
	VZEROUPPER()
	RET()
}
