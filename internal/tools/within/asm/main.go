// Command asm writes the kernels of package encoding with avo: values against
// bounds, 64 for each word of sel.
//
//	4-byte integers   x - lo, which wraps around, is the lower of itself and hi - lo
//	8-byte integers   x - lo is not above hi - lo; both are moved by 2^63, for the
//	                  comparison there is takes signed numbers
//	floats            x >= lo and x <= hi, neither of which NaN is
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

// Comparisons of floats that are false for NaN, and quiet about it.
const (
	lessOrEqual    = U8(0x12)
	greaterOrEqual = U8(0x1d)
)

func main() {
	ConstraintExpr("!purego")
	kernel("within32AVX2", "uint32", "span", func(x, lo, span reg.VecVirtual) {
		t := YMM()
		VPSUBD(lo, x, x)
		VPMINUD(span, x, t)
		VPCMPEQD(t, x, x)
	})
	kernel("within64AVX2", "uint64", "span", func(x, lo, span reg.VecVirtual) {
		ones := YMM()
		VPSUBQ(lo, x, x)
		VPCMPGTQ(span, x, x)
		VPCMPEQD(ones, ones, ones)
		VPXOR(ones, x, x)
	})
	kernel("withinFloat32AVX2", "float32", "hi", func(x, lo, hi reg.VecVirtual) {
		t := YMM()
		VCMPPS(greaterOrEqual, lo, x, t)
		VCMPPS(lessOrEqual, hi, x, x)
		VANDPS(t, x, x)
	})
	kernel("withinFloat64AVX2", "float64", "hi", func(x, lo, hi reg.VecVirtual) {
		t := YMM()
		VCMPPD(greaterOrEqual, lo, x, t)
		VCMPPD(lessOrEqual, hi, x, x)
		VANDPD(t, x, x)
	})
	pairs()
	Generate()
}

// pairs compares 64 places of a with x, and of b with y.
func pairs() {
	frame.Kernel("pairsAVX2", "func(a, b *byte, words int, x, y byte) (found uint64, left int)",
		"looks for places at which a has x and b has y, in words*64 > 0 places, until it has found some, in 64. left is the number of words from there on.")
	a, b, words := frame.Parameter("a"), frame.Parameter("b"), frame.Parameter("words")
	wanted := func(param string) reg.VecVirtual {
		v := YMM()
		VPBROADCASTB(frame.Address(param), v)
		return v
	}
	x, y := wanted("x"), wanted("y")
	low, high, any, bits, found := YMM(), YMM(), YMM(), GP64(), GP64()
	Label("loop")
	for i, v := range []reg.VecVirtual{low, high} {
		t := YMM()
		VPCMPEQB(Mem{Base: a, Disp: 32 * i}, x, v)
		VPCMPEQB(Mem{Base: b, Disp: 32 * i}, y, t)
		VPAND(t, v, v)
	}
	VPOR(low, high, any)
	VPTEST(any, any)
	JNZ(LabelRef("found"))
	ADDQ(Imm(64), a)
	ADDQ(Imm(64), b)
	DECQ(words)
	JNZ(LabelRef("loop"))
	XORL(found.As32(), found.As32())
	JMP(LabelRef("end"))
	Label("found")
	VPMOVMSKB(low, found.As32())
	VPMOVMSKB(high, bits.As32())
	SHLQ(Imm(32), bits)
	ORQ(bits, found)
	Label("end")
	VZEROUPPER()
	frame.End(found, words)
}

// kernel writes one: test leaves ones in each lane of x that passes.
func kernel(name, typ, upper string, test func(x, lo, upper reg.VecVirtual)) {
	size := 4
	if typ == "uint64" || typ == "float64" {
		size = 8
	}
	text(name, typ, upper)
	sel, values, words := frame.Parameter("sel"), frame.Parameter("values"), frame.Parameter("words")
	bound := func(param string) reg.VecVirtual {
		v := YMM()
		if size == 4 {
			VBROADCASTSS(frame.Address(param), v)
		} else {
			VBROADCASTSD(frame.Address(param), v)
		}
		return v
	}
	lo, up := bound("lo"), bound(upper)
	if typ == "uint64" {
		sign := YMM()
		VPCMPEQD(sign, sign, sign)
		VPSLLQ(Imm(63), sign, sign)
		VPXOR(sign, lo, lo)
		VPXOR(sign, up, up)
	}
	Label("loop")
	for i := range 8 { // bytes of the word
		bits := GP32()
		x := YMM()
		VMOVDQU(Mem{Base: values, Disp: 8 * size * i}, x)
		test(x, lo, up)
		if size == 4 {
			VMOVMSKPS(x, bits)
		} else {
			y, high := YMM(), GP32()
			VMOVDQU(Mem{Base: values, Disp: 8*size*i + 32}, y)
			test(y, lo, up)
			VMOVMSKPD(x, bits)
			VMOVMSKPD(y, high)
			SHLL(Imm(4), high)
			ORL(high, bits)
		}
		ANDB(bits.As8(), Mem{Base: sel, Disp: i})
	}
	ADDQ(U32(64*size), values)
	ADDQ(Imm(8), sel)
	DECQ(words)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

func text(name, typ, upper string) {
	frame.Kernel(name, "func(sel *uint64, values *"+typ+", words int, lo, "+upper+" "+typ+")",
		"clears the bits of words > 0 words whose values are outside of the bounds.")
}
