package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// translate writes a kernel for codes that are unpacked already, and known to be
// below limit, so that nothing is checked. For entries of 4 and 8 bytes in memory it
// would take as long as Go does.
func translate(name string, entry int, how fate) {
	TEXT(name, 0, "func(dst *byte, codes *uint32, dictionary *byte, eights, limit int)")
	Pragma("noescape")
	Doc(name + " replaces eights*8 codes, of at least one eight, by their entries in a dictionary of limit entries" + atMost(how) + ". All codes are below limit.")
	to, from, dictionary, n := load("dst"), load("codes"), load("dictionary"), load("eights")
	eight := func(v reg.VecVirtual) { lookupEight(entry, v, dictionary, to) }
	switch how {
	case permuted:
		eight = permuteEight(entry, dictionary, load("limit"), to)
	case gathered:
		eight = func(v reg.VecVirtual) { gatherEight(entry, v, dictionary, to) }
	}
	Label("eight")
	v := YMM()
	VMOVDQU(Mem{Base: from}, v)
	eight(v)
	ADDQ(Imm(32), from)
	ADDQ(U32(8*entry), to)
	DECQ(n)
	JNZ(LabelRef("eight"))
	VZEROUPPER()
	RET()
}
