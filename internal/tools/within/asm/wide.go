package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// wideInts subtracts and compares once: x - lo, which wraps around, is not above hi - lo.
func wideInts(size int) {
	wide(fmt.Sprintf("within%dAVX512", 8*size), fmt.Sprintf("uint%d", 8*size), "span", size,
		func(values Mem, lo, span reg.VecVirtual, in, out reg.OpmaskVirtual) {
			x := ZMM()
			VMOVDQU64(values, x)
			if size == 4 {
				VPSUBD(lo, x, x)
				VPCMPUD(Imm(2), span, x, in, out) // not above
			} else {
				VPSUBQ(lo, x, x)
				VPCMPUQ(Imm(2), span, x, in, out)
			}
		})
}

// wideFloats compares twice, the second time those alone that passed.
func wideFloats(size int) {
	wide(fmt.Sprintf("withinFloat%dAVX512", 8*size), fmt.Sprintf("float%d", 8*size), "hi", size,
		func(values Mem, lo, hi reg.VecVirtual, in, out reg.OpmaskVirtual) {
			x := ZMM()
			VMOVDQU64(values, x)
			if size == 4 {
				VCMPPS(greaterOrEqual, lo, x, in, out)
				VCMPPS(lessOrEqual, hi, x, out, out)
			} else {
				VCMPPD(greaterOrEqual, lo, x, in, out)
				VCMPPD(lessOrEqual, hi, x, out, out)
			}
		})
}

// wide writes a kernel. test leaves those bits of in that pass in out. Words of
// which nothing is left are passed by.
func wide(name, typ, upper string, size int, test func(values Mem, lo, upper reg.VecVirtual, in, out reg.OpmaskVirtual)) {
	text(name, typ, upper)
	sel, values, words := GP64(), GP64(), GP64()
	Load(Param("sel"), sel)
	Load(Param("values"), values)
	Load(Param("words"), words)
	bound := func(param string) reg.VecVirtual {
		v := ZMM()
		a, err := Param(param).Resolve()
		if err != nil {
			panic(err)
		}
		if size == 4 {
			VBROADCASTSS(a.Addr, v)
		} else {
			VBROADCASTSD(a.Addr, v)
		}
		return v
	}
	lo, up := bound("lo"), bound(upper)
	Label("loop")
	CMPQ(Mem{Base: sel}, Imm(0))
	JE(LabelRef("next"))
	for at := 0; at < 8; at += 8 / size {
		in, out, bits := K(), K(), Mem{Base: sel, Disp: at}
		if size == 4 {
			KMOVW(bits, in)
		} else {
			KMOVB(bits, in)
		}
		test(Mem{Base: values, Disp: 8 * size * at}, lo, up, in, out)
		if size == 4 {
			KMOVW(out, bits)
		} else {
			KMOVB(out, bits)
		}
	}
	Label("next")
	ADDQ(U32(64*size), values)
	ADDQ(Imm(8), sel)
	DECQ(words)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
