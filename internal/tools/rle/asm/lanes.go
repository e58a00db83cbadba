package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// shiftOf is by how many bits a number of entries is shifted for their bytes.
func shiftOf(entry int) uint64 { return uint64(map[int]int{1: 0, 2: 1, 4: 2, 8: 3, 16: 4}[entry]) }

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
