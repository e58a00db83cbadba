// Command asm writes the AVX2 kernels of column/vector with avo: values whose
// bits are set move to the front. A few bits at a time, as many as there are
// values in 32 bytes, are looked up in a table that says which 4 bytes go where:
//
//	bits    0 1 1 0
//	values  a b c d     8 bytes each
//	table   2 3 4 5 ? ? ? ?
//	stored  b c ? ?     and the next ones from the third place on
//
// What is stored for nothing lies within the 32 bytes that were just loaded, or
// in front of them, so that all can be done in place.
package main

import (
	"encoding/binary"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!purego")
	bytes := table("bytesOfBits", 4)
	keepBytes("keep1AVX2", bytes)
	keep("keep4AVX2", 4, bytes)
	keep("keep8AVX2", 8, table("keep8AVX2Rows", 8))
	keep("keep16AVX2", 16, table("keep16AVX2Rows", 16))
	Generate()
}

// table returns the rows for all patterns of 32/size bits. Rows for values of 4
// bytes are bytes, which are widened when they are loaded: there are 256.
func table(name string, size int) Mem {
	each := 32 / size
	mem := GLOBL(name, RODATA|NOPTR)
	for pattern := range 1 << each {
		var row [8]byte
		at := 0
		for value := range each {
			if pattern>>value&1 != 0 {
				for part := range size / 4 {
					row[at] = byte(value*size/4 + part)
					at++
				}
			}
		}
		// Two numbers of 4 bytes, or all eight as bytes, in each word.
		if size == 4 {
			DATA(pattern*8, U64(binary.LittleEndian.Uint64(row[:])))
			continue
		}
		for i := 0; i < len(row); i += 2 {
			DATA(pattern*32+i*4, U64(uint64(row[i])|uint64(row[i+1])<<32))
		}
	}
	return mem
}

// begin declares a kernel and loads its parameters.
func begin(name string) (from, sel, words reg.GPVirtual) {
	TEXT(name, NOSPLIT, "func(values *byte, sel *uint64, words int) (kept int)")
	Pragma("noescape")
	Doc(name + " moves the values whose bits are set in words > 0 words to the front of words*64 values, and returns how many they are.")
	load := func(name string) reg.GPVirtual {
		r := GP64()
		Load(Param(name), r)
		return r
	}
	return load("values"), load("sel"), load("words")
}

// keepBytes has the rows of the table for what they are: 8 bytes to a row.
func keepBytes(name string, rows Mem) {
	from, sel, words := begin(name)
	to, start, base := GP64(), GP64(), GP64()
	MOVQ(from, to)
	MOVQ(from, start)
	LEAQ(rows, base)
	Label("word")
	w := GP64()
	MOVQ(Mem{Base: sel}, w)
	ADDQ(Imm(8), sel)
	for part := range 8 {
		pattern, count, v, order := GP64(), GP64(), XMM(), XMM()
		VMOVQ(Mem{Base: from, Disp: 8 * part}, v)
		MOVBQZX(w.As8(), pattern)
		POPCNTQ(pattern, count)
		VMOVQ(Mem{Base: base, Index: pattern, Scale: 8}, order)
		VPSHUFB(order, v, v)
		VMOVQ(v, Mem{Base: to})
		ADDQ(count, to)
		SHRQ(Imm(8), w)
	}
	ADDQ(Imm(64), from)
	DECQ(words)
	JNZ(LabelRef("word"))
	SUBQ(start, to)
	Store(to, ReturnIndex(0))
	RET()
}

func keep(name string, size int, rows Mem) {
	from, sel, words := begin(name)
	to, start, base := GP64(), GP64(), GP64()
	MOVQ(from, to)
	MOVQ(from, start)
	LEAQ(rows, base)
	each := 32 / size
	shift := map[int]uint64{4: 3, 8: 5, 16: 5}[size]
	width := map[int]uint64{4: 2, 8: 3, 16: 4}[size]

	Label("word")
	w, left := GP64(), GP64()
	MOVQ(Mem{Base: sel}, w)
	ADDQ(Imm(8), sel)
	MOVQ(U32(uint32(size)), left) // 64 values, 64 bytes at a time
	Label("some")
	for half := range 2 {
		pattern, row, count, v, order := GP64(), GP64(), GP64(), YMM(), YMM()
		VMOVDQU(Mem{Base: from, Disp: 32 * half}, v)
		if size == 4 {
			MOVBQZX(w.As8(), pattern)
		} else {
			MOVQ(w, pattern)
			ANDQ(Imm(uint64(1<<each-1)), pattern)
		}
		POPCNTQ(pattern, count)
		MOVQ(pattern, row)
		SHLQ(Imm(shift), row)
		if size == 4 {
			VPMOVZXBD(Mem{Base: base, Index: row, Scale: 1}, order)
		} else {
			VMOVDQU(Mem{Base: base, Index: row, Scale: 1}, order)
		}
		VPERMD(v, order, v)
		VMOVDQU(v, Mem{Base: to})
		SHLQ(Imm(width), count)
		ADDQ(count, to)
		SHRQ(Imm(uint64(each)), w)
	}
	ADDQ(Imm(64), from)
	DECQ(left)
	JNZ(LabelRef("some"))
	DECQ(words)
	JNZ(LabelRef("word"))
	VZEROUPPER()
	SUBQ(start, to)
	SHRQ(Imm(width), to)
	Store(to, ReturnIndex(0))
	RET()
}
