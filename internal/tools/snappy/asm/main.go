// Command asm writes the kernel of page/codec/snappy with avo.
//
// What costs is not the moving but the waiting: for the next tag, and for
// branches that went another way. So
//
//   - the bytes behind a tag are in a register before it is looked at; the tag
//     behind a copy comes from there by a shift, 8 or 16 bits, without a branch
//     on which kind of copy it is, and those bits are its offset;
//   - whatever is to be moved, 32 bytes are;
//   - a table turns what is rare (long copies, offsets of 4 bytes) into offsets
//     beyond every output, which takes the branch that must be there anyway;
//   - bounds are checked for many tags at once: one takes at most 64 bytes from
//     src and gives at most 64.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!purego")
	tables()
	decode()
	Generate()
}

const (
	// rare is added to the offsets of copies that take the rare path; the low
	// 16 bits stay what they are.
	rare = 1 << 30
	// lengthAt is where the lengths start, behind 256 numbers for offsets.
	lengthAt = 4 * 256
	// patternSize is 64 bytes of output, by 32: which bytes to take from the
	// front of the pattern, which from its back.
	patternSize = 2 * 64
)

var (
	copies   Mem // per tag: what to add to the offset (4 bytes); the length (1)
	patterns Mem // per offset below 32: the shuffles that repeat so many bytes
)

func tables() {
	b := make([]byte, lengthAt+256)
	for tag := range 256 {
		add, length := 0, tag>>2+1
		switch tag & 3 {
		case 1:
			add, length = tag>>5<<8, tag>>2&7+4
		case 2:
			if length > 32 {
				add = rare
			}
		case 3:
			add = rare
		}
		for i := range 4 {
			b[4*tag+i] = byte(add >> (8 * i))
		}
		b[lengthAt+tag] = byte(length)
	}
	copies = data("copies", b)

	const none = 0x80 // gives 0
	b = make([]byte, 32*patternSize)
	for offset := 1; offset < 32; offset++ {
		for i := range 64 {
			front, back := none, none
			if from := i % offset; from < 16 {
				front = from
			} else {
				back = from - (offset - 16)
			}
			e := b[offset*patternSize+i/32*64+i%32:]
			e[0], e[32] = byte(front), byte(back)
		}
	}
	patterns = data("patterns", b)
}

func data(name string, b []byte) Mem {
	mem := GLOBL(name, RODATA|NOPTR)
	for i := 0; i < len(b); i += 8 {
		var w uint64
		for j := 7; j >= 0; j-- {
			w = w<<8 | uint64(b[i+j])
		}
		DATA(i, U64(w))
	}
	return mem
}

func param(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

func decode() {
	TEXT("decodeAVX2", NOSPLIT, "func(dst *byte, d, dLimit int, src *byte, s, sLimit int) (d2, s2 int)")
	Pragma("noescape")
	Doc("decodeAVX2 decodes the tags from byte s of src to byte d of dst, until either has reached its limit or a tag is not for it " +
		"(wrong, a long literal, an offset of 4 bytes), and returns where it stopped. It reads less than 80 bytes from sLimit on, " +
		"and writes less than 64 from dLimit on.")
	base, d, ip, t := param("dst"), param("d"), param("src"), GP64()
	Load(Param("s"), t)
	ADDQ(t, ip)
	table := GP64()
	LEAQ(copies, table)
	// next is the tag, with rubbish above its 8 bits; behind the 8 bytes that follow it.
	next, behind, tag, bits := GP64(), GP64(), GP64(), GP64()
	offset, from, n, count := GP64(), GP64(), GP64(), GP64()
	y, z := YMM(), YMM()
	out := func(at reg.GPVirtual, disp int) Mem { return Mem{Base: base, Index: at, Scale: 1, Disp: disp} }
	in := func(disp int) Mem { return Mem{Base: ip, Disp: disp} }
	again := func() {
		DECQ(count)
		JNZ(LabelRef("loop"))
		JMP(LabelRef("bounds"))
	}

	MOVBLZX(in(0), next.As32())
	MOVQ(in(1), behind)

	Label("bounds") // count is how many tags go unchecked
	Load(Param("src"), count)
	ADDQ(NewParamAddr("sLimit", 40), count)
	SUBQ(ip, count)
	Load(Param("dLimit"), t)
	SUBQ(d, t)
	CMPQ(t, count)
	CMOVQLT(t, count)
	TESTQ(count, count)
	JLE(LabelRef("done"))
	SHRQ(Imm(6), count)
	INCQ(count)

	Label("loop")
	MOVBLZX(next.As8(), tag.As32())
	MOVL(next.As32(), bits.As32())
	ANDL(Imm(3), bits.As32())
	JZ(LabelRef("literal"))
	LEAQ(Mem{Base: ip, Index: bits, Scale: 1, Disp: 1}, ip)
	SHLL(Imm(3), bits.As32())
	SHRXQ(bits, behind, next)
	BZHIQ(bits, behind, offset)
	MOVQ(in(1), behind)
	ADDL(Mem{Base: table, Index: tag, Scale: 4}, offset.As32())
	MOVBLZX(Mem{Base: table, Index: tag, Scale: 1, Disp: lengthAt}, n.As32())
	MOVQ(d, from)
	SUBQ(offset, from)
	JB(LabelRef("rare"))
	CMPQ(offset, n)
	JB(LabelRef("rare"))
	VMOVDQU(out(from, 0), y)
	VMOVDQU(y, out(d, 0))
	ADDQ(n, d)
	again()

	Label("literal")
	CMPL(tag.As32(), U32(32<<2))
	JAE(LabelRef("longLiteral"))
	VMOVDQU(in(1), y)
	MOVL(tag.As32(), n.As32())
	SHRL(Imm(2), n.As32()) // one less than the length
	MOVBLZX(Mem{Base: ip, Index: n, Scale: 1, Disp: 2}, next.As32())
	MOVQ(Mem{Base: ip, Index: n, Scale: 1, Disp: 3}, behind)
	LEAQ(Mem{Base: ip, Index: n, Scale: 1, Disp: 2}, ip)
	VMOVDQU(y, out(d, 0))
	LEAQ(Mem{Base: d, Index: n, Scale: 1, Disp: 1}, d)
	again()

	Label("longLiteral")
	CMPL(tag.As32(), U32(60<<2))
	JAE(LabelRef("done"))
	VMOVDQU(in(1), y)
	VMOVDQU(in(33), z)
	MOVL(tag.As32(), n.As32())
	SHRL(Imm(2), n.As32())
	MOVBLZX(Mem{Base: ip, Index: n, Scale: 1, Disp: 2}, next.As32())
	MOVQ(Mem{Base: ip, Index: n, Scale: 1, Disp: 3}, behind)
	LEAQ(Mem{Base: ip, Index: n, Scale: 1, Disp: 2}, ip)
	VMOVDQU(y, out(d, 0))
	VMOVDQU(z, out(d, 32))
	LEAQ(Mem{Base: d, Index: n, Scale: 1, Disp: 1}, d)
	again()

	// Copies of more than 32 bytes, or that overlap what they write, and those
	// that are for others: ip goes back to the tag before it stops for them.
	Label("rare")
	SHRL(Imm(3), bits.As32())
	CMPL(bits.As32(), Imm(3))
	JEQ(LabelRef("back"))
	MOVWLZX(offset.As16(), offset.As32())
	TESTQ(offset, offset)
	JZ(LabelRef("back"))
	MOVQ(d, from)
	SUBQ(offset, from)
	JB(LabelRef("back"))
	CMPQ(offset, Imm(32))
	JB(LabelRef("pattern"))
	// The second half may read what the first wrote.
	VMOVDQU(out(from, 0), y)
	VMOVDQU(y, out(d, 0))
	VMOVDQU(out(from, 32), y)
	VMOVDQU(y, out(d, 32))
	ADDQ(n, d)
	again()

	// Of a pattern of up to 16 bytes its front is all; of a longer one the front
	// are the first 16 bytes, the back the last 16.
	Label("pattern")
	shuffles, back := GP64(), GP64()
	LEAQ(Mem{Base: offset, Disp: -16}, back)
	XORL(t.As32(), t.As32())
	CMPQ(back, t)
	CMOVQLT(t, back)
	ADDQ(from, back)
	SHLQ(Imm(7), offset) // times patternSize
	LEAQ(patterns, shuffles)
	ADDQ(offset, shuffles)
	VBROADCASTI128(out(from, 0), y)
	VBROADCASTI128(out(back, 0), z)
	for half := range 2 {
		u, v := YMM(), YMM()
		VPSHUFB(Mem{Base: shuffles, Disp: 64 * half}, y, u)
		VPSHUFB(Mem{Base: shuffles, Disp: 64*half + 32}, z, v)
		VPOR(u, v, v)
		VMOVDQU(v, out(d, 32*half))
	}
	ADDQ(n, d)
	again()

	Label("back")
	SUBQ(bits, ip)
	DECQ(ip)
	Label("done")
	VZEROUPPER()
	Store(d, ReturnIndex(0))
	SUBQ(NewParamAddr("src", 24), ip)
	Store(ip, ReturnIndex(1))
	RET()
}
