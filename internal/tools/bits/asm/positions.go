package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/places"
)

// positionsWide stores the places.
func positionsWide() {
	k := places.Kernel{
		Name:      "positionsVBMI2",
		Signature: "func(dst *uint32, room int, b *uint64, words int, base uint32) (n, left int)",
		Doc:       "positionsVBMI2 does what positionsBMI does, but stops before 32 words in which it would have to stop.",
	}
	var start reg.GPVirtual
	k.List = func(dst reg.GPVirtual, _ Mem) reg.GPVirtual {
		start = GP64()
		end := GP64()
		Load(Param("dst"), dst)
		MOVQ(dst, start)
		Load(Param("room"), end)
		LEAQ(Mem{Base: dst, Index: end, Scale: 4, Disp: -66 * 4}, end)
		return end
	}
	k.Done = func(dst, left reg.GPVirtual) {
		SUBQ(start, dst)
		SHRQ(Imm(2), dst)
		Store(dst, ReturnIndex(0))
		Store(left, ReturnIndex(1))
	}
	k.Write()
}
