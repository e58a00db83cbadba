package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// perLoad is how many symbols of 11 bits a load brings.
const perLoad = 5

func literals() {
	TEXT("literalsBMI2", NOSPLIT, "func(streams, left *int, table *uint16, log int, dst *byte, each int, src *byte, n int)")
	Pragma("noescape")
	Doc("literalsBMI2 decodes n times 5 literals of each of four streams, to dst and each, 2 each and 3 each bytes behind. " +
		"streams say where in src those are, left how many bits of each are left; 7 bytes in front of their last may be loaded.")
	var at, w [4]reg.GPVirtual
	for i := range 4 {
		at[i], w[i] = GP64(), GP64()
	}
	ptr := param("streams")
	for i := range 4 {
		MOVQ(Mem{Base: ptr, Disp: 8 * i}, at[i])
		SHLQ(Imm(3), at[i])
	}
	ptr = param("left")
	for i := range 4 {
		ADDQ(Mem{Base: ptr, Disp: 8 * i}, at[i])
	}
	n := AllocLocal(8)
	t := param("n")
	MOVQ(t, n)
	table := param("table")
	// AH is for instructions of the old kind alone, with the first registers.
	e, dst, each, third := reg.RAX, reg.RBX, reg.RCX, reg.RSI
	Load(Param("dst"), dst)
	Load(Param("each"), each)
	shift := param("log")
	NEGQ(shift) // 64-log, in the 6 bits that a shift looks at
	src := AllocLocal(8)
	t = param("src")
	SUBQ(Imm(7), t)
	MOVQ(t, src)
	Label("loop")
	for i := range 4 {
		s := GP64()
		MOVQ(at[i], s)
		SHRQ(Imm(3), s)
		ADDQ(src, s)
		MOVQ(Mem{Base: s}, w[i])
		s = GP64()
		MOVQ(at[i], s)
		NOTQ(s)
		ANDL(Imm(7), s.As32())
		SHLXQ(s, w[i], w[i])
		// A bit below all others ends where they have been shifted to.
		LEAQ(Mem{Base: w[i], Index: w[i], Scale: 1, Disp: 1}, w[i])
	}
	for k := range perLoad {
		for i := range 4 {
			SHRXQ(shift, w[i], e)
			MOVWLZX(Mem{Base: table, Index: e, Scale: 2}, e.As32())
			SHLXQ(e, w[i], w[i])
			out := Mem{Base: dst, Disp: k}
			switch i {
			case 1, 2:
				out.Index, out.Scale = each, uint8(i)
			case 3:
				LEAQ(Mem{Base: dst, Index: each, Scale: 2}, third)
				out = Mem{Base: third, Index: each, Scale: 1, Disp: k}
			}
			MOVB(e.As8H(), out)
		}
	}
	for i := range 4 {
		TZCNTQ(w[i], w[i])
		SUBQ(w[i], at[i])
	}
	ADDQ(Imm(perLoad), dst)
	DECQ(n)
	JNZ(LabelRef("loop"))
	from, ptr := param("streams"), param("left")
	for i := range 4 {
		MOVQ(Mem{Base: from, Disp: 8 * i}, w[i])
		SHLQ(Imm(3), w[i])
		SUBQ(w[i], at[i])
		MOVQ(at[i], Mem{Base: ptr, Disp: 8 * i})
	}
	RET()
}
