package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/bitpack/lanes"
)

// keepLookup writes a kernel for packed runs of which most codes are wanted. It squeezes
// others out of each eight, looks all lanes up whatever is left in them, and goes on
// behind what was wanted: nothing is to be guessed, and codes never lie in memory.
func keepLookup(name string, entry int, how fate) {
	TEXT(name, 0, "func(dst, src, dictionary, sel *byte, first, n, count, gap, width, limit int) (kept int, largest uint32)")
	Pragma("noescape")
	Doc(name + fmt.Sprintf(" looks those of n > 0 eights of packed codes of 1 to 26 bits up whose bits in sel are set, in a dictionary of limit entries%s, of %d bytes each. "+
		"The first of the eights are first, others count, up to gap bytes that are no codes. It returns how many were wanted, and the largest of all codes, which may be above limit. "+
		"It reads 16 bytes behind the codes, and writes up to 8 values behind those that are wanted.", atMost(how), entry))
	to, src, dictionary, sel, left, n, width, limit := load("dst"), load("src"), load("dictionary"), load("sel"), load("first"), load("n"), load("width"), load("limit")
	u := lanes.NewUnpacker(width, false)
	biggest := YMM()
	VPXOR(biggest, biggest, biggest)
	eight := lookingUp(entry, how, dictionary, limit, to)
	rows := GP64()
	LEAQ(wantedLanes, rows)

	Label("run")
	CMPQ(left, n)
	CMOVQGT(n, left)
	SUBQ(left, n)
	Label("eight")
	v, wanted := u.Next(src), GP64()
	VPMAXUD(v, biggest, biggest)
	MOVBQZX(Mem{Base: sel}, wanted)
	INCQ(sel)
	squeeze(rows, wanted, v)
	eight(v)
	POPCNTL(wanted.As32(), wanted.As32())
	stepEntries(entry, to, wanted)
	DECQ(left)
	JNZ(LabelRef("eight"))
	gap := GP64()
	Load(Param("gap"), gap)
	ADDQ(gap, src)
	Load(Param("count"), left)
	TESTQ(n, n)
	JNZ(LabelRef("run"))

	largest := greatest(biggest)
	VZEROUPPER()
	from := GP64()
	Load(Param("dst"), from)
	SUBQ(from, to)
	SHRQ(Imm(shiftOf(entry)), to)
	Store(to, ReturnIndex(0))
	Store(largest, ReturnIndex(1))
	RET()
}

// wantedLanes has a row for each pattern of 8 bits: which lanes have a bit, in order.
var wantedLanes Mem

func wantedTable() {
	wantedLanes = GLOBL("wantedLanes", RODATA|NOPTR)
	for pattern := range 256 {
		var row [8]uint64
		at := 0
		for lane := range row {
			if pattern>>lane&1 != 0 {
				row[at] = uint64(lane)
				at++
			}
		}
		for i := 0; i < len(row); i += 2 {
			DATA(pattern*32+i*4, U64(row[i]|row[i+1]<<32))
		}
	}
}

// squeeze moves those of 8 lanes to the front whose bits are set. One permutation takes
// a third of the steps, where only one at a time can be done, of VPCOMPRESSD and its mask.
func squeeze(rows, wanted reg.GPVirtual, v reg.VecVirtual) {
	row, order := GP64(), YMM()
	MOVL(wanted.As32(), row.As32())
	SHLL(Imm(5), row.As32())
	VMOVDQU(Mem{Base: rows, Index: row, Scale: 1}, order)
	VPERMD(v, order, v)
}

// shiftOf is by how many bits a number of entries is shifted for their bytes.
func shiftOf(entry int) uint64 { return uint64(map[int]int{1: 0, 2: 1, 4: 2, 8: 3, 16: 4}[entry]) }

// stepEntries goes on by a number of entries, which it may change.
func stepEntries(entry int, to, by reg.GPVirtual) {
	if entry == 16 {
		SHLQ(Imm(4), by)
		ADDQ(by, to)
	} else {
		LEAQ(Mem{Base: to, Index: by, Scale: uint8(entry)}, to)
	}
}

// lookingUp returns what looks 8 codes up, those from limit on as the last entry or none.
func lookingUp(entry int, how fate, dictionary, limit, to reg.GPVirtual) func(v reg.VecVirtual) {
	if how == permuted {
		return permuteEight(entry, dictionary, limit, to)
	}
	last, x, most := GP64(), XMM(), YMM()
	LEAQ(Mem{Base: limit, Disp: -1}, last)
	VMOVD(last.As32(), x)
	VPBROADCASTD(x, most)
	return func(v reg.VecVirtual) {
		VPMINUD(most, v, v)
		lookupEight(entry, v, dictionary, to)
	}
}

// greatest returns the largest of eight numbers.
func greatest(v reg.VecVirtual) reg.GPVirtual {
	half, x, largest := XMM(), v.AsX(), GP32()
	VEXTRACTI128(Imm(1), v, half)
	VPMAXUD(half, x, x)
	VPSHUFD(Imm(0b01_00_11_10), x, half)
	VPMAXUD(half, x, x)
	VPSHUFD(Imm(0b10_11_00_01), x, half)
	VPMAXUD(half, x, x)
	VMOVD(x, largest)
	return largest
}
