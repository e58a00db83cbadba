package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/bitpack/lanes"
)

// unpackSplit32 writes a kernel that unpacks 16 values at a time, whose 2*width bytes fit one register. To each lane
// go the four bytes in which its value begins, and to another register those behind; a
// shift of both together, lane by lane, and a mask finish:
//
//	width 29    doublewords 0       1         2         3 …
//	low         lanes 0, 1: 0, 0  | 2: 1  3: 2  4: 3 …
//	high                    1, 1  |    2     3     4
//	shifted by              0, 29 |    26    23    20
//
// Halves are stored, for whole ones cross lines of the cache behind an odd number of groups.
// Widths of which values lie in four bytes gain nothing.
func unpackSplit32() {
	table := lanes.NewTable("pairs32", 32, 3*64, func(width int) []byte {
		low := lanes.Words(16, func(i int) int { return i * width / 32 }, 4)
		high := lanes.Words(16, func(i int) int { return min(i*width/32+1, 15) }, 4)
		return append(append(low, high...), lanes.Words(16, func(i int) int { return i * width % 32 }, 4)...)
	})
	TEXT("unpack32SplitVBMI2", NOSPLIT, "func(dst *uint32, src *byte, groups, width, runs, back, gap int)")
	Pragma("noescape")
	Doc("unpack32SplitVBMI2 is unpack32SplitAVX2, but reads nothing behind the last.")
	d, s, _, w := unpackArgs()
	entry := table.At(w)
	low, high, shift := loadVector(Mem{Base: entry}), loadVector(Mem{Base: entry, Disp: 64}), loadVector(Mem{Base: entry, Disp: 128})
	ones, bits, double, mask := GP64(), GP64(), GP64(), ZMM()
	half, whole := K(), K() // the bytes of 8 values, and of 16
	MOVQ(I32(-1), ones)
	BZHIQ(w, ones, bits)
	KMOVQ(bits, half)
	VPBROADCASTD(bits.As32(), mask)
	LEAQ(Mem{Base: w, Index: w, Scale: 1}, double)
	BZHIQ(double, ones, bits)
	KMOVQ(bits, whole)
	next := nextRun(d, s)
	values := func(bytes reg.OpmaskVirtual) reg.VecVirtual {
		v, upper := ZMM(), ZMM()
		VMOVDQU8_Z(Mem{Base: s}, bytes, v)
		VPERMD(v, high, upper)
		VPERMD(v, low, v)
		shiftPairs(shift, upper, v)
		VPANDD(mask, v, v)
		return v
	}

	Label("run")
	n := param("groups")
	SUBQ(Imm(2), n)
	JL(LabelRef("rest"))
	Label("loop")
	v := values(whole)
	VMOVDQU(v.AsY(), Mem{Base: d})
	VEXTRACTI64X4(Imm(1), v, Mem{Base: d, Disp: 32})
	ADDQ(double, s)
	ADDQ(Imm(64), d)
	SUBQ(Imm(2), n)
	JGE(LabelRef("loop"))
	Label("rest")
	ADDQ(Imm(2), n)
	JZ(LabelRef("done"))
	v = values(half)
	VMOVDQU(v.AsY(), Mem{Base: d})
	ADDQ(w, s)
	ADDQ(Imm(32), d)
	Label("done")
	next()
	VZEROUPPER()
	RET()
}

// shiftPairs is VPSHRDVD, of which avo does not know: lanes of low with those of high
// above them are shifted down.
func shiftPairs(count, high, low reg.VecVirtual) {
	Instruction(&ir.Instruction{
		Opcode: "VPSHRDVD", Operands: []Op{count, high, low},
		Inputs: []Op{count, high, low}, Outputs: []Op{low}, ISA: []string{"AVX512VBMI2"},
	})
}
