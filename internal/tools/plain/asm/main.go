// Command asm writes the kernels of encoding/plain with avo. They use the
// instructions that fetch memory ahead, which Go has not, and vectors to spread bits.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!purego")
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
