package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// secondLoad is where the second of two loads of 64 bytes begins, with which the
// latter 32 of 64 codes are read. It ends at most 16 bytes behind them.
func secondLoad(width int) int { return min(4*width, 8*width-48) }

// testPermuted looks 64 codes of 9 to 14 bits up at a time, in tables of 64 bytes
// that VPERMB takes from memory. The 8 bytes of lane j, of 8, are first filled
// twice with source bytes, such that each time 4 whole codes lie in them:
//
//	lane j of quads[0]    codes 8j to 8j+3
//	lane j of quads[1]    codes 8j+4 to 8j+7
//
// VPMULTISHIFTQB moves any 8 bits of a lane to each of its bytes: those from
// bit 0, 3 and 11 of each code on, in the order of the codes. Bits 0 to 2 choose
// the bit in a byte, 3 to 8 the byte in a table, those above the table: half of
// the tables are looked up into registers, the other half over them where the
// bit says so, and so on.
func testPermuted(width int) {
	name := fmt.Sprintf("test%dBitsVBMI", width)
	constant := func(what string, at func(i int) int) Mem {
		mem := GLOBL(fmt.Sprintf("%s%d", what, width), RODATA|NOPTR)
		for i := range 64 {
			DATA(i, U8(at(i)))
		}
		return mem
	}
	// Of lane j the codes begin at bit 8*j*width, and the second four of them later.
	begins := func(four int) int { return 4 * four * width }
	source := func(four int) func(int) int {
		return func(i int) int {
			at := i/8*width + begins(four)/8 + i%8
			if i >= 32 {
				at -= secondLoad(width)
			}
			return at & 63
		}
	}
	whole := func(four int) func(int) int {
		return func(i int) int { return (begins(four)%8 + i%8/2*width + i%2*8) & 63 }
	}
	part := func(bit int) func(int) int {
		return func(i int) int { return (begins(i/4%2)%8 + i%4*width + bit) & 63 }
	}
	sources := [2]Mem{constant("firstFour", source(0)), constant("lastFour", source(1))}
	wholes := [2]Mem{constant("firstWhole", whole(0)), constant("lastWhole", whole(1))}
	parts := []Mem{constant("fromBit0", part(0)), constant("fromBit3", part(3))}
	if width > 11 {
		parts = append(parts, constant("fromBit11", part(11)))
	}
	limits := constant("limits", func(i int) int { return (1<<width - 1) >> (i % 2 * 8) & 255 })
	bitsIn := constant("bitsIn", func(i int) int { return 1 << (i % 8) })

	a := testKernel(name, "uint64", fmt.Sprintf("%s tests words*64 codes of %d bits, words > 0, against a table of %d bits, "+
		"and returns the largest. It reads 16 bytes behind them.", name, width, 1<<width))
	load := func(m Mem) reg.VecVirtual {
		v := ZMM()
		VMOVDQU64(m, v)
		return v
	}
	limit, powers, biggest := load(limits), load(bitsIn), ZMM()
	VPXORQ(biggest, biggest, biggest)
	each := func(b uint32) reg.VecVirtual {
		r, v := GP32(), ZMM()
		MOVL(U32(b), r)
		VPBROADCASTB(r, v)
		return v
	}
	seven := each(7)
	// The bits of index, and of what is above, by which tables are chosen.
	var ofIndex, above []reg.VecVirtual
	for bit := 6; bit < min(8, width-3); bit++ {
		ofIndex = append(ofIndex, each(1<<bit))
	}
	for bit := range max(0, width-11) {
		above = append(above, each(1<<bit))
	}
	mask := func(bits uint64) reg.OpmaskVirtual {
		r, k := GP64(), K()
		MOVQ(U64(bits), r)
		KMOVQ(r, k)
		return k
	}
	upperHalf, upperFours := mask(0xffffffff00000000), mask(0xf0f0f0f0f0f0f0f0)
	var from, to [2]reg.VecVirtual
	fields := make([]reg.VecVirtual, len(parts))
	for i := range from {
		from[i], to[i] = load(sources[i]), load(wholes[i])
	}
	for i := range fields {
		fields[i] = load(parts[i])
	}

	Label("loop")
	near, far := ZMM(), ZMM()
	VMOVDQU64(Mem{Base: a.src}, near)
	VMOVDQU64(Mem{Base: a.src, Disp: secondLoad(width)}, far)
	ADDQ(Imm(uint64(8*width)), a.src)
	var quads [2]reg.VecVirtual
	for i := range quads {
		quads[i] = ZMM()
		VPERMB(near, from[i], quads[i])
		VPERMB(far, from[i], upperHalf, quads[i])
		codes := ZMM()
		VPMULTISHIFTQB(quads[i], to[i], codes)
		VPANDQ(limit, codes, codes)
		VPMAXUW(codes, biggest, biggest)
	}
	field := func(i int) reg.VecVirtual {
		v := ZMM()
		VPMULTISHIFTQB(quads[0], fields[i], v)
		VPMULTISHIFTQB(quads[1], fields[i], upperFours, v)
		return v
	}
	low, index := field(0), field(1)
	VPANDQ(seven, low, low)
	// choose[i] has the bits of the codes that want the upper half of 2<<i tables.
	var choose []reg.OpmaskVirtual
	test := func(v reg.VecVirtual, bits []reg.VecVirtual) {
		for _, bit := range bits {
			k := K()
			VPTESTMB(bit, v, k)
			choose = append(choose, k)
		}
	}
	test(index, ofIndex)
	if width > 11 {
		test(field(2), above)
	}
	var find func(table, level int) reg.VecVirtual
	find = func(table, level int) reg.VecVirtual {
		at := Mem{Base: a.table, Disp: 64 * table}
		if level == 0 {
			v := ZMM()
			VPERMB(at, index, v)
			return v
		}
		v := find(table, level-1)
		if level == 1 {
			at.Disp += 64
			VPERMB(at, index, choose[0], v)
			return v
		}
		VMOVDQU8(find(table+1<<(level-1), level-1), choose[level-1], v)
		return v
	}
	found := find(0, len(choose))
	bit, k, word := ZMM(), K(), GP64()
	VPSHUFB(low, powers, bit)
	VPTESTMB(bit, found, k)
	KMOVQ(k, word)
	MOVQ(word, Mem{Base: a.out})
	ADDQ(Imm(8), a.out)
	DECQ(a.words)
	JNZ(LabelRef("loop"))
	half := YMM()
	VEXTRACTI64X4(Imm(1), biggest, half)
	VPMAXUW(half, biggest.AsY(), half)
	maxOf(half, 2)
}
