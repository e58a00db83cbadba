package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/bitpack/lanes"
	"github.com/winnow-scan/winnow/internal/tools/frame"
)

// spreadLanes is spread for processors that take bits from anywhere in eight bytes, and for codes of one byte
// or two: of as many codes as fit eight bytes, those that they touch are brought there. Width 3:
//
//	bytes    a b c d e f …
//	in 8     a b c - - - - -   d e f - - - - -   …
//	codes    bits 0-7, 3-10, 6-13 … of each, of which a mask leaves three
func spreadLanes(size int, width, src, to reg.GPVirtual) func() {
	from, shifts, mask := ZMM(), ZMM(), ZMM()
	table, at, r, step := GP64(), GP64(), GP64(), GP64()
	LEAQ(frame.Variable("bytesOfEights"), table)
	MOVQ(width, at)
	SHLQ(Imm(6), at)
	VMOVDQU64(Mem{Base: table, Index: at, Scale: 1}, from)
	MOVQ(width, step)
	MOVQ(I32(-1), r)
	BZHIQ(width, r, r)
	if size == 1 {
		VPBROADCASTB(r.As32(), mask)
		MOVQ(U64(0x0706050403020100), r)
		IMULQ(width, r)
		SHLQ(Imm(3), step)
	} else {
		VPBROADCASTW(r.As32(), mask)
		MOVQ(U64(0x0303020201010000), r)
		IMULQ(width, r)
		MOVQ(U64(0x0800080008000800), at)
		ADDQ(at, r)
		SHLQ(Imm(2), step)
	}
	VPBROADCASTQ(r, shifts)
	if size == 2 { // where the width is odd, every other four codes begin in the middle of a byte
		odd, fours := K(), ZMM()
		MOVQ(width, at)
		ANDL(Imm(1), at.As32())
		MOVQ(U64(0x0404040404040404), r)
		IMULQ(r, at)
		MOVL(U32(0xaa), r.As32())
		KMOVW(r.As32(), odd)
		VPBROADCASTQ_Z(at, odd, fours)
		VPADDB(fours, shifts, shifts)
	}
	return func() {
		for i := range room * size / 64 {
			v := ZMM()
			VPERMB(Mem{Base: src}, from, v)
			ADDQ(step, src)
			VPMULTISHIFTQB(v, shifts, v)
			VPANDQ(mask, v, v)
			VMOVDQU64(v, Mem{Base: to, Disp: 64 * i})
		}
		ADDQ(U32(uint32(room*size)), to)
	}
}

// narrowRead is how far behind eight codes of some bytes bytes may be loaded, where 64 are unpacked.
func narrowRead(size int) int { return 64 + 48*(size-1) }

// packedCodes writes a kernel for codes of one packed run.
func packedCodes(name string, size int) {
	frame.Kernel(name, "func(dst, src *byte, sixtyFours, width int)",
		fmt.Sprintf("stores sixtyFours*64 > 0 codes of %d to %d bits as numbers of %d. It reads up to %d bytes behind the first 8 of the last 64 codes.", 8*size-7, 8*size, 8*size, narrowRead(size)))
	to, src, n, width := frame.Parameter("dst"), frame.Parameter("src"), frame.Parameter("sixtyFours"), frame.Parameter("width")
	next64 := spreadLanes(size, width, src, to)
	Label("some")
	next64()
	DECQ(n)
	JNZ(LabelRef("some"))
	VZEROUPPER()
	RET()
}

// largestCode writes a kernel that finds the largest of codes of one byte or two.
func largestCode(name string, size int) {
	frame.Kernel(name, "func(codes *byte, n int) uint32",
		fmt.Sprintf("returns the largest of n > 0 numbers of %d bits.", 8*size))
	maximum := lanes.Max(size)
	b, n := frame.Parameter("codes"), frame.Parameter("n")
	if size == 2 {
		ADDQ(n, n)
	}
	largest, v, left, ones := ZMM(), ZMM(), K(), GP64()
	VPXORQ(largest, largest, largest)
	JMP(LabelRef("more"))
	Label("some")
	maximum(Mem{Base: b}, largest, largest)
	ADDQ(Imm(64), b)
	Label("more")
	SUBQ(Imm(64), n)
	JA(LabelRef("some"))
	ADDQ(Imm(64), n)
	MOVQ(I32(-1), ones)
	BZHIQ(n, ones, ones)
	KMOVQ(ones, left)
	VMOVDQU8_Z(Mem{Base: b}, left, v)
	maximum(v, largest, largest)
	r := greatestNarrow(size, largest)
	VZEROUPPER()
	frame.End(r)
}

// greatestNarrow returns the largest of a register of them.
func greatestNarrow(size int, largest reg.VecVirtual) reg.GPVirtual {
	half := YMM()
	VEXTRACTI64X4(Imm(1), largest, half)
	lanes.Max(size)(half, largest.AsY(), half)
	return lanes.Greatest(half, size)
}

// keepNarrow writes a kernel that drops codes of one byte or two which are not wanted, few if it is to
// pay, and finds the largest on the way, for each is loaded anyway.
func keepNarrow(name string, size int) {
	frame.Kernel(name, "func(codes *byte, sel *uint64, n int) (kept int, largest uint32)",
		fmt.Sprintf("moves those of n > 0 numbers of %d bits to the front whose bits are set, and returns how many, and the largest of all. "+
			"It may spoil what is behind those, up to 64 bytes behind the last.", 8*size))
	maximum := lanes.Max(size)
	to, sel, n := frame.Parameter("codes"), frame.Parameter("sel"), frame.Parameter("n")
	from, largest := GP64(), ZMM()
	MOVQ(to, from)
	VPXORQ(largest, largest, largest)
	// part squeezes those of one register.
	part := func(v reg.VecVirtual, wanted reg.OpmaskVirtual, bits Op) {
		front, count := ZMM(), GP64()
		maximum(v, largest, largest)
		if size == 1 {
			frame.CompressBytes(v, wanted, front)
			POPCNTQ(bits, count)
		} else {
			frame.CompressWords(v, wanted, front)
			POPCNTL(bits, count.As32())
		}
		VMOVDQU64(front, Mem{Base: to})
		LEAQ(Mem{Base: to, Index: count, Scale: uint8(size)}, to)
	}
	JMP(LabelRef("more"))
	Label("word")
	for i := range size {
		v, wanted, bits := ZMM(), K(), Mem{Base: sel, Disp: 4 * i}
		VMOVDQU64(Mem{Base: from, Disp: 64 * i}, v)
		if size == 1 {
			KMOVQ(bits, wanted)
		} else {
			KMOVD(bits, wanted)
		}
		part(v, wanted, bits)
	}
	ADDQ(U32(uint32(64*size)), from)
	ADDQ(Imm(8), sel)
	Label("more")
	SUBQ(Imm(64), n)
	JGE(LabelRef("word"))
	ADDQ(Imm(64), n)
	JZ(LabelRef("done"))
	{
		there, w, bits := GP64(), GP64(), GP64()
		MOVQ(I32(-1), there)
		BZHIQ(n, there, there)
		MOVQ(Mem{Base: sel}, w)
		ANDQ(there, w)
		for i := range size {
			v, some, wanted := ZMM(), K(), K()
			if size == 1 {
				KMOVQ(there, some)
				KMOVQ(w, wanted)
				VMOVDQU8_Z(Mem{Base: from}, some, v)
			} else {
				KMOVD(there.As32(), some)
				KMOVD(w.As32(), wanted)
				VMOVDQU16_Z(Mem{Base: from, Disp: 64 * i}, some, v)
			}
			MOVQ(w, bits)
			if size == 1 {
				part(v, wanted, bits)
			} else {
				part(v, wanted, bits.As32())
				SHRQ(Imm(32), there)
				SHRQ(Imm(32), w)
			}
		}
	}
	Label("done")
	r := greatestNarrow(size, largest)
	VZEROUPPER()
	Load(Param("codes"), from)
	SUBQ(from, to)
	if size == 2 {
		SHRQ(Imm(1), to)
	}
	frame.End(to, r)
}

// lookupNarrow writes a kernel that looks codes up which have a byte or two, and are known to be below limit.
func lookupNarrow(name string, entry, size int, how fate) {
	TEXT(name, NOSPLIT, "func(dst, codes, dictionary *byte, sixteens, limit int)")
	Pragma("noescape")
	most := ""
	if how == permuted {
		most = fmt.Sprintf(", at most %d", min(few, 128/entry))
	}
	Doc(name + fmt.Sprintf(" looks sixteens*16 > 0 codes up, numbers of %d bits, in a dictionary of limit entries%s, of %d bytes each. All codes are below limit.", 8*size, most, entry))
	to, from, dictionary, n := frame.Parameter("dst"), frame.Parameter("codes"), frame.Parameter("dictionary"), frame.Parameter("sixteens")
	var sixteen func()
	switch how {
	case lookedUp:
		sixteen = loadedLookup(entry, 16, size, from, dictionary, to)
	case permuted:
		sixteen = permuteSixteen(entry, from, dictionary, frame.Parameter("limit"), to)
	}
	Label("sixteen")
	sixteen()
	ADDQ(Imm(uint64(16*size)), from)
	ADDQ(U32(uint32(16*entry)), to)
	DECQ(n)
	JNZ(LabelRef("sixteen"))
	VZEROUPPER()
	RET()
}

// permuteSixteen loads the dictionary and returns what looks 16 codes up in it. Of entries of
// 16 bytes one register has the first halves, and one the second:
//
//	codes             a b c d
//	in both halves    a 8+a | b 8+b | c 8+c | d 8+d
func permuteSixteen(entry int, from, dictionary, limit, to reg.GPVirtual) func() {
	bits, there := GP64(), K()
	MOVQ(I32(-1), bits)
	if entry == 16 {
		ADDQ(limit, limit)
	}
	BZHIQ(limit, bits, bits)
	KMOVW(bits.As32(), there)
	low, high := ZMM(), ZMM()
	if entry == 4 {
		VMOVDQU32_Z(Mem{Base: dictionary}, there, low)
		return func() {
			found := ZMM()
			VPMOVZXBD(Mem{Base: from}, found)
			VPERMD(low, found, found)
			VMOVDQU64(found, Mem{Base: to})
		}
	}
	VMOVDQU64_Z(Mem{Base: dictionary}, there, low)
	KSHIFTRW(Imm(8), there, there)
	VMOVDQU64_Z(Mem{Base: dictionary, Disp: 64}, there, high)
	if entry == 8 {
		return func() {
			for i := range 2 {
				found := ZMM()
				VPMOVZXBQ(Mem{Base: from, Disp: 8 * i}, found)
				VPERMI2Q(high, low, found)
				VMOVDQU64(found, Mem{Base: to, Disp: 64 * i})
			}
		}
	}
	load := func(table string) reg.VecVirtual {
		v := ZMM()
		VMOVDQU64(frame.Variable(table), v)
		return v
	}
	firsts, seconds := load("evenEights"), ZMM()
	VPORQ(load("eightsPlusOne"), firsts, seconds)
	VPERMI2Q(high, low, firsts)
	VPERMI2Q(high, low, seconds)
	codes, half := load("codeOfLane"), load("halfOfEntry")
	return func() {
		for i := range 4 {
			found := ZMM()
			VPBROADCASTD(Mem{Base: from, Disp: 4 * i}, found)
			VPSHUFB(codes, found, found)
			VPORQ(half, found, found)
			VPERMI2Q(seconds, firsts, found)
			VMOVDQU64(found, Mem{Base: to, Disp: 64 * i})
		}
	}
}
