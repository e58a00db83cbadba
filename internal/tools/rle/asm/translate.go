package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// translateFew writes a kernel for codes that are unpacked already, and known to be
// below limit, so that nothing is checked. Through a dictionary in memory it would
// take as long as Go does.
func translateFew(name string, entry int) {
	TEXT(name, 0, "func(dst *byte, codes *uint32, dictionary *byte, eights, limit int)")
	Pragma("noescape")
	Doc(name + fmt.Sprintf(" replaces eights*8 codes, of at least one eight, by their entries in a dictionary of limit entries, at most %d. All codes are below limit.", few))
	to, from, dictionary, n := load("dst"), load("codes"), load("dictionary"), load("eights")
	eight := permuteEight(entry, dictionary, load("limit"), to)
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
