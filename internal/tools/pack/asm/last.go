package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

// last is for values of 4 or 8 bytes behind which there is nothing, or for which there is no more room than
// they take: it loads and stores by masks.
func last(size int) {
	frame.Kernel(fmt.Sprintf("last%dAVX512", size), "func(dst, src *byte, sel *uint64, n int) (kept int)",
		"packs n > 0 values, and touches no others.")
	dst, src, sel, n := frame.Parameter("dst"), frame.Parameter("src"), frame.Parameter("sel"), frame.Parameter("n")
	to, from, w, bits, count, ones := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(dst, to)
	MOVQ(I64(-1), ones)
	wanted, front, v := K(), K(), ZMM()
	Label("word")
	MOVQ(Mem{Base: sel}, w)
	CMPQ(n, Imm(64))
	JAE(LabelRef("whole"))
	BZHIQ(n, w, w)
	Label("whole")
	MOVQ(src, from)
	JMP(LabelRef("more"))
	Label("part")
	if size == 4 {
		MOVWLZX(w.As16(), bits.As32())
		KMOVW(bits.As32(), wanted)
		VMOVDQU32_Z(Mem{Base: from}, wanted, v)
		VPCOMPRESSD_Z(v, wanted, v)
	} else {
		MOVBLZX(w.As8(), bits.As32())
		KMOVB(bits.As32(), wanted)
		VMOVDQU64_Z(Mem{Base: from}, wanted, v)
		VPCOMPRESSQ_Z(v, wanted, v)
	}
	POPCNTQ(bits, count)
	BZHIQ(count, ones, bits)
	if size == 4 {
		KMOVW(bits.As32(), front)
		VMOVDQU32(v, front, Mem{Base: to})
	} else {
		KMOVB(bits.As32(), front)
		VMOVDQU64(v, front, Mem{Base: to})
	}
	LEAQ(Mem{Base: to, Index: count, Scale: uint8(size)}, to)
	ADDQ(Imm(64), from)
	SHRQ(Imm(uint64(64/size)), w)
	Label("more")
	TESTQ(w, w)
	JNZ(LabelRef("part"))
	ADDQ(U32(uint32(64*size)), src)
	ADDQ(Imm(8), sel)
	SUBQ(Imm(64), n)
	JG(LabelRef("word"))
	VZEROUPPER()
	SUBQ(dst, to)
	SHRQ(Imm(shiftOf(size)), to)
	frame.End(to)
}
