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
		func(values Mem, lo, span reg.VecVirtual, passes reg.OpmaskVirtual) {
			x := ZMM()
			VMOVDQU64(values, x)
			if size == 4 {
				VPSUBD(lo, x, x)
				VPCMPUD(Imm(2), span, x, passes) // not above
			} else {
				VPSUBQ(lo, x, x)
				VPCMPUQ(Imm(2), span, x, passes)
			}
		})
}

// wideFloats compares twice, the second time those alone that passed.
func wideFloats(size int) {
	wide(fmt.Sprintf("withinFloat%dAVX512", 8*size), fmt.Sprintf("float%d", 8*size), "hi", size,
		func(values Mem, lo, hi reg.VecVirtual, passes reg.OpmaskVirtual) {
			x := ZMM()
			VMOVDQU64(values, x)
			if size == 4 {
				VCMPPS(greaterOrEqual, lo, x, passes)
				VCMPPS(lessOrEqual, hi, x, passes, passes)
			} else {
				VCMPPD(greaterOrEqual, lo, x, passes)
				VCMPPD(lessOrEqual, hi, x, passes, passes)
			}
		})
}

// wide writes a kernel. test says which of the values in a register pass. Words of
// which nothing is left are passed by. The bits of a word meet in a register and not in
// memory: to load a mask takes what compares.
func wide(name, typ, upper string, size int, test func(values Mem, lo, upper reg.VecVirtual, passes reg.OpmaskVirtual)) {
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
	var word reg.GPVirtual
	for k := range size {
		passes, bits := K(), GP64()
		test(Mem{Base: values, Disp: 64 * k}, lo, up, passes)
		if size == 4 {
			KMOVW(passes, bits.As32())
		} else {
			KMOVB(passes, bits.As32())
		}
		if k == 0 {
			word = bits
			continue
		}
		SHLQ(Imm(uint64(64/size*k)), bits)
		ORQ(bits, word)
	}
	ANDQ(word, Mem{Base: sel})
	Label("next")
	ADDQ(U32(64*size), values)
	ADDQ(Imm(8), sel)
	DECQ(words)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
