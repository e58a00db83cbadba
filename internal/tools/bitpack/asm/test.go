package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/bitpack/lanes"
	"github.com/winnow-scan/winnow/internal/tools/frame"
)

// broadcast returns a register with b in every byte.
func broadcast(b uint8) reg.VecVirtual {
	r, x, v := GP32(), XMM(), YMM()
	MOVL(U32(b), r)
	VMOVD(r, x)
	VPBROADCASTB(x, v)
	return v
}

// maxOf ends a kernel with the largest lane of v, of size bytes.
func maxOf(v reg.VecVirtual, size int) {
	r := lanes.Greatest(v, size)
	VZEROUPPER()
	frame.End(r)
}

// testArgs are those of all kernels that test codes. They go over words in parts:
// so many words, each 8*width bytes of src and 8 bytes of out, then some bytes on
// or back in both, then the next part. That takes them over the headers between runs,
// and back to a last word of a run that has some codes of the one before:
//
//	steps   0: parts   1: words   2, 3: bytes of src and of out before them   (of even ones)
//	                   4: words   5, 6: bytes of src and of out before them   (of odd ones)
type testArgs struct {
	out, src, steps, left, words, width reg.GPVirtual
	table                               reg.GPVirtual // of testKernel
}

func loadArgs() testArgs {
	a := testArgs{
		out: frame.Parameter("out"), src: frame.Parameter("src"), steps: frame.Parameter("steps"),
		left: GP64(), words: GP64(), width: frame.Parameter("width"),
	}
	MOVQ(Mem{Base: a.steps}, a.left)
	MOVQ(a.part(), a.words)
	return a
}

// part returns where the next part's words are, and what is behind them.
func (a testArgs) part() Mem {
	odd := GP64()
	MOVL(a.left.As32(), odd.As32())
	ANDL(Imm(1), odd.As32())
	LEAQ(Mem{Base: odd, Index: odd, Scale: 2}, odd)
	return Mem{Base: a.steps, Index: odd, Scale: 8, Disp: 8}
}

// next goes on to the next word, at label loop, or falls through where there is none.
func (a testArgs) next(loop string) {
	ADDQ(Imm(8), a.out)
	DECQ(a.words)
	JNZ(LabelRef(loop))
	DECQ(a.left)
	JZ(LabelRef("done"))
	words := a.part()
	MOVQ(words, a.words)
	ADDQ(words.Offset(8), a.src)
	ADDQ(words.Offset(16), a.out)
	JMP(LabelRef(loop))
	Label("done")
}

func testKernel(name, tables, does string) testArgs {
	frame.Kernel(name, "func(out *uint64, src *byte, steps *int, width int, table *"+tables+") uint32", does)
	a := loadArgs()
	a.table = frame.Parameter("table")
	return a
}

// testNibbles looks codes of at most 4 bits up in one register.
func testNibbles() {
	a := testKernel("testNibblesAVX2", "byte", "tests words of 64 codes of at most 4 bits against a table of 16 bytes 0x00 or 0xff, "+
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
		storeHalf(codes, a.out, half)
	}
	a.next("loop")
	maxOf(biggest, 1)
}

// pickBits makes bytes of all ones of those of found in which the bit is set that bit has.
func pickBits(bit, found reg.VecVirtual) {
	VPAND(bit, found, found)
	VPCMPEQB(bit, found, found)
}

// storeHalf stores the outcome of 32 codes, half of a word, from the signs of bytes.
func storeHalf(v reg.VecVirtual, out reg.GPVirtual, half int) {
	mask := GP32()
	VPMOVMSKB(v, mask)
	MOVL(mask, Mem{Base: out, Disp: 4 * half})
}

// testBytes looks codes of at most 8 bits up in 256 bits: the upper five bits
// of a code choose the byte, the lower three the bit in it.
func testBytes() {
	a := testKernel("testBytesAVX2", "uint64", "tests words of 64 codes of at most 8 bits against a table of 256 bits, "+
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
		pickBits(codes, found)
		storeHalf(found, a.out, half)
	}
	a.next("loop")
	maxOf(biggest, 1)
}

// testTables looks codes of 9 bits or more up in tables of 16 bytes: bits 3 to 6
// choose the byte, bits 0 to 2 the bit in it, and the bits from 7 on the table.
// All tables are looked up, and a tree of blends keeps what the bits say:
//
//	bit   9  8 | 7 6 5 4 3 2 1 0
//	      high | low                 bytes of their own
func testTables(width int) {
	name := fmt.Sprintf("test%dBitsAVX2", width)
	a := testKernel(name, "uint64", fmt.Sprintf("tests words of 64 codes of %d bits against a table of %d bits, "+
		"and returns the largest. It reads 16 bytes behind them.", width, 1<<width))
	u := lanes.NewUnpacker(a.width)
	biggest := YMM()
	VPXOR(biggest, biggest, biggest)
	Label("loop")
	for half := range 2 {
		sixteen := sixteens(u, a.src, biggest)
		low, high, t := YMM(), YMM(), YMM()
		VPAND(lowBytes, sixteen[0], low)
		VPAND(lowBytes, sixteen[1], t)
		VPACKUSWB(t, low, low)
		VPSRLW(Imm(8), sixteen[0], high)
		VPSRLW(Imm(8), sixteen[1], t)
		VPACKUSWB(t, high, high)
		index := YMM()
		VPSRLW(Imm(3), low, index)
		VPAND(fifteens, index, index)

		var find func(table, tables int) reg.VecVirtual
		find = func(table, tables int) reg.VecVirtual {
			if tables == 1 {
				found := YMM()
				VBROADCASTI128(Mem{Base: a.table, Disp: 16 * table}, found)
				VPSHUFB(index, found, found)
				return found
			}
			zero := find(table, tables/2)
			one := find(table+tables/2, tables/2)
			if tables == 2 {
				VPBLENDVB(low, one, zero, zero) // bit 7 is the sign
				return zero
			}
			choose := YMM()
			VPSLLW(Imm(uint64(9-bits.Len(uint(tables/2)))), high, choose)
			VPBLENDVB(choose, one, zero, zero)
			return zero
		}
		found := find(0, 1<<width/128)

		VPAND(sevens, low, low)
		bit := YMM()
		VMOVDQU(powersOf2, bit)
		VPSHUFB(low, bit, bit)
		pickBits(bit, found)
		putInOrder(found)
		storeHalf(found, a.out, half)
	}
	a.next("loop")
	maxOf(biggest, 2)
}

// sixteens unpacks two registers of 16 codes, in the order 0-3, 8-11, 4-7, 12-15.
func sixteens(u lanes.Unpacker, src reg.GPVirtual, biggest reg.VecVirtual) (v [2]reg.VecVirtual) {
	for i := range v {
		v[i] = YMM()
		first := YMM()
		VMOVDQA(u.Next(src), first)
		VPACKUSDW(u.Next(src), first, v[i])
		VPMAXUW(v[i], biggest, biggest)
	}
	return v
}

// putInOrder undoes the order of sixteens, after two of them are packed to one.
func putInOrder(v reg.VecVirtual) {
	order := YMM()
	VMOVDQU(inOrder, order)
	VPERMD(v, order, v)
}

// testRange compares codes of at most 16 bits with the ends of a range: code -
// lo, which wraps around, is the lower of itself and span.
func testRange() {
	frame.Kernel("testRangeAVX2", "func(out *uint64, src *byte, steps *int, width int, lo, span uint16, flip uint64) uint32",
		"tests whether words of 64 codes of at most 16 bits, words > 0, lie within lo and lo+span, flips the bits that flip has, "+
			"and returns the largest code. It reads 16 bytes behind them.")
	a, flip := loadArgs(), frame.Parameter("flip")
	bound := func(param string) reg.VecVirtual {
		v := YMM()
		VPBROADCASTW(frame.Address(param), v)
		return v
	}
	lo, span := bound("lo"), bound("span")
	u := lanes.NewUnpacker(a.width)
	biggest := YMM()
	VPXOR(biggest, biggest, biggest)
	Label("loop")
	word := GP64()
	for half := range 2 {
		sixteen := sixteens(u, a.src, biggest)
		for _, v := range sixteen {
			t := YMM()
			VPSUBW(lo, v, v)
			VPMINUW(span, v, t)
			VPCMPEQW(t, v, v)
		}
		VPACKSSWB(sixteen[1], sixteen[0], sixteen[0])
		putInOrder(sixteen[0])
		mask := GP64()
		VPMOVMSKB(sixteen[0], mask.As32())
		if half == 0 {
			MOVQ(mask, word)
		} else {
			SHLQ(Imm(32), mask)
			ORQ(mask, word)
		}
	}
	XORQ(flip, word)
	MOVQ(word, Mem{Base: a.out})
	a.next("loop")
	maxOf(biggest, 2)
}

// Constants are in memory, for registers are short.
var (
	lowBytes, fifteens, sevens = frame.Variable("lowBytes"), frame.Variable("fifteens"), frame.Variable("sevens")
	powersOf2, inOrder         = frame.Variable("powersOf2"), frame.Variable("inOrder")
	lowThree                   = map[int]Mem{2: frame.Variable("lowThree2"), 4: frame.Variable("lowThree4")} // bits of codes, by their size
)

// largest takes the maximum of 32 codes at a time.
func largest() {
	frame.Kernel("largestAVX2", "func(codes *uint32, blocks int) uint32",
		"returns the largest of blocks*32 codes, blocks > 0.")
	codes, n := frame.Parameter("codes"), frame.Parameter("blocks")
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
