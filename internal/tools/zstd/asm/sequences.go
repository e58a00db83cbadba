package main

import (
	"bytes"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Where the fields of cursor and bounds are, and the tables.
const (
	cursorLeft  = 0
	cursorLL    = 8
	cursorOF    = 16
	cursorML    = 24
	cursorLast  = 32
	cursorD     = 56
	cursorLit   = 64
	cursorN     = 72
	boundStart  = 0
	boundD      = 8
	boundLit    = 16
	boundWindow = 24
	atLL        = 0
	atOF        = 4096
	atML        = 8192
)

// patterns returns the shuffles that repeat the first bytes of 16, as many as
// an offset up to 16, and how far apart such 16 bytes may be put.
func patterns() (shuffles, steps Mem) {
	b, s := make([]byte, 17*16), make([]byte, 24)
	for offset := 1; offset <= 16; offset++ {
		for i := range 16 {
			b[16*offset+i] = byte(i % offset)
		}
		s[offset] = byte(16 - 16%offset)
	}
	return data("patterns", b), data("steps", s)
}

var nearJoins, nearTails Mem

func sequences() {
	shuffles, steps := patterns()
	nearJoins, nearTails = joins(), tails()
	run("farAVX2", shuffles, steps, false)
	run("nearAVX2", shuffles, steps, true)
}

// joins returns the shuffles that make 16 bytes of the end of 16 and n more:
// those for the new ones at n, for the old ones 16 behind.
func joins() Mem {
	b := bytes.Repeat([]byte{0x80}, 48)
	for i := range 16 {
		b[16+i] = byte(i)
	}
	return data("joins", b)
}

// tails returns, per offset up to 16, the shuffle that repeats so many of the
// last of 16 bytes, then one that gives zeros, and zeros.
func tails() Mem {
	b := make([]byte, 19*16)
	for offset := 1; offset <= 16; offset++ {
		for i := range 16 {
			b[16*offset+i] = byte(16 - offset + i%offset)
		}
	}
	for i := range 16 {
		b[16*17+i] = 0x80
	}
	return data("tails", b)
}

const zerosAt = 16 * 18

func run(name string, shuffles, steps Mem, near bool) {
	TEXT(name, NOSPLIT, "func(c, b *int, tables *uint64, dst, in, lits *byte)")
	Pragma("noescape")
	Doc(name + " runs sequences, and reads the state behind each, until none is to come, or one breaks a bound, " +
		"or is rare. in is 7 bytes in front of the stream's first. It touches less than 64 bytes behind its bounds.")

	local := func() Mem { return AllocLocal(8) }
	start, dEnd, litEnd, windowSize, n, in, tables, last2 := local(), local(), local(), local(), local(), local(), local(), local()
	eL, eO, eM, left, d, lit, r0, r1 := GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64()

	c, b, dst, lits, t := param("c"), param("b"), param("dst"), param("lits"), GP64()
	field := func(base reg.GPVirtual, at int) Mem { return Mem{Base: base, Disp: at} }
	keep := func(v Op, to Mem) { MOVQ(v, t); MOVQ(t, to) }
	keepSum := func(v Op, base reg.GPVirtual, to Mem) { MOVQ(v, t); ADDQ(base, t); MOVQ(t, to) }
	Load(Param("in"), t)
	MOVQ(t, in)
	Load(Param("tables"), t)
	MOVQ(t, tables)
	keepSum(field(b, boundStart), dst, start)
	keepSum(field(b, boundD), dst, dEnd)
	keepSum(field(b, boundLit), lits, litEnd)
	keep(field(b, boundWindow), windowSize)
	keep(field(c, cursorN), n)
	keep(field(c, cursorLast+16), last2)
	MOVQ(field(c, cursorLeft), left)
	MOVQ(field(c, cursorLL), eL)
	MOVQ(field(c, cursorOF), eO)
	MOVQ(field(c, cursorML), eM)
	MOVQ(field(c, cursorLast), r0)
	MOVQ(field(c, cursorLast+8), r1)
	MOVQ(field(c, cursorD), d)
	ADDQ(dst, d)
	MOVQ(field(c, cursorLit), lit)
	ADDQ(lits, lit)

	w, p, v, size, plain, m := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	x := GP64()
	history := XMM()
	var joinTable, tailTable Mem
	if near {
		joinTable, tailTable = nearJoins, nearTails
		VMOVDQU(Mem{Base: d, Disp: -16}, history)
	}
	Label("loop")
	// All bits of the sequence are in w, below bit p.
	MOVQ(left, w)
	SHRQ(Imm(3), w)
	ADDQ(in, w)
	MOVQ(Mem{Base: w}, w)
	LEAQ(Mem{Base: eL, Index: eO, Scale: 1}, m)
	ADDQ(eM, m)
	MOVBLZX(m.As8(), x.As32())
	SHRL(Imm(8), m.As32())
	MOVBLZX(m.As8(), m.As32())
	ADDL(x.As32(), m.As32())
	CMPL(m.As32(), Imm(56))
	JA(LabelRef("done"))
	MOVQ(left, p)
	ORQ(Imm(56), p)
	SUBQ(m, left)
	JB(LabelRef("back"))
	number := func(e, to reg.GPVirtual) {
		SUBQ(e, p)
		SHRXQ(p, w, to)
		BZHIQ(e, to, to)
		RORXQ(Imm(16), e, x)
		ADDL(x.As32(), to.As32())
	}
	SUBQ(eO, p)
	SHRXQ(p, w, v)
	BZHIQ(eO, v, v)
	BTSQ(eO, v) // offsets start with a power of two
	number(eM, size)
	number(eL, plain)

	// m is the offset. v > 2: the last but one gets the third last; v > 1: the
	// last gets the last but one.
	LEAQ(Mem{Base: v, Disp: -3}, x)
	MOVQ(x, m)
	ORQ(plain, m)
	JZ(LabelRef("back"))
	CMPQ(plain, Imm(1))
	ADCQ(Imm(0), v)
	MOVQ(r0, m)
	CMPQ(v, Imm(2))
	CMOVQEQ(r1, m)
	CMOVQGT(last2, m)
	TESTQ(x, x)
	CMOVQGT(x, m)

	MOVQ(litEnd, x)
	SUBQ(lit, x)
	CMPQ(plain, x)
	JGT(LabelRef("back"))
	LEAQ(Mem{Base: d, Index: plain, Scale: 1}, x)
	ADDQ(size, x)
	CMPQ(x, dEnd)
	JHI(LabelRef("back"))
	SUBQ(size, x)
	SUBQ(start, x)
	CMPQ(m, x)
	JHI(LabelRef("back"))
	CMPQ(m, windowSize)
	JHI(LabelRef("back"))

	MOVQ(last2, x)
	CMPQ(v, Imm(2))
	CMOVQGT(r1, x)
	CMOVQGE(r0, r1)
	MOVQ(x, last2)
	MOVQ(m, r0)

	next := func(e reg.GPVirtual, at int) {
		RORXQ(Imm(8), e, x)
		SUBQ(x, p)
		SHRXQ(p, w, v)
		BZHIQ(x, v, v)
		SHRQ(Imm(48), e)
		ADDQ(v, e)
		MOVQ(Mem{Base: m, Index: e, Scale: 8, Disp: at}, e)
	}
	MOVQ(tables, m)
	next(eL, atLL)
	next(eM, atML)
	next(eO, atOF)

	l, y := XMM(), XMM()
	VMOVDQU(Mem{Base: lit}, l)
	VMOVDQU(l, Mem{Base: d})
	if near {
		LEAQ(joinTable, w)
	}
	CMPQ(plain, Imm(16))
	JHI(LabelRef("longLiterals"))
	join := func(b reg.VecVirtual, n reg.GPVirtual) {
		old, new := XMM(), XMM()
		VPSHUFB(Mem{Base: w, Index: n, Scale: 1, Disp: 16}, history, old)
		VPSHUFB(Mem{Base: w, Index: n, Scale: 1}, b, new)
		VPOR(old, new, history)
	}
	if near {
		join(l, plain)
	}
	Label("match")
	ADDQ(plain, d)
	ADDQ(plain, lit)
	MOVQ(d, v)
	SUBQ(r0, v)
	if near {
		LEAQ(tailTable, p)
		LEAQ(Mem{Base: p, Disp: zerosAt}, m)
		MOVL(U32(17), x.As32())
		CMPQ(r0, x)
		CMOVQCS(r0, x)
		CMOVQCC(v, m)
		SHLL(Imm(4), x.As32())
		VPSHUFB(Mem{Base: p, Index: x, Scale: 1}, history, y)
		VPOR(Mem{Base: m}, y, y)
		VMOVDQU(y, Mem{Base: d})
		CMPQ(size, Imm(16))
		JHI(LabelRef("longMatch"))
		join(y, size)
	} else {
		CMPQ(r0, Imm(16))
		JCS(LabelRef("repeat"))
		VMOVDQU(Mem{Base: v}, y)
		VMOVDQU(y, Mem{Base: d})
		CMPQ(size, Imm(16))
		JHI(LabelRef("longMatch"))
	}
	Label("again")
	ADDQ(size, d)
	DECQ(n)
	JNZ(LabelRef("loop"))
	JMP(LabelRef("done"))

	wide := YMM()
	Label("longLiterals")
	MOVL(U32(16), x.As32())
	Label("moreLiterals")
	VMOVDQU(Mem{Base: lit, Index: x, Scale: 1}, wide)
	VMOVDQU(wide, Mem{Base: d, Index: x, Scale: 1})
	ADDQ(Imm(32), x)
	CMPQ(x, plain)
	JCS(LabelRef("moreLiterals"))
	if near {
		VMOVDQU(Mem{Base: lit, Index: plain, Scale: 1, Disp: -16}, history)
	}
	JMP(LabelRef("match"))

	if !near {
		Label("repeat")
		MOVQ(r0, x)
		SHLL(Imm(4), x.As32())
		LEAQ(shuffles, w)
		VMOVDQU(Mem{Base: v}, y)
		VPSHUFB(Mem{Base: w, Index: x, Scale: 1}, y, y)
		VMOVDQU(y, Mem{Base: d})
		CMPQ(size, Imm(16))
		JLS(LabelRef("again"))
	}
	Label("longMatch")
	CMPQ(r0, Imm(16))
	JCS(LabelRef("pattern"))
	MOVL(U32(16), x.As32())
	CMPQ(r0, Imm(32))
	JCS(LabelRef("moreNear"))
	Label("moreFar")
	VMOVDQU(Mem{Base: v, Index: x, Scale: 1}, wide)
	VMOVDQU(wide, Mem{Base: d, Index: x, Scale: 1})
	ADDQ(Imm(32), x)
	CMPQ(x, size)
	JCS(LabelRef("moreFar"))
	end := func() {
		if near {
			VMOVDQU(Mem{Base: d, Index: size, Scale: 1, Disp: -16}, history)
		}
		JMP(LabelRef("again"))
	}
	end()
	Label("moreNear")
	VMOVDQU(Mem{Base: v, Index: x, Scale: 1}, y)
	VMOVDQU(y, Mem{Base: d, Index: x, Scale: 1})
	ADDQ(Imm(16), x)
	CMPQ(x, size)
	JCS(LabelRef("moreNear"))
	end()
	Label("pattern")
	LEAQ(steps, w)
	MOVBLZX(Mem{Base: w, Index: r0, Scale: 1}, w.As32())
	MOVQ(w, x)
	Label("morePattern")
	VMOVDQU(y, Mem{Base: d, Index: x, Scale: 1})
	ADDQ(w, x)
	CMPQ(x, size)
	JCS(LabelRef("morePattern"))
	end()

	Label("back") // the sequence is as it was
	LEAQ(Mem{Base: eL, Index: eO, Scale: 1}, m)
	ADDQ(eM, m)
	MOVBLZX(m.As8(), x.As32())
	SHRL(Imm(8), m.As32())
	MOVBLZX(m.As8(), m.As32())
	ADDQ(x, left)
	ADDQ(m, left)
	Label("done")
	VZEROUPPER()
	// Registers that the loop needed are loaded again.
	c, dst, lits = param("c"), param("dst"), param("lits")
	SUBQ(dst, d)
	SUBQ(lits, lit)
	MOVQ(left, field(c, cursorLeft))
	MOVQ(eL, field(c, cursorLL))
	MOVQ(eO, field(c, cursorOF))
	MOVQ(eM, field(c, cursorML))
	MOVQ(r0, field(c, cursorLast))
	MOVQ(r1, field(c, cursorLast+8))
	MOVQ(last2, x)
	MOVQ(x, field(c, cursorLast+16))
	MOVQ(d, field(c, cursorD))
	MOVQ(lit, field(c, cursorLit))
	MOVQ(n, x)
	MOVQ(x, field(c, cursorN))
	RET()
}
