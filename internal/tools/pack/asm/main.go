// Command asm writes the kernels of encoding/pack with avo: values whose bits
// are set move to the front. A few bits at a time, as many as there are values
// in a register, say which go where. AVX2 looks that up in a table:
//
//	bits    0 1 1 0
//	values  a b c d     8 bytes each
//	table   2 3 4 5 ? ? ? ?
//	stored  b c ? ?     and the next ones from the third place on
//
// AVX-512 has an instruction for values of 1, 4 and 8 bytes, and stores twice as many at once.
//
// In place, what is stored for nothing lies within what was just loaded, or in
// front of it. Where bits are rare, they are found first (places.go), and values are fetched.
package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

func main() {
	ConstraintExpr("!purego")
	bytes := frame.Variable("bytesOfBits")
	kernel("pack1AVX2", 1, packBytes(bytes))
	kernel("pack4AVX2", 4, permute(4, bytes))
	kernel("pack8AVX2", 8, permute(8, frame.Variable("rowsOf8")))
	kernel("pack16AVX2", 16, permute(16, frame.Variable("rowsOf16")))
	kernel("pack1VBMI2", 1, compressBytes())
	kernel("pack4AVX512", 4, compress(4))
	kernel("pack8AVX512", 8, compress(8))
	fetch(4)
	fetch(8)
	Generate()
}

// shiftOf is by how many bits a number of values is shifted for their bytes.
func shiftOf(size int) uint64 { return uint64(bits.TrailingZeros(uint(size))) }

// word is how a kernel packs one word's values. prepare is for what the loop
// has in registers; each is told where the word and its values are, and moves to.
type word struct {
	more    int // values that it may store behind the last
	prepare func()
	each    func(sel, from, to reg.GPVirtual)
}

// kernel writes one. Two values are copied for a word that has no more, wanted
// or not: so there is seldom a branch to be guessed wrong where bits are rare.
func kernel(name string, size int, pack word) {
	frame.Kernel(name, "func(dst, src *byte, sel *uint64, words, room int) (done, kept int)",
		fmt.Sprintf("packs the values of up to words > 0 words, 64 for each. "+
			"It stops before a word whose values, and %d more, do not fit into room.", pack.more))
	dst, from, sel, words, room := frame.Parameter("dst"), frame.Parameter("src"), frame.Parameter("sel"), frame.Parameter("words"), frame.Parameter("room")
	shift := shiftOf(size)
	to, end, start := GP64(), GP64(), GP64()
	MOVQ(dst, to)
	MOVQ(sel, start)
	SUBQ(Imm(uint64(pack.more)), room)
	SHLQ(Imm(shift), room)
	MOVQ(dst, end)
	ADDQ(room, end)
	LEAQ(Mem{Base: sel, Index: words, Scale: 8}, words) // where they end
	pack.prepare()
	Label("word")
	w, count, next := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: sel}, w)
	POPCNTQ(w, count)
	if size == 16 {
		MOVQ(count, next)
		SHLQ(Imm(4), next)
		ADDQ(to, next)
	} else {
		LEAQ(Mem{Base: to, Index: count, Scale: uint8(size)}, next)
	}
	CMPQ(next, end)
	JA(LabelRef("stop"))
	CMPQ(count, Imm(2))
	JLE(LabelRef("few"))
	pack.each(sel, from, to)
	Label("next")
	MOVQ(next, to)
	ADDQ(U32(uint32(64*size)), from)
	ADDQ(Imm(8), sel)
	CMPQ(sel, words)
	JB(LabelRef("word"))
	Label("stop")
	VZEROUPPER()
	SUBQ(dst, to)
	if shift > 0 {
		SHRQ(Imm(shift), to)
	}
	SUBQ(start, sel)
	SHRQ(Imm(3), sel)
	frame.End(sel, to)
	Label("few")
	var values [2]func()
	for i := range values {
		at := GP64()
		TZCNTQ(w, at)
		ANDQ(Imm(63), at) // of nothing it is 64
		if i == 0 {
			BLSRQ(w, w)
		}
		values[i] = move(size, from, at, Mem{Base: to, Disp: i * size})
	}
	for _, store := range values {
		store()
	}
	JMP(LabelRef("next"))
}

// move loads the value at a place, and returns what stores it.
func move(size int, from, at reg.GPVirtual, to Mem) (store func()) {
	if size == 16 {
		v := XMM()
		SHLQ(Imm(4), at)
		VMOVDQU(Mem{Base: from, Index: at, Scale: 1}, v)
		return func() { VMOVDQU(v, to) }
	}
	v, value := GP64(), Mem{Base: from, Index: at, Scale: uint8(size)}
	switch size {
	case 1:
		MOVB(value, v.As8())
		return func() { MOVB(v.As8(), to) }
	case 4:
		MOVL(value, v.As32())
		return func() { MOVL(v.As32(), to) }
	}
	MOVQ(value, v)
	return func() { MOVQ(v, to) }
}

// packBytes has the rows of the table for what they are: 8 bytes to a row.
func packBytes(rows Mem) word {
	base := GP64()
	return word{8, func() { LEAQ(rows, base) }, func(sel, from, to reg.GPVirtual) {
		for part := range 8 {
			pattern, v, order := GP64(), XMM(), XMM()
			MOVBQZX(Mem{Base: sel, Disp: part}, pattern)
			VMOVQ(Mem{Base: from, Disp: 8 * part}, v)
			VMOVQ(Mem{Base: base, Index: pattern, Scale: 8}, order)
			VPSHUFB(order, v, v)
			VMOVQ(v, Mem{Base: to})
			POPCNTQ(pattern, pattern)
			ADDQ(pattern, to)
		}
	}}
}

// compressBytes is compress for values of one byte.
func compressBytes() word {
	return word{63, func() {}, func(sel, from, to reg.GPVirtual) {
		wanted, v, front := K(), ZMM(), ZMM()
		VMOVDQU64(Mem{Base: from}, v)
		KMOVQ(Mem{Base: sel}, wanted)
		frame.CompressBytes(v, wanted, front)
		VMOVDQU64(front, Mem{Base: to})
	}}
}

// permute packs 32 bytes at a time.
func permute(size int, rows Mem) word {
	base := GP64()
	each := 32 / size
	return word{each, func() { LEAQ(rows, base) }, func(sel, from, to reg.GPVirtual) {
		bits := GP64()
		for part := range 64 / each {
			pattern, row, v, order := GP64(), GP64(), YMM(), YMM()
			if part*each%8 == 0 {
				MOVBQZX(Mem{Base: sel, Disp: part * each / 8}, bits)
			} else {
				SHRL(Imm(uint64(each)), bits.As32())
			}
			if each == 8 || part*each%8 == 8-each {
				pattern = bits
			} else {
				MOVL(bits.As32(), pattern.As32())
				ANDL(Imm(uint64(1<<each-1)), pattern.As32())
			}
			if size == 4 {
				VPMOVZXBD(Mem{Base: base, Index: pattern, Scale: 8}, order)
			} else {
				MOVL(pattern.As32(), row.As32())
				SHLL(Imm(5), row.As32())
				VMOVDQU(Mem{Base: base, Index: row, Scale: 1}, order)
			}
			VPERMD(Mem{Base: from, Disp: 32 * part}, order, v)
			VMOVDQU(v, Mem{Base: to})
			count := GP64()
			POPCNTL(pattern.As32(), count.As32())
			advance(size, count, to)
		}
	}}
}

func advance(size int, count, to reg.GPVirtual) {
	if size == 16 {
		SHLL(Imm(4), count.As32())
		ADDQ(count, to)
		return
	}
	LEAQ(Mem{Base: to, Index: count, Scale: uint8(size)}, to)
}

const loadAhead, storeAhead = 16384, 2560 // bytes

// compress is for values of 4 and 8 bytes, of which it packs 64 bytes at a time. It asks for the lines
// that it will load ahead, to the second cache, and for one in four of those that it will store
// to: it is so fast that it would wait for them, and also for more to be asked.
func compress(size int) word {
	each := uint64(64 / size)
	bits, mask, part := GP64(), K(), K()
	return word{int(each), func() {}, func(sel, from, to reg.GPVirtual) {
		MOVQ(Mem{Base: sel}, bits)
		KMOVQ(bits, mask)
		for k := range size {
			v, wanted, count := ZMM(), mask, GP64()
			VMOVDQU64(Mem{Base: from, Disp: 64 * k}, v)
			PREFETCHT1(Mem{Base: from, Disp: 64*k + loadAhead})
			if k%4 == 0 {
				PREFETCHT0(Mem{Base: to, Disp: storeAhead})
			}
			if k > 0 {
				wanted = part
				KSHIFTRQ(Imm(uint64(k)*each), mask, wanted)
			}
			if size == 4 {
				MOVWLZX(bits.As16(), count.As32())
				VPCOMPRESSD_Z(v, wanted, v)
			} else {
				MOVBLZX(bits.As8(), count.As32())
				VPCOMPRESSQ_Z(v, wanted, v)
			}
			VMOVDQU64(v, Mem{Base: to})
			POPCNTL(count.As32(), count.As32())
			LEAQ(Mem{Base: to, Index: count, Scale: uint8(size)}, to)
			if k < size-1 {
				SHRQ(Imm(each), bits)
			}
		}
	}}
}
