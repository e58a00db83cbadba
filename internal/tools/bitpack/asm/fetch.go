package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/bitpack/lanes"
	"github.com/winnow-scan/winnow/internal/tools/frame"
)

// fetched tests 64 codes, of 2 or 4 bytes, against a mask in memory, and stores the outcome. The byte
// of the mask in which the bit of a code stands is fetched, of each for itself, into a register; of
// all in it the bits are picked at once:
//
//	code     ····· wwwwwww bbb     byte w of the mask, bit b in it
//
// Masks of up to 17 bits stay in the first cache. It beats gathers by far on the machines of AMD, and on those
// of Intel before Sapphire Rapids.
func fetched(codes reg.GPVirtual, places []reg.GPVirtual, mask, out reg.GPVirtual) {
	size := 8 / len(places)
	var found [4]reg.VecVirtual
	for i := range found {
		found[i] = YMM()
	}
	each := len(places) // codes that one load brings: loads are what there is least of
	for k := 0; k < 16; k += each {
		for i := range found {
			some, v := GP64(), found[i].AsX()
			MOVQ(Mem{Base: codes, Disp: size * (16*i + k)}, some)
			for lane := range each {
				c := GP64()
				BEXTRQ(places[lane], some, c)
				if from := (Mem{Base: mask, Index: c, Scale: 1}); k+lane > 0 {
					VPINSRB(Imm(uint64(k+lane)), from, v, v)
				} else {
					MOVBLZX(from, c.As32())
					VMOVD(c.As32(), v)
				}
			}
		}
	}
	for half := range 2 {
		bit := lowBits(size, func(i int) Mem { return Mem{Base: codes, Disp: size * (32*half + i)} })
		all := found[2*half]
		VINSERTI128(Imm(1), found[2*half+1].AsX(), all, all)
		pickBits(bit, all)
		storeHalf(all, out, half)
	}
}

// placesOf returns where bits w of codes of so many bytes stand in eight bytes, and how many they are.
func placesOf(size int) []reg.GPVirtual {
	places := make([]reg.GPVirtual, 8/size)
	for i := range places {
		places[i] = GP64()
		MOVL(U32(uint32(8*size*i+3|(8*size-3)<<8)), places[i].As32())
	}
	return places
}

// lowBits returns a byte for each of 32 codes, in which that bit is set that the lowest three of the
// code choose.
func lowBits(size int, code func(i int) Mem) reg.VecVirtual {
	pack := []func(...Op){VPACKUSWB, VPACKUSDW}[:size/2]
	var v []reg.VecVirtual
	for i := 0; i < 32; i += 32 / size {
		low := YMM()
		VMOVDQU(lowThree[size], low)
		VPAND(code(i), low, low)
		v = append(v, low)
	}
	for len(v) > 1 {
		for i := range len(v) / 2 {
			pack[len(pack)-1](v[2*i+1], v[2*i], v[2*i])
			v[i] = v[2*i]
		}
		v, pack = v[:len(v)/2], pack[:len(pack)-1]
	}
	if size == 2 {
		VPERMQ(Imm(0xd8), v[0], v[0])
	} else {
		order := YMM()
		VMOVDQU(inOrder, order)
		VPERMD(v[0], order, v[0])
	}
	power := YMM()
	VMOVDQU(powersOf2, power)
	VPSHUFB(v[0], power, power)
	return power
}

// testUnpacked tests codes of 4 bytes.
func testUnpacked() {
	frame.Kernel("testUnpackedAVX2", "func(out *uint64, codes *uint32, words int, mask *uint64)",
		"tests words*64 codes, words > 0, against a mask that has a bit for each of them.")
	out, codes, n, mask := frame.Parameter("out"), frame.Parameter("codes"), frame.Parameter("words"), frame.Parameter("mask")
	places := placesOf(4)
	Label("loop")
	fetched(codes, places, mask, out)
	ADDQ(Imm(8), out)
	ADDQ(U32(256), codes)
	DECQ(n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// testWide unpacks 64 codes while it looks up the 64 before: what was just
// written with wide stores is slow to read back with narrow loads.
func testWide() {
	a := testKernel("testWideAVX2", "uint64", "tests words of 64 codes of at most 26 bits against a mask that has a bit "+
		"for each number of the width, and returns the largest. It reads 16 bytes behind them.")
	const size = 4 // bytes of a code
	u := lanes.NewUnpacker(a.width)
	biggest := YMM()
	VPXOR(biggest, biggest, biggest)
	unpack := func(to reg.GPVirtual) {
		for i := range 8 {
			v := u.Next(a.src)
			VPMAXUD(v, biggest, biggest)
			VMOVDQU(v, Mem{Base: to, Disp: 32 * i})
		}
	}
	room := AllocLocal(2 * 64 * size)
	now, other := GP64(), GP64()
	LEAQ(room, now)
	LEAQ(room.Offset(64*size), other)
	places := placesOf(size)
	unpack(now)
	out := GP64()
	Label("loop")
	MOVQ(a.out, out)
	a.next("unpack")
	JMP(LabelRef("unpacked"))
	Label("unpack")
	unpack(other)
	Label("unpacked")
	fetched(now, places, a.table, out)
	XCHGQ(now, other)
	TESTQ(a.left, a.left)
	JNZ(LabelRef("loop"))
	maxOf(biggest, 4)
}

// test16Bits needs not unpack anything.
func test16Bits() {
	a := testKernel("test16BitsAVX2", "uint64", "is testWideAVX2 for codes of 16 bits. It reads nothing behind them.")
	biggest := YMM()
	VPXOR(biggest, biggest, biggest)
	places := placesOf(2)
	Label("loop")
	for i := range 4 {
		VPMAXUW(Mem{Base: a.src, Disp: 32 * i}, biggest, biggest)
	}
	fetched(a.src, places, a.table, a.out)
	ADDQ(U32(128), a.src)
	a.next("loop")
	maxOf(biggest, 2)
}
