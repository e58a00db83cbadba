package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// positionsWide takes up to 128 words apart into pieces of 16 bits, and squeezes
// out those that have none:
//
//	words     0100000000000000 0000000000000000 0000000000000000 1001000000000000 …    first bit left
//	pieces    0100000000000000 1001000000000000 …
//	places    0                48               …
//
// Of 32 pieces at a time the first and the second bit are found side by side,
// and what is none is squeezed out again. Nothing is guessed unless a piece has
// more than two bits; then those 32 are taken one by one.
func positionsWide() {
	const chunk = 128 // words
	const pieces = 4 * chunk
	constant := func(name string, size, n int, at func(i int) int) reg.VecVirtual {
		mem := GLOBL(name, RODATA|NOPTR)
		for i := range n {
			switch size {
			case 2:
				DATA(2*i, U16(at(i)))
			case 4:
				DATA(4*i, U32(at(i)))
			case 8:
				DATA(8*i, U64(at(i)))
			}
		}
		v := ZMM()
		VMOVDQU64(mem, v)
		return v
	}
	TEXT("positionsVBMI2", 0, "func(dst *uint32, room int, b *uint64, words int, base uint32) (n, left int)")
	Pragma("noescape")
	Doc("positionsVBMI2 does what positionsBMI does, but stops before 128 words in which it would have to stop.")
	x, y := AllocLocal(2*pieces), AllocLocal(2*pieces)
	places := constant("placesOfPieces", 2, 32, func(i int) int { return 16 * i })
	// Unpacking takes the low and the high half of each 16 bytes: this moves the
	// first 16 pieces to the low ones.
	halves := constant("lowHalvesFirst", 8, 8, func(i int) int { return i/2 + i%2*4 })
	numbers := constant("bitNumbers", 4, 16, func(i int) int { return i })
	splat := func(n uint32) reg.VecVirtual {
		r, v := GP32(), ZMM()
		MOVL(U32(n), r)
		VPBROADCASTD(r, v)
		return v
	}
	sixteen, step, minusOne, zero := splat(16<<16|16), splat(512<<16|512), splat(0xffffffff), ZMM()
	VPXORD(zero, zero, zero)

	dst, b, words, base := GP64(), GP64(), GP64(), GP32()
	Load(Param("dst"), dst)
	Load(Param("b"), b)
	Load(Param("words"), words)
	Load(Param("base"), base)
	start, end, mark := GP64(), GP64(), GP64()
	MOVQ(dst, start)
	Load(Param("room"), end)
	LEAQ(Mem{Base: dst, Index: end, Scale: 4, Disp: -66 * 4}, end)

	// atMost sets r to the smaller of n and limit, and returns a register with as many ones.
	atMost := func(n reg.Register, limit uint32, r reg.GPVirtual) reg.GPVirtual {
		most, ones := GP64(), GP64()
		MOVQ(U32(limit), most)
		MOVQ(n, r)
		CMPQ(r, most)
		CMOVQGT(most, r)
		MOVQ(I32(-1), ones)
		BZHIQ(r, ones, ones)
		return ones
	}

	Label("chunk")
	MOVQ(dst, mark)
	many, left, used, from := GP64(), GP64(), GP64(), GP64()
	atMost(words, chunk, many)
	MOVQ(many, left)
	MOVQ(b, from)
	XORL(used.As32(), used.As32())
	place := ZMM()
	VMOVDQA64(places, place)
	Label("eight")
	{
		some, k, w := GP64(), K(), ZMM()
		ones := atMost(left, 8, some)
		KMOVW(ones.As32(), k)
		VMOVDQU64_Z(Mem{Base: from}, k, w)
		filled, bits, where, mask := K(), ZMM(), ZMM(), GP32()
		VPTESTMW(w, w, filled)
		compress16(w, filled, bits)
		compress16(place, filled, where)
		VMOVDQU16(bits, x.Idx(used, 2))
		VMOVDQU16(where, y.Idx(used, 2))
		KMOVD(filled, mask)
		POPCNTL(mask, mask)
		ADDQ(mask.As64(), used)
		VPADDW(step, place, place)
		ADDQ(Imm(64), from)
		SUBQ(Imm(8), left)
		JG(LabelRef("eight"))
	}
	bases := ZMM()
	VPBROADCASTD(base, bases)
	i := GP64()
	XORL(i.As32(), i.As32())
	Label("pieces")
	CMPQ(i, used)
	JGE(LabelRef("next"))
	CMPQ(dst, end)
	JA(LabelRef("stop"))
	rest, some := GP64(), GP64()
	MOVQ(used, rest)
	SUBQ(i, rest)
	{
		ones := atMost(rest, 32, some)
		k, piece, where := K(), ZMM(), ZMM()
		KMOVD(ones.As32(), k)
		VMOVDQU16_Z(x.Idx(i, 2), k, piece)
		VMOVDQU16(y.Idx(i, 2), where)
		VPERMQ(piece, halves, piece)
		VPERMQ(where, halves, where)
		var found [2]reg.VecVirtual
		for j := range found {
			lowest := ZMM()
			found[j] = ZMM()
			VPSUBW(piece, zero, lowest)
			VPANDQ(piece, lowest, lowest)
			VPXORQ(piece, lowest, piece)
			VPADDW(minusOne, lowest, lowest)
			count16(lowest, found[j]) // 16 if there is none
		}
		more := K()
		VPTESTMW(piece, piece, more)
		KORTESTD(more, more)
		JNZ(LabelRef("many"))
		for _, unpack := range []func(...Op){VPUNPCKLWD, VPUNPCKHWD} {
			positions, from, is := ZMM(), ZMM(), K()
			unpack(found[1], found[0], positions)
			unpack(where, where, from)
			VPCMPUW(Imm(1), sixteen, positions, is) // less
			VPADDW(from, positions, positions)
			compress16(positions, is, positions)
			low, high, mask := ZMM(), ZMM(), GP32()
			VPMOVZXWD(positions.AsY(), low)
			VEXTRACTI64X4(Imm(1), positions, high.AsY())
			VPMOVZXWD(high.AsY(), high)
			VPADDD(bases, low, low)
			VPADDD(bases, high, high)
			VMOVDQU32(low, Mem{Base: dst})
			VMOVDQU32(high, Mem{Base: dst, Disp: 64})
			KMOVD(is, mask)
			POPCNTL(mask, mask)
			LEAQ(Mem{Base: dst, Index: mask.As64(), Scale: 4}, dst)
		}
		ADDQ(Imm(32), i)
		JMP(LabelRef("pieces"))
	}
	Label("many")
	ADDQ(i, some) // end of the 32
	Label("one")
	CMPQ(dst, end)
	JA(LabelRef("stop"))
	{
		bits, where, k, v := GP32(), GP32(), K(), ZMM()
		MOVWLZX(x.Idx(i, 2), bits)
		MOVWLZX(y.Idx(i, 2), where)
		KMOVW(bits, k)
		ADDL(base, where)
		VPBROADCASTD(where, v)
		VPADDD(numbers, v, v)
		VPCOMPRESSD_Z(v, k, v)
		VMOVDQU32(v, Mem{Base: dst})
		POPCNTL(bits, bits)
		LEAQ(Mem{Base: dst, Index: bits.As64(), Scale: 4}, dst)
		INCQ(i)
		CMPQ(i, some)
		JLT(LabelRef("one"))
		JMP(LabelRef("pieces"))
	}
	Label("next")
	ADDL(U32(64*chunk), base)
	LEAQ(Mem{Base: b, Index: many, Scale: 8}, b)
	SUBQ(many, words)
	JNZ(LabelRef("chunk"))
	Label("done")
	SUBQ(start, dst)
	SHRQ(Imm(2), dst)
	Store(dst, ReturnIndex(0))
	Store(words, ReturnIndex(1))
	VZEROUPPER()
	RET()
	Label("stop")
	MOVQ(mark, dst)
	JMP(LabelRef("done"))
}

// compress16 is VPCOMPRESSW.Z, which avo has not.
func compress16(from, k, to Op) {
	Instruction(&ir.Instruction{
		Opcode: "VPCOMPRESSW", Suffixes: []string{"Z"}, ISA: []string{"AVX512VBMI2"},
		Operands: []Op{from, k, to}, Inputs: []Op{from, k}, Outputs: []Op{to},
	})
}

// count16 is VPOPCNTW, which it has not either.
func count16(from, to Op) {
	Instruction(&ir.Instruction{
		Opcode: "VPOPCNTW", ISA: []string{"AVX512BITALG"},
		Operands: []Op{from, to}, Inputs: []Op{from}, Outputs: []Op{to},
	})
}
