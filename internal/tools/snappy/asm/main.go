// Command asm writes the kernels of page/codec/snappy with avo.
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
//
// Where most copies are of the last 16 bytes, as in columns of numbers, each
// would wait until what was written just now can be read, over 10 cycles. A
// kernel for such pages keeps the last 16 bytes in a register (near.go). Where
// literals and copies come as they like, a branch between them is foreseen
// wrongly for most literals, some 20 cycles each; a kernel with AVX-512 has none
// (wide.go).
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

func main() {
	ConstraintExpr("!purego")
	decode()
	decodeNear()
	decodeWide()
	Generate()
}

// lengthAt is where in a table of tags the lengths start, behind 256 numbers for offsets.
const lengthAt = 4 * 256

// Variables of the package, see its tables_amd64.go.
var copies, nearCopies, patterns, rows, ends = frame.Variable("copies"), frame.Variable("nearCopies"),
	frame.Variable("patterns"), frame.Variable("rows"), frame.Variable("ends")

func decode() {
	frame.Kernel("decodeAVX2", "func(dst *byte, d, dLimit int, src *byte, s, sLimit int) (d2, s2 int)",
		"decodes the tags from byte s of src to byte d of dst, until either has reached its limit or a tag is not for it "+
			"(wrong, a long literal, an offset of 4 bytes), and returns where it stopped. It reads less than 80 bytes from sLimit on, "+
			"and writes less than 64 from dLimit on.")
	k := start(copies)
	y, z := YMM(), YMM()
	k.nextTag()
	MOVQ(k.d, k.from)
	SUBQ(k.offset, k.from)
	JB(LabelRef("rare"))
	CMPQ(k.offset, k.n)
	JB(LabelRef("rare"))
	VMOVDQU(k.out(k.from, 0), y)
	VMOVDQU(y, k.out(k.d, 0))
	ADDQ(k.n, k.d)
	k.again()

	Label("literal")
	CMPL(k.tag.As32(), U32(32<<2))
	JAE(LabelRef("longLiteral"))
	VMOVDQU(k.in(1), y)
	k.passLiteral()
	VMOVDQU(y, k.out(k.d, 0))
	LEAQ(Mem{Base: k.d, Index: k.n, Scale: 1, Disp: 1}, k.d)
	k.again()

	Label("longLiteral")
	k.longLiteral(y, z, func() {})

	// Copies of more than 32 bytes, or that overlap what they write, and those
	// that are for others.
	Label("rare")
	CMPL(k.bits.As32(), Imm(24))
	JEQ(LabelRef("back"))
	MOVWLZX(k.offset.As16(), k.offset.As32())
	TESTQ(k.offset, k.offset)
	JZ(LabelRef("back"))
	MOVQ(k.d, k.from)
	SUBQ(k.offset, k.from)
	JB(LabelRef("back"))
	CMPQ(k.offset, Imm(32))
	JB(LabelRef("pattern"))
	// The second half may read what the first wrote.
	VMOVDQU(k.out(k.from, 0), y)
	VMOVDQU(y, k.out(k.d, 0))
	VMOVDQU(k.out(k.from, 32), y)
	VMOVDQU(y, k.out(k.d, 32))
	ADDQ(k.n, k.d)
	k.again()

	Label("pattern")
	repeat(k.out(k.from, 0), k.offset, k.t, func(half int) Mem { return k.out(k.d, 32*half) })
	ADDQ(k.n, k.d)
	k.again()

	k.stop()
}

// repeat fills 64 bytes with the pattern of offset bytes at from; offset and t
// change. Of a pattern of up to 16 bytes its front is all; of a longer one the
// front are the first 16 bytes, the back the last 16.
func repeat(from Mem, offset, t reg.GPVirtual, to func(half int) Mem) {
	shuffles, back := GP64(), GP64()
	LEAQ(Mem{Base: offset, Disp: -16}, back)
	XORL(t.As32(), t.As32())
	CMPQ(back, t)
	CMOVQLT(t, back)
	SHLQ(Imm(7), offset) // of 128 bytes each
	LEAQ(patterns, shuffles)
	ADDQ(offset, shuffles)
	VBROADCASTI128(from, reg.Y0)
	LEAQ(from, t)
	VBROADCASTI128(Mem{Base: t, Index: back, Scale: 1}, reg.Y1)
	for half := range 2 {
		VPSHUFB(Mem{Base: shuffles, Disp: 64 * half}, reg.Y0, reg.Y2)
		VPSHUFB(Mem{Base: shuffles, Disp: 64*half + 32}, reg.Y1, reg.Y3)
		VPOR(reg.Y2, reg.Y3, reg.Y3)
		VMOVDQU(reg.Y3, to(half))
	}
}

// A kernel has in registers what both share.
type kernel struct {
	base, d, ip, t, table reg.GPVirtual
	// next is the tag, with rubbish above its 8 bits; behind the 8 bytes that follow it.
	next, behind reg.GPVirtual
	tag, bits    reg.GPVirtual // bits of offset behind it
	offset, from reg.GPVirtual
	n, count     reg.GPVirtual // of bytes; of tags that go unchecked
}

func (k *kernel) out(at reg.GPVirtual, disp int) Mem {
	return Mem{Base: k.base, Index: at, Scale: 1, Disp: disp}
}

func (k *kernel) in(disp int) Mem { return Mem{Base: k.ip, Disp: disp} }

func (k *kernel) again() {
	DECQ(k.count)
	JNZ(LabelRef("loop"))
	JMP(LabelRef("bounds"))
}

func start(tags Mem) *kernel {
	k := &kernel{base: frame.Parameter("dst"), d: frame.Parameter("d"), ip: frame.Parameter("src"), t: GP64(), table: GP64()}
	Load(Param("s"), k.t)
	ADDQ(k.t, k.ip)
	LEAQ(tags, k.table)
	k.next, k.behind, k.tag, k.bits = GP64(), GP64(), GP64(), GP64()
	k.offset, k.from, k.n, k.count = GP64(), GP64(), GP64(), GP64()
	k.readTag()
	return k
}

// nextTag checks bounds, takes the next tag, and goes to literal or on.
func (k *kernel) nextTag() {
	Label("bounds")
	Load(Param("src"), k.count)
	ADDQ(NewParamAddr("sLimit", 40), k.count)
	SUBQ(k.ip, k.count)
	Load(Param("dLimit"), k.t)
	SUBQ(k.d, k.t)
	CMPQ(k.t, k.count)
	CMOVQLT(k.t, k.count)
	TESTQ(k.count, k.count)
	JLE(LabelRef("done"))
	SHRQ(Imm(6), k.count)
	INCQ(k.count)

	Label("loop")
	MOVBLZX(k.next.As8(), k.tag.As32())
	MOVL(k.next.As32(), k.bits.As32())
	ANDL(Imm(3), k.bits.As32())
	JZ(LabelRef("literal"))
	LEAQ(Mem{Base: k.ip, Index: k.bits, Scale: 1, Disp: 1}, k.ip)
	SHLL(Imm(3), k.bits.As32())
	SHRXQ(k.bits, k.behind, k.next)
	BZHIQ(k.bits, k.behind, k.offset)
	MOVQ(k.in(1), k.behind)
	ADDL(Mem{Base: k.table, Index: k.tag, Scale: 4}, k.offset.As32())
	MOVBLZX(Mem{Base: k.table, Index: k.tag, Scale: 1, Disp: lengthAt}, k.n.As32())
}

// passLiteral goes to the tag behind a literal; n is one less than its length.
func (k *kernel) passLiteral() {
	MOVL(k.tag.As32(), k.n.As32())
	SHRL(Imm(2), k.n.As32())
	MOVBLZX(Mem{Base: k.ip, Index: k.n, Scale: 1, Disp: 2}, k.next.As32())
	MOVQ(Mem{Base: k.ip, Index: k.n, Scale: 1, Disp: 3}, k.behind)
	LEAQ(Mem{Base: k.ip, Index: k.n, Scale: 1, Disp: 2}, k.ip)
}

// longLiteral moves literals of up to 60 bytes, and those up to 256 that leave
// d and ip in front of their limits; after is what is left to do then.
func (k *kernel) longLiteral(y, z reg.VecVirtual, after func()) {
	CMPL(k.tag.As32(), U32(60<<2))
	JAE(LabelRef("longer"))
	VMOVDQU(k.in(1), y)
	VMOVDQU(k.in(33), z)
	k.passLiteral()
	VMOVDQU(y, k.out(k.d, 0))
	VMOVDQU(z, k.out(k.d, 32))
	LEAQ(Mem{Base: k.d, Index: k.n, Scale: 1, Disp: 1}, k.d)
	after()
	k.again()

	Label("longer")
	JNE(LabelRef("done")) // two bytes of length or more
	MOVBLZX(k.behind.As8(), k.n.As32())
	LEAQ(Mem{Base: k.d, Index: k.n, Scale: 1, Disp: 1}, k.from)
	CMPQ(k.from, NewParamAddr("dLimit", 16))
	JGT(LabelRef("done"))
	Load(Param("src"), k.t)
	ADDQ(NewParamAddr("sLimit", 40), k.t)
	LEAQ(k.in(2), k.ip)
	LEAQ(Mem{Base: k.ip, Index: k.n, Scale: 1, Disp: 1}, k.bits)
	CMPQ(k.bits, k.t)
	JA(LabelRef("tooLong"))
	Label("part")
	VMOVDQU(k.in(0), y)
	VMOVDQU(k.in(32), z)
	VMOVDQU(y, k.out(k.d, 0))
	VMOVDQU(z, k.out(k.d, 32))
	ADDQ(Imm(64), k.ip)
	ADDQ(Imm(64), k.d)
	SUBQ(Imm(64), k.n)
	JAE(LabelRef("part"))
	MOVQ(k.from, k.d)
	MOVQ(k.bits, k.ip)
	after()
	k.readTag()
	JMP(LabelRef("bounds"))
	Label("tooLong")
	SUBQ(Imm(2), k.ip)
	JMP(LabelRef("done"))
}

// readTag reads the tag at ip.
func (k *kernel) readTag() {
	MOVBLZX(k.in(0), k.next.As32())
	MOVQ(k.in(1), k.behind)
}

// stop puts ip back to the tag before, where a copy is not for the kernel (back).
func (k *kernel) stop() {
	Label("back")
	SHRL(Imm(3), k.bits.As32())
	SUBQ(k.bits, k.ip)
	DECQ(k.ip)
	Label("done")
	VZEROUPPER()
	Store(k.d, ReturnIndex(0))
	SUBQ(NewParamAddr("src", 24), k.ip)
	Store(k.ip, ReturnIndex(1))
	RET()
}
