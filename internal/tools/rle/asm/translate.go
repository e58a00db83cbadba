package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

// translate writes a kernel for codes that are unpacked already, and known to be
// below limit, so that nothing is checked.
func translate(name string, entry int, how fate) {
	TEXT(name, 0, "func(dst *byte, codes *uint32, dictionary *byte, eights, limit int)")
	Pragma("noescape")
	Doc(name + " replaces eights*8 codes, of at least one eight, by their entries in a dictionary of limit entries" + atMost(how) + ". All codes are below limit.")
	to, from, dictionary, n := frame.Parameter("dst"), frame.Parameter("codes"), frame.Parameter("dictionary"), frame.Parameter("eights")
	var eight func(v reg.VecVirtual)
	var loaded func()
	switch how {
	case lookedUp:
		loaded = loadedLookup(entry, 8, 4, from, dictionary, to)
	case permuted:
		eight = permuteEight(entry, dictionary, frame.Parameter("limit"), to)
	}
	Label("eight")
	if how == lookedUp {
		loaded()
	} else {
		v := YMM()
		VMOVDQU(Mem{Base: from}, v)
		eight(v)
	}
	ADDQ(Imm(32), from)
	ADDQ(U32(8*entry), to)
	DECQ(n)
	JNZ(LabelRef("eight"))
	VZEROUPPER()
	RET()
}

// loadedLookup returns what looks n codes up that are numbers of so many bytes in memory, see lookupEight. Loads
// are what there is least of, so codes are loaded eight bytes at a time, and taken out of these one by one.
func loadedLookup(entry, n, size int, from, dictionary, to reg.GPVirtual) func() {
	each := 8 / size
	places := make([]reg.GPVirtual, each) // of codes: where, and how many bits
	for i := 1; i < each-1; i++ {
		places[i] = GP64()
		MOVL(U32(uint32(8*size*i|8*size<<8)), places[i].As32())
	}
	return func() {
		var found reg.VecVirtual
		var codes reg.GPVirtual
		for i := range n {
			c := GP64()
			switch at := i % each; {
			case at == 0:
				codes = GP64()
				MOVQ(Mem{Base: from, Disp: size * i}, codes)
				switch size {
				case 1:
					MOVBLZX(codes.As8(), c.As32())
				case 2:
					MOVWLZX(codes.As16(), c.As32())
				default:
					MOVL(codes.As32(), c.As32())
				}
			case at == each-1:
				SHRQ(Imm(uint64(64-8*size)), codes)
				c = codes
			default:
				BEXTRQ(places[at], codes, c)
			}
			if entry == 16 {
				SHLQ(Imm(4), c)
			}
			found = lookupOne(entry, i, c, dictionary, to, found)
		}
	}
}
