package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// translate writes a kernel for codes that are unpacked already, and known to be
// below limit, so that nothing is checked.
func translate(name string, entry int, how fate) {
	TEXT(name, 0, "func(dst *byte, codes *uint32, dictionary *byte, eights, limit int)")
	Pragma("noescape")
	Doc(name + " replaces eights*8 codes, of at least one eight, by their entries in a dictionary of limit entries" + atMost(how) + ". All codes are below limit.")
	to, from, dictionary, n := load("dst"), load("codes"), load("dictionary"), load("eights")
	var eight func(v reg.VecVirtual)
	switch how {
	case permuted:
		eight = permuteEight(entry, dictionary, load("limit"), to)
	case gathered:
		eight = func(v reg.VecVirtual) { gatherEight(entry, v, dictionary, Mem{Base: to}) }
	}
	Label("eight")
	if eight != nil {
		v := YMM()
		VMOVDQU(Mem{Base: from}, v)
		eight(v)
	} else {
		lookupLoaded(entry, 8, 4, from, dictionary, to)
	}
	ADDQ(Imm(32), from)
	ADDQ(U32(8*entry), to)
	DECQ(n)
	JNZ(LabelRef("eight"))
	VZEROUPPER()
	RET()
}

// lookupLoaded looks n codes up that are numbers of so many bytes in memory, see lookupEight: to load
// each takes less than to take them apart.
func lookupLoaded(entry, n, size int, from, dictionary, to reg.GPVirtual) {
	var found reg.VecVirtual
	for i := range n {
		c, code := GP64(), Mem{Base: from, Disp: size * i}
		switch size {
		case 1:
			MOVBLZX(code, c.As32())
		case 2:
			MOVWLZX(code, c.As32())
		default:
			MOVL(code, c.As32())
		}
		if entry == 16 {
			SHLQ(Imm(4), c)
		}
		found = lookupOne(entry, i, c, dictionary, to, found)
	}
}
