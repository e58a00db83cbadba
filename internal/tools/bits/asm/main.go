// Command asm writes the BMI kernels of encoding/bits with avo.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

func main() {
	ConstraintExpr("!purego")
	cpuid()
	xgetbv()
	single("pextBMI2", "pextBMI2 packs the bits of x that stand under m.", PEXTQ)
	single("pdepBMI2", "pdepBMI2 spreads the low bits of x over the bits of m.", PDEPQ)
	positions()
	count()
	atLeast()
	Generate()
}

// cpuid lets the package see features without an import that is not standard.
func cpuid() {
	TEXT("cpuid", NOSPLIT, "func(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)")
	Load(Param("leaf"), reg.EAX)
	Load(Param("subleaf"), reg.ECX)
	CPUID()
	frame.End(reg.EAX, reg.EBX, reg.ECX, reg.EDX)
}

// xgetbv tells which registers the operating system saves.
func xgetbv() {
	TEXT("xgetbv", NOSPLIT, "func() uint32")
	Doc("xgetbv returns the low half of XCR0. It is there only where cpuid says so.")
	XORL(reg.ECX, reg.ECX)
	XGETBV()
	frame.End(reg.EAX)
}

func single(name, doc string, op func(m, x, y Op)) {
	TEXT(name, NOSPLIT, "func(x, m uint64) uint64")
	Doc(doc)
	x, m := frame.Parameter("x"), frame.Parameter("m")
	op(m, x, x)
	frame.End(x)
}

// positions stores two positions of each word in vain before it looks whether
// there are more: where bits are rare, guessing costs more than storing.
func positions() {
	frame.Kernel("positionsBMI", "func(dst *uint32, room int, b *uint64, words int, base uint32) (n, left int)",
		"stores the positions of the bits in words > 0 words, counted from base, and returns their number. "+
			"It stops early, with that many words left, where dst has no room for 66 more.")
	dst, b, n := frame.Parameter("dst"), frame.Parameter("b"), frame.Parameter("words")
	base, start := GP32(), GP64()
	Load(Param("base"), base)
	MOVQ(dst, start)
	end := frame.Parameter("room")
	LEAQ(Mem{Base: dst, Index: end, Scale: 4, Disp: -66 * 4}, end)
	Label("loop")
	CMPQ(dst, end)
	JA(LabelRef("done"))
	w, count, p := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: b}, w)
	POPCNTQ(w, count)
	for i := range 2 {
		TZCNTQ(w, p)
		ADDL(base, p.As32())
		MOVL(p.As32(), Mem{Base: dst, Disp: 4 * i})
		BLSRQ(w, w)
	}
	LEAQ(Mem{Base: dst, Index: count, Scale: 4}, dst)
	TESTQ(w, w)
	JZ(LabelRef("next"))
	out := GP64()
	MOVQ(dst, out)
	SHLQ(Imm(2), count)
	SUBQ(count, out)
	ADDQ(Imm(8), out)
	Label("more")
	TZCNTQ(w, p)
	ADDL(base, p.As32())
	MOVL(p.As32(), Mem{Base: out})
	ADDQ(Imm(4), out)
	BLSRQ(w, w)
	JNZ(LabelRef("more"))
	Label("next")
	ADDQ(Imm(8), b)
	ADDL(Imm(64), base)
	DECQ(n)
	JNZ(LabelRef("loop"))
	Label("done")
	SUBQ(start, dst)
	SHRQ(Imm(2), dst)
	frame.End(dst, n)
}

func count() {
	frame.Kernel("countBMI", "func(b *uint64, fours int) int",
		"returns the number of bits set in fours*4 words, fours > 0.")
	b, n := frame.Parameter("b"), frame.Parameter("fours")
	var sums [4]reg.GPVirtual
	for i := range sums {
		sums[i] = GP64()
		XORL(sums[i].As32(), sums[i].As32())
	}
	Label("loop")
	for i, sum := range sums {
		c := GP64()
		POPCNTQ(Mem{Base: b, Disp: 8 * i}, c)
		ADDQ(c, sum)
	}
	ADDQ(Imm(32), b)
	DECQ(n)
	JNZ(LabelRef("loop"))
	for _, sum := range sums[1:] {
		ADDQ(sum, sums[0])
	}
	frame.End(sums[0])
}

func atLeast() {
	frame.Kernel("atLeastAVX2", "func(dst *uint64, levels *uint8, words int, c uint8)",
		"sets the bits of words > 0 words to which of 64 levels each are at least c.")
	dst, levels, n := frame.Parameter("dst"), frame.Parameter("levels"), frame.Parameter("words")
	c := YMM()
	VPBROADCASTB(frame.Address("c"), c)
	Label("loop")
	var halves [2]reg.GPVirtual
	for i := range halves {
		x := YMM()
		halves[i] = GP64()
		VPMAXUB(Mem{Base: levels, Disp: 32 * i}, c, x)
		VPCMPEQB(Mem{Base: levels, Disp: 32 * i}, x, x)
		VPMOVMSKB(x, halves[i].As32())
	}
	SHLQ(Imm(32), halves[1])
	ORQ(halves[0], halves[1])
	MOVQ(halves[1], Mem{Base: dst})
	ADDQ(Imm(64), levels)
	ADDQ(Imm(8), dst)
	DECQ(n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
