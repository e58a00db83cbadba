package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

const (
	enough = 128 // places in the list
	each   = 8   // values that are fetched at a time
	always = 118 // places for which there is room behind these

	most = enough + always + 66 + each // places that the list has room for
)

// fetch writes a kernel for bits that are rare. Their places gather in a list, and when it has enough of them, the
// values are fetched: places that were just stored by parts would be waited for.
func fetch(size int) {
	name := fmt.Sprintf("fetch%dVBMI2", size)
	TEXT(name, 0, "func(dst *byte, room int, b *uint64, words int, src *byte) (n, left int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s packs the values of up to words > 0 words, 64 for each, and returns how many, and how many words are left. "+
		"It may stop early, before %d words that have more than %d bits, or where dst has no room for %d values more.",
		name, chunk, always, 66+each))
	var list, out Mem
	// limit is up to where 66 more places may be, and values, and those fetched in vain.
	limit := func(out, end reg.GPVirtual) {
		room, few := GP64(), GP64()
		Load(Param("room"), room)
		Load(Param("dst"), end)
		LEAQ(Mem{Base: end, Index: room, Scale: uint8(size)}, end)
		SUBQ(out, end)
		if size == 8 {
			SHRQ(Imm(1), end)
		}
		MOVQ(U32(uint32(4*most)), few)
		CMPQ(few, end)
		CMOVQLT(few, end)
		LEAQ(list, few)
		LEAQ(Mem{Base: few, Index: end, Scale: 1, Disp: -4 * (66 + each)}, end)
	}
	var end, src reg.GPVirtual
	// one moves each values.
	one := func(at, to reg.GPVirtual) {
		for i := range each {
			place := GP64()
			MOVL(Mem{Base: at, Disp: 4 * i}, place.As32())
			move(size, src, place, Mem{Base: to, Disp: size * i})()
		}
		ADDQ(Imm(4*each), at)
		ADDQ(Imm(uint64(size*each)), to)
	}
	// all fetches values to the end of the list.
	all := func(label string, last reg.GPVirtual) {
		zero, at, to, end := YMM(), GP64(), GP64(), GP64()
		VPXORD(zero, zero, zero)
		VMOVDQU32(zero, Mem{Base: last}) // places that there are, for those fetched in vain
		MOVQ(out, to)
		LEAQ(list, at)
		MOVQ(last, end)
		SUBQ(at, end)
		if size == 8 {
			ADDQ(end, end)
		}
		ADDQ(to, end)
		MOVQ(end, out)
		src = frame.Parameter("src")
		JMP(LabelRef(label + "End"))
		Label(label)
		one(at, to)
		Label(label + "End")
		CMPQ(at, last)
		JB(LabelRef(label))
	}
	findPlaces(func(from reg.GPVirtual, own Mem) reg.GPVirtual {
		list, out = own, AllocLocal(8)
		dst := GP64()
		end = GP64()
		Load(Param("dst"), dst)
		MOVQ(dst, out)
		limit(dst, end)
		LEAQ(list, from)
		return end
	}, func(dst reg.GPVirtual) {
		full, to := GP64(), GP64()
		LEAQ(list.Offset(4*enough), full)
		CMPQ(dst, full)
		JB(LabelRef("chunk"))
		all("some", dst)
		MOVQ(out, to)
		limit(to, end)
		LEAQ(list, dst)
	}, func(last, left reg.GPVirtual) {
		all("rest", last)
		n, dst := GP64(), GP64()
		MOVQ(out, n)
		Load(Param("dst"), dst)
		SUBQ(dst, n)
		SHRQ(Imm(shiftOf(size)), n)
		Store(n, ReturnIndex(0))
		Store(left, ReturnIndex(1))
		VZEROUPPER()
		RET()
	})
}
