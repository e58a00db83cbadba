package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

// decodeNear keeps the last 16 bytes in a register, its history. A copy from
// among them is one shuffle of it, and the history that follows another.
func decodeNear() {
	frame.Kernel("decodeNearAVX2", "func(dst *byte, d, dLimit int, src *byte, s, sLimit int) (d2, s2 int)",
		"is decodeAVX2 for pages whose copies are mostly from at most 16 bytes before. It needs d >= 16.")
	k := start(nearCopies)
	history, x, y, z := XMM(), XMM(), YMM(), YMM()
	row, turn := GP64(), GP64()
	LEAQ(rows, row)
	LEAQ(ends, turn)
	recall := func() { VMOVDQU(k.out(k.d, -16), history) }
	// add makes history of the first n+more bytes of x.
	add := func(more int) {
		VPSHUFB(Mem{Base: turn, Index: k.n, Scale: 1, Disp: more}, history, history)
		VPSHUFB(Mem{Base: turn, Index: k.n, Scale: 1, Disp: more + 32}, x, x)
		VPOR(x, history, history)
	}
	recall()

	k.nextTag()
	CMPQ(k.d, k.offset)
	JB(LabelRef("back"))
	LEAQ(Mem{Base: k.offset, Disp: -1}, k.from)
	CMPQ(k.from, Imm(15))
	JA(LabelRef("far"))
	SHLQ(Imm(7), k.offset) // of 128 bytes each
	ADDQ(row, k.offset)
	repeat := func(at int) {
		VPSHUFB(Mem{Base: k.offset, Disp: 16 + at}, history, x)
		VMOVDQU(x, k.out(k.d, at))
	}
	repeat(0)
	CMPQ(k.n, Imm(16))
	JA(LabelRef("nearLong"))
	Label("near")
	VPSHUFB(Mem{Base: k.offset, Index: k.n, Scale: 1}, history, history)
	ADDQ(k.n, k.d)
	k.again()
	Label("nearLong")
	for at := 16; at < 64; at += 16 {
		repeat(at)
	}
	JMP(LabelRef("near"))

	Label("far")
	MOVQ(k.d, k.from)
	SUBQ(k.offset, k.from)
	CMPQ(k.offset, k.n)
	JB(LabelRef("overlap"))
	CMPQ(k.n, Imm(16))
	JA(LabelRef("farLong"))
	VMOVDQU(k.out(k.from, 0), x)
	VMOVDQU(x, k.out(k.d, 0))
	add(0)
	ADDQ(k.n, k.d)
	k.again()
	Label("farLong")
	VMOVDQU(k.out(k.from, 0), y)
	VMOVDQU(k.out(k.from, 32), z)
	VMOVDQU(y, k.out(k.d, 0))
	VMOVDQU(z, k.out(k.d, 32))
	ADDQ(k.n, k.d)
	recall()
	k.again()

	// From 17 bytes before or more: each move may read what the one before wrote.
	Label("overlap")
	TESTQ(k.offset, k.offset)
	JZ(LabelRef("back"))
	for at := 0; at < 64; at += 16 {
		VMOVDQU(k.out(k.from, at), x)
		VMOVDQU(x, k.out(k.d, at))
	}
	ADDQ(k.n, k.d)
	recall()
	k.again()

	Label("literal")
	CMPL(k.tag.As32(), U32(16<<2))
	JAE(LabelRef("longLiteral"))
	VMOVDQU(k.in(1), x)
	k.passLiteral()
	VMOVDQU(x, k.out(k.d, 0))
	add(1)
	LEAQ(Mem{Base: k.d, Index: k.n, Scale: 1, Disp: 1}, k.d)
	k.again()

	Label("longLiteral")
	k.longLiteral(y, z, recall)
	k.stop()
}
