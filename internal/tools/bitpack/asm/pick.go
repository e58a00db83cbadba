package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pick writes the loop over positions, which knows neither branches nor checks.
// With runs, value v lies behind v/count gaps more: v*inverse>>32 is that.
func pick(name string, runs bool) {
	params, doc := "", "pick32BMI2 unpacks n > 0 values of 1 to 32 bits, number first+positions[k] to dst[k]. It reads 8 bytes from where each begins."
	if runs {
		params = ", inverse uint64, gap int"
		doc = "pickRuns32BMI2 is pick32BMI2 where value v lies v*inverse>>32 times gap bits farther on."
	}
	TEXT(name, NOSPLIT, "func(dst *uint32, src *byte, positions *uint32, n, width, first int"+params+")")
	Pragma("noescape")
	Doc(doc)
	load := func(name string) reg.GPVirtual {
		r := GP64()
		Load(Param(name), r)
		return r
	}
	dst, src, positions, n := load("dst"), load("src"), load("positions"), load("n")
	width, first := load("width"), load("first")
	var inverse, gap reg.GPVirtual
	if runs {
		inverse, gap = load("inverse"), load("gap")
	}
	LEAQ(Mem{Base: dst, Index: n, Scale: 4}, dst)
	LEAQ(Mem{Base: positions, Index: n, Scale: 4}, positions)
	NEGQ(n)
	Label("loop")
	bit, at, value := GP64(), GP64(), GP64()
	MOVL(Mem{Base: positions, Index: n, Scale: 4}, bit.As32())
	ADDQ(first, bit)
	if runs {
		MOVQ(bit, at)
		IMULQ(inverse, at)
		SHRQ(Imm(32), at)
		IMULQ(gap, at)
		IMULQ(width, bit)
		ADDQ(at, bit)
	} else {
		IMULQ(width, bit)
	}
	MOVQ(bit, at)
	SHRQ(Imm(3), at)
	ANDL(Imm(7), bit.As32())
	SHRXQ(bit, Mem{Base: src, Index: at, Scale: 1}, value)
	BZHIQ(width, value, value)
	MOVL(value.As32(), Mem{Base: dst, Index: n, Scale: 4})
	INCQ(n)
	JNZ(LabelRef("loop"))
	RET()
}
