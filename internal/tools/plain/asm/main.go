// Command asm writes the kernels of encoding/plain with avo. They use the
// instructions that count and find bits, which Go uses only behind a test each,
// that fetch memory ahead, which Go has not, and vectors to spread bits.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!purego")
	gather("gather4BMI", "uint32", 4)
	gather("gather8BMI", "uint64", 8)
	prefetch()
	expandBits()
	Generate()
}

// expandBits repeats each byte for the 8 values in it, and asks for one bit in each.
func expandBits() {
	TEXT("expandBitsAVX2", NOSPLIT, "func(dst, src *byte, groups int)")
	Pragma("noescape")
	Doc("expandBitsAVX2 stores a byte 0 or 1 for each of groups*32 > 0 bits.")
	table := func(name string, word func(i int) uint64) reg.VecVirtual {
		mem := GLOBL(name, RODATA|NOPTR)
		for i := range 4 {
			DATA(8*i, U64(word(i)))
		}
		v := YMM()
		VMOVDQU(mem, v)
		return v
	}
	const each = 0x0101010101010101
	which := table("byteOfBit", func(i int) uint64 { return uint64(i) * each })
	bit := table("bitOfByte", func(int) uint64 { return 0x8040201008040201 })
	one := table("oneInEach", func(int) uint64 { return each })
	dst, src, groups := GP64(), GP64(), GP64()
	Load(Param("dst"), dst)
	Load(Param("src"), src)
	Load(Param("groups"), groups)
	Label("loop")
	v := YMM()
	VPBROADCASTD(Mem{Base: src}, v)
	VPSHUFB(which, v, v)
	VPAND(bit, v, v)
	VPCMPEQB(bit, v, v)
	VPAND(one, v, v)
	VMOVDQU(v, Mem{Base: dst})
	ADDQ(Imm(4), src)
	ADDQ(Imm(32), dst)
	DECQ(groups)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// prefetch asks for the cache lines of some bytes.
func prefetch() {
	TEXT("prefetchLines", NOSPLIT, "func(p *byte, lines int)")
	Pragma("noescape")
	Doc("prefetchLines asks for lines > 0 cache lines from p on.")
	p, lines := GP64(), GP64()
	Load(Param("p"), p)
	Load(Param("lines"), lines)
	Label("loop")
	PREFETCHT0(Mem{Base: p})
	ADDQ(Imm(64), p)
	DECQ(lines)
	JNZ(LabelRef("loop"))
	RET()
}

// gather copies the values whose bits are set. Two are copied for each word
// whether they are wanted or not, so that there is seldom a branch to be
// guessed wrong where few bits are set here and there.
func gather(name, typ string, size int) {
	TEXT(name, NOSPLIT, "func(dst *"+typ+", src *byte, sel *uint64, words, room int) (done, kept int)")
	Pragma("noescape")
	Doc(name + " copies the values whose bits are set in up to words > 0 words, each of which stands for 64 values of src. " +
		"It stops before a word that is full, or for which two values more than its own do not fit into room.")
	load := func(name string) reg.GPVirtual {
		r := GP64()
		Load(Param(name), r)
		return r
	}
	dst, src, sel, words, room := load("dst"), load("src"), load("sel"), load("words"), load("room")
	kept, done := GP64(), GP64()
	XORQ(kept, kept)
	XORQ(done, done)
	Label("loop")
	w, count, end, at := GP64(), GP64(), GP64(), GP64()
	MOVQ(Mem{Base: sel, Index: done, Scale: 8}, w)
	POPCNTQ(w, count)
	LEAQ(Mem{Base: kept, Index: count, Scale: 1, Disp: 2}, end)
	CMPQ(end, room)
	JGT(LabelRef("stop"))
	CMPQ(count, Imm(64))
	JEQ(LabelRef("stop"))
	SUBQ(Imm(2), end)
	value := GP64()
	move := func(disp int) {
		TZCNTQ(w, at)
		if disp >= 0 {
			ANDQ(Imm(63), at) // of nothing it is 64
		} else {
			disp = 0
		}
		from, to := Mem{Base: src, Index: at, Scale: uint8(size)}, Mem{Base: dst, Index: kept, Scale: uint8(size), Disp: disp}
		if size == 4 {
			MOVL(from, value.As32())
			MOVL(value.As32(), to)
		} else {
			MOVQ(from, value)
			MOVQ(value, to)
		}
	}
	move(0)
	BLSRQ(w, w)
	move(size)
	CMPQ(count, Imm(2))
	JLE(LabelRef("next"))
	ADDQ(Imm(2), kept)
	BLSRQ(w, w)
	Label("more")
	move(-1)
	BLSRQ(w, w)
	INCQ(kept)
	CMPQ(kept, end)
	JLT(LabelRef("more"))
	Label("next")
	MOVQ(end, kept)
	ADDQ(U32(64*size), src)
	INCQ(done)
	CMPQ(done, words)
	JLT(LabelRef("loop"))
	Label("stop")
	Store(done, ReturnIndex(0))
	Store(kept, ReturnIndex(1))
	RET()
}
