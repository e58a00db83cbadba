package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// broadcast returns a register with b in every byte.
func broadcast(b uint8) reg.VecVirtual {
	r, x, v := GP32(), XMM(), YMM()
	MOVL(U32(b), r)
	VMOVD(r, x)
	VPBROADCASTB(x, v)
	return v
}

// maxOfBytes stores the largest byte of v as the uint32 result "max".
func maxOfBytes(v reg.VecVirtual) {
	maxOf(v, 1)
}

// maxOf folds v in halves down to one lane of size bytes, and stores it.
func maxOf(v reg.VecVirtual, size int) {
	h := XMM()
	fold := VPMAXUD
	if size == 1 {
		fold = VPMAXUB
	}
	VEXTRACTI128(Imm(1), v, h)
	fold(h, v.AsX(), v.AsX())
	for shift := 8; shift >= size; shift /= 2 {
		VPSRLDQ(Imm(uint64(shift)), v.AsX(), h)
		fold(h, v.AsX(), v.AsX())
	}
	r := GP32()
	VMOVD(v.AsX(), r)
	if size == 1 {
		MOVBLZX(r.As8(), r)
	}
	VZEROUPPER()
	Store(r, ReturnIndex(0))
	RET()
}

type testArgs struct{ out, src, words, width, table reg.GPVirtual }

func testKernel(name, tables, doc string) testArgs {
	TEXT(name, NOSPLIT, "func(out *uint64, src *byte, words, width int, table *"+tables+") uint32")
	Pragma("noescape")
	Doc(doc)
	a := testArgs{GP64(), GP64(), GP64(), GP64(), GP64()}
	Load(Param("out"), a.out)
	Load(Param("src"), a.src)
	Load(Param("words"), a.words)
	Load(Param("width"), a.width)
	Load(Param("table"), a.table)
	return a
}

// testNibbles looks codes of at most 4 bits up in one register.
func testNibbles() {
	a := testKernel("testNibblesAVX2", "byte", "testNibblesAVX2 tests words*64 codes of at most 4 bits against a table of 16 bytes 0x00 or 0xff, "+
		"and returns the largest. It reads 16 bytes behind them.")
	u := load8(a.width)
	lookup, biggest := YMM(), YMM()
	VBROADCASTI128(Mem{Base: a.table}, lookup)
	VPXOR(biggest, biggest, biggest)
	Label("loop")
	for half := range 2 {
		codes := u.next(a.src)
		VPMAXUB(codes, biggest, biggest)
		VPSHUFB(codes, lookup, codes)
		bits := GP32()
		VPMOVMSKB(codes, bits)
		MOVL(bits, Mem{Base: a.out, Disp: 4 * half})
	}
	ADDQ(Imm(8), a.out)
	DECQ(a.words)
	JNZ(LabelRef("loop"))
	maxOfBytes(biggest)
}

// testBytes looks codes of at most 8 bits up in 256 bits: the upper five bits
// of a code choose the byte, the lower three the bit in it.
func testBytes() {
	a := testKernel("testBytesAVX2", "uint64", "testBytesAVX2 tests words*64 codes of at most 8 bits against a table of 256 bits, "+
		"and returns the largest. It reads 16 bytes behind them.")
	u := load8(a.width)
	low, high, biggest := YMM(), YMM(), YMM()
	VBROADCASTI128(Mem{Base: a.table}, low)
	VBROADCASTI128(Mem{Base: a.table, Disp: 16}, high)
	VPXOR(biggest, biggest, biggest)
	five, three := broadcast(31), broadcast(7)
	powers, r, x := YMM(), GP64(), XMM()
	MOVQ(U64(0x8040201008040201), r)
	VMOVQ(r, x)
	VPBROADCASTQ(x, powers)
	Label("loop")
	for half := range 2 {
		codes := u.next(a.src)
		VPMAXUB(codes, biggest, biggest)
		index, choose, found := YMM(), YMM(), YMM()
		VPSRLW(Imm(3), codes, index)
		VPAND(five, index, index)
		VPSLLW(Imm(3), index, choose) // bit 4 of the index to the sign
		VPSHUFB(index, low, found)
		VPSHUFB(index, high, index)
		VPBLENDVB(choose, index, found, found)
		VPAND(three, codes, codes)
		VPSHUFB(codes, powers, codes)
		VPAND(codes, found, found)
		VPCMPEQB(codes, found, found)
		bits := GP32()
		VPMOVMSKB(found, bits)
		MOVL(bits, Mem{Base: a.out, Disp: 4 * half})
	}
	ADDQ(Imm(8), a.out)
	DECQ(a.words)
	JNZ(LabelRef("loop"))
	maxOfBytes(biggest)
}

// testAny fetches for each code the 32 bits of the mask in which its bit
// stands, and shifts that bit to the sign. A code beyond the mask is tested as
// the last one; the caller sees the largest code. Eight loads take half the
// time of one VPGATHERDD on the machines of AMD, and no longer on others.
func testAny() {
	TEXT("testAnyAVX2", NOSPLIT, "func(out *uint64, src *byte, words, width int, mask *uint64, last uint32) uint32")
	Pragma("noescape")
	Doc("testAnyAVX2 tests words*64 codes against the bits 0 to last of mask, and returns the largest. " +
		"The width is one that unpack32AVX2 takes. It reads 16 bytes behind them.")
	a := testArgs{GP64(), GP64(), GP64(), GP64(), GP64()}
	Load(Param("out"), a.out)
	Load(Param("src"), a.src)
	Load(Param("words"), a.words)
	Load(Param("width"), a.width)
	Load(Param("mask"), a.table)
	u := load32(a.width, false)
	last, biggest := YMM(), YMM()
	r, x := GP32(), XMM()
	Load(Param("last"), r)
	VMOVD(r, x)
	VPBROADCASTD(x, last)
	VPXOR(biggest, biggest, biggest)
	codes, indices := AllocLocal(32*4), AllocLocal(32*4)
	Label("loop")
	for half := range 2 {
		for i := range 4 {
			v, index := u.next(a.src), YMM()
			VPMAXUD(v, biggest, biggest)
			VPMINUD(last, v, v)
			VMOVDQU(v, codes.Offset(32*i))
			VPSRLD(Imm(6), v, index)
			VMOVDQU(index, indices.Offset(32*i))
		}
		// Two chains of 16 bits that are shifted in from the last code on.
		bits := [2]reg.GPVirtual{GP64(), GP64()}
		for _, b := range bits {
			XORL(b.As32(), b.As32())
		}
		for i := 15; i >= 0; i-- {
			for j, b := range bits {
				word, code := GP64(), GP64()
				MOVL(indices.Offset(64*j+4*i), word.As32())
				MOVQ(Mem{Base: a.table, Index: word, Scale: 8}, word)
				MOVL(codes.Offset(64*j+4*i), code.As32())
				BTQ(code, word)
				ADCL(b.As32(), b.As32())
			}
		}
		SHLL(Imm(16), bits[1].As32())
		ORL(bits[1].As32(), bits[0].As32())
		MOVL(bits[0].As32(), Mem{Base: a.out, Disp: 4 * half})
	}
	ADDQ(Imm(8), a.out)
	DECQ(a.words)
	JNZ(LabelRef("loop"))
	maxOf(biggest, 4)
}

// largest takes the maximum of 32 codes at a time.
func largest() {
	TEXT("largestAVX2", NOSPLIT, "func(codes *uint32, blocks int) uint32")
	Pragma("noescape")
	Doc("largestAVX2 returns the largest of blocks*32 codes, blocks > 0.")
	codes, n := GP64(), GP64()
	Load(Param("codes"), codes)
	Load(Param("blocks"), n)
	v := []reg.VecVirtual{YMM(), YMM(), YMM(), YMM()}
	for i := range v {
		VPXOR(v[i], v[i], v[i])
	}
	Label("loop")
	for i := range v {
		VPMAXUD(Mem{Base: codes, Disp: 32 * i}, v[i], v[i])
	}
	ADDQ(Imm(128), codes)
	DECQ(n)
	JNZ(LabelRef("loop"))
	VPMAXUD(v[1], v[0], v[0])
	VPMAXUD(v[3], v[2], v[2])
	VPMAXUD(v[2], v[0], v[0])
	maxOf(v[0], 4)
}
