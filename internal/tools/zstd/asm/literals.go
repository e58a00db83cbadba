package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// perRound is how many symbols of a stream are decoded between two loads. A load
// brings five, of 11 bits: with the last two, the next load is on its way, and
// what they use is dropped from it as well.
const perRound = 3

func literals() {
	TEXT("literalsBMI2", NOSPLIT, "func(streams, left *int, table *uint16, log int, dst *byte, each int, src *byte, n int)")
	Pragma("noescape")
	Doc("literalsBMI2 decodes n times 3 literals of each of four streams, to dst and each, 2 each and 3 each bytes behind. " +
		"streams say where in src those are, left how many bits of each are left; 7 bytes in front of their last may be loaded.")
	// AH is for instructions of the old kind alone, with the first registers.
	e, dst, each := reg.RAX, reg.RBX, reg.RCX
	t, next := GP64(), GP64()
	var in, w [4]reg.GPVirtual
	streams, left, src := param("streams"), param("left"), param("src")
	// window loads 8 bytes of a stream, of whose last t bits are used. The lowest
	// is set, and where it has been shifted to says how many are used later.
	window := func(i int, w reg.GPVirtual) {
		MOVQ(Mem{Base: in[i]}, w)
		ORQ(Imm(1), w)
		SHLXQ(t, w, w)
	}
	// Streams are read from their end, 8 bytes that end with the one that is used in part.
	for i := range 4 {
		in[i], w[i] = GP64(), GP64()
		MOVQ(Mem{Base: streams, Disp: 8 * i}, in[i])
		SHLQ(Imm(3), in[i])
		ADDQ(Mem{Base: left, Disp: 8 * i}, in[i])
		MOVQ(in[i], t)
		NEGQ(t)
		ANDL(Imm(7), t.As32())
		ADDQ(Imm(7), in[i])
		SHRQ(Imm(3), in[i])
		LEAQ(Mem{Base: in[i], Index: src, Scale: 1, Disp: -8}, in[i])
		window(i, w[i])
	}
	n := AllocLocal(8)
	Load(Param("n"), t)
	MOVQ(t, n)
	table, shift := param("table"), param("log")
	Load(Param("dst"), dst)
	Load(Param("each"), each)
	NEGQ(shift) // 64-log, in the 6 bits that a shift looks at
	Label("loop")
	for i := range 4 {
		TZCNTQ(w[i], t)
		MOVQ(t, next)
		SHRQ(Imm(3), next)
		SUBQ(next, in[i])
		ANDL(Imm(7), t.As32())
		window(i, next)
		out := Mem{Base: dst}
		switch i {
		case 1, 2:
			out.Index, out.Scale = each, uint8(i)
		case 3:
			LEAQ(Mem{Base: dst, Index: each, Scale: 2}, t)
			out = Mem{Base: t, Index: each, Scale: 1}
		}
		for k := range perRound {
			from := w[i]
			if k == perRound-1 {
				from = next
			}
			SHRXQ(shift, from, e)
			MOVWLZX(Mem{Base: table, Index: e, Scale: 2}, e.As32())
			if k < perRound-2 {
				SHLXQ(e, w[i], w[i])
			}
			if k < perRound-1 {
				SHLXQ(e, next, next)
			} else {
				SHLXQ(e, next, w[i])
			}
			out.Disp = k
			MOVB(e.As8H(), out)
		}
	}
	ADDQ(Imm(perRound), dst)
	DECQ(n)
	JNZ(LabelRef("loop"))
	streams, left, src = param("streams"), param("left"), param("src")
	for i := range 4 {
		SUBQ(src, in[i])
		SUBQ(Mem{Base: streams, Disp: 8 * i}, in[i])
		TZCNTQ(w[i], w[i])
		LEAQ(Mem{Base: in[i], Disp: 8}, in[i])
		SHLQ(Imm(3), in[i])
		SUBQ(w[i], in[i])
		MOVQ(in[i], Mem{Base: left, Disp: 8 * i})
	}
	RET()
}
