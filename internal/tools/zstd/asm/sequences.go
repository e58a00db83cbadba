package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Where the fields of cursor and bounds are, and the tables.
const (
	cursorLeft = 0
	cursorLL   = 8
	cursorOF   = 16
	cursorML   = 24
	cursorLast = 32
	cursorD    = 56
	cursorLit  = 64
	cursorN    = 72
	boundFrom  = 0
	boundD     = 8
	boundLit   = 16
	atLL       = 0
	atOF       = 4096
	atML       = 8192
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

func sequences() {
	shuffles, steps := patterns()
	run("steadyAVX2", shuffles, steps, true)
	run("mixedAVX2", shuffles, steps, false)
}

// run writes a kernel. With branch it is for offsets of which most are new, or
// most are one of the last ones; without, which of both they are costs no branch.
func run(name string, shuffles, steps Mem, branch bool) {
	TEXT(name, NOSPLIT, "func(c, b *int, tables *uint64, dst, in, lits *byte)")
	Pragma("noescape")
	Doc(name + " runs sequences, and reads the state behind each, until none is to come, or one breaks a bound, " +
		"or is rare. in is 7 bytes in front of the stream's first. It touches less than 64 bytes behind its bounds.")

	local := func() Mem { return AllocLocal(8) }
	start, dEnd, litEnd, n, in, tables, last2 := local(), local(), local(), local(), local(), local(), local()
	eL, eO, eM, left, d, lit, r0, r1 := GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64()

	c, b, dst, lits, t := param("c"), param("b"), param("dst"), param("lits"), GP64()
	field := func(base reg.GPVirtual, at int) Mem { return Mem{Base: base, Disp: at} }
	keep := func(v Op, to Mem) { MOVQ(v, t); MOVQ(t, to) }
	keepSum := func(v Op, base reg.GPVirtual, to Mem) { MOVQ(v, t); ADDQ(base, t); MOVQ(t, to) }
	Load(Param("in"), t)
	MOVQ(t, in)
	Load(Param("tables"), t)
	MOVQ(t, tables)
	keepSum(field(b, boundFrom), dst, start)
	keepSum(field(b, boundD), dst, dEnd)
	keepSum(field(b, boundLit), lits, litEnd)
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
	Label("loop")
	// All bits of the sequence are in w, below bit p.
	MOVQ(left, w)
	SHRQ(Imm(3), w)
	ADDQ(in, w)
	MOVQ(Mem{Base: w}, w)
	total := func() {
		LEAQ(Mem{Base: eL, Index: eO, Scale: 1}, m)
		ADDQ(eM, m)
		SHRQ(Imm(16), m)
		ANDL(Imm(127), m.As32())
	}
	total()
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
		RORXQ(Imm(23), e, x)
		ADDL(x.As32(), to.As32())
	}
	SUBQ(eO, p)
	SHRXQ(p, w, v)
	BZHIQ(eO, v, v)
	BTSQ(eO, v) // offsets start with a power of two
	number(eM, size)
	number(eL, plain)
	// Behind them, the bits of states.
	LEAQ(Mem{Base: eL, Index: eO, Scale: 1}, x)
	ADDQ(eM, x)
	SHRL(Imm(8), x.As32())
	SUBQ(x, p)

	if branch {
		CMPQ(v, Imm(3))
		JLS(LabelRef("earlier"))
		LEAQ(Mem{Base: v, Disp: -3}, m)
	} else {
		// v > 2: the last but one becomes the third last; v > 1: the last
		// becomes the last but one.
		LEAQ(Mem{Base: v, Disp: -3}, x)
		CMPQ(plain, Imm(1))
		ADCQ(Imm(0), v)
		CMPQ(v, Imm(4))
		JEQ(LabelRef("back")) // perhaps the last less one
		MOVQ(r0, m)
		CMPQ(v, Imm(2))
		CMOVQEQ(r1, m)
		CMOVQGT(last2, m)
		TESTQ(x, x)
		CMOVQGT(x, m)
	}

	check := func() {
		MOVQ(litEnd, x)
		SUBQ(lit, x)
		CMPQ(plain, x)
		JGT(LabelRef("back"))
		LEAQ(Mem{Base: d, Index: plain, Scale: 1}, x)
		ADDQ(size, x)
		CMPQ(x, dEnd)
		JHI(LabelRef("back"))
		LEAQ(Mem{Base: d, Index: plain, Scale: 1}, x)
		SUBQ(start, x)
		CMPQ(m, x)
		JGT(LabelRef("back"))
	}
	check()
	if branch {
		MOVQ(r1, last2)
		MOVQ(r0, r1)
		MOVQ(m, r0)
		Label("known")
	} else {
		MOVQ(last2, x)
		CMPQ(v, Imm(2))
		CMOVQGT(r1, x)
		CMOVQGE(r0, r1)
		MOVQ(x, last2)
		MOVQ(m, r0)
	}

	// The bits of the three states, the last one's lowest.
	MOVQ(tables, m)
	SHRXQ(p, w, w)
	next := func(e reg.GPVirtual, at int, last bool) {
		RORXQ(Imm(8), e, x)
		BZHIQ(x, w, v)
		SHRQ(Imm(55), e)
		ADDQ(v, e)
		if !last {
			SHRXQ(x, w, w)
		}
		MOVQ(Mem{Base: m, Index: e, Scale: 8, Disp: at}, e)
	}
	next(eO, atOF, false)
	next(eM, atML, false)
	next(eL, atLL, true)

	l, y := XMM(), XMM()
	VMOVDQU(Mem{Base: lit}, l)
	VMOVDQU(l, Mem{Base: d})
	CMPQ(plain, Imm(16))
	JHI(LabelRef("longLiterals"))
	Label("match")
	ADDQ(plain, lit)
	ADDQ(plain, d)
	MOVQ(d, v)
	SUBQ(r0, v)
	CMPQ(r0, Imm(16))
	JCS(LabelRef("repeat"))
	VMOVDQU(Mem{Base: v}, y)
	VMOVDQU(y, Mem{Base: d})
	CMPQ(size, Imm(16))
	JHI(LabelRef("longMatch"))
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
	JMP(LabelRef("match"))

	Label("repeat")
	MOVQ(r0, x)
	SHLL(Imm(4), x.As32())
	LEAQ(shuffles, w)
	VMOVDQU(Mem{Base: v}, y)
	VPSHUFB(Mem{Base: w, Index: x, Scale: 1}, y, y)
	VMOVDQU(y, Mem{Base: d})
	CMPQ(size, Imm(16))
	JLS(LabelRef("again"))

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
	JMP(LabelRef("again"))

	Label("moreNear")
	VMOVDQU(Mem{Base: v, Index: x, Scale: 1}, y)
	VMOVDQU(y, Mem{Base: d, Index: x, Scale: 1})
	ADDQ(Imm(16), x)
	CMPQ(x, size)
	JCS(LabelRef("moreNear"))
	JMP(LabelRef("again"))
	Label("pattern")
	LEAQ(steps, w)
	MOVBLZX(Mem{Base: w, Index: r0, Scale: 1}, w.As32())
	MOVQ(w, x)
	Label("morePattern")
	VMOVDQU(y, Mem{Base: d, Index: x, Scale: 1})
	ADDQ(w, x)
	CMPQ(x, size)
	JCS(LabelRef("morePattern"))
	JMP(LabelRef("again"))

	if branch {
		Label("earlier")
		CMPQ(plain, Imm(1))
		ADCQ(Imm(0), v)
		CMPQ(v, Imm(4))
		JEQ(LabelRef("back"))
		MOVQ(r0, m)
		CMPQ(v, Imm(2))
		CMOVQEQ(r1, m)
		CMOVQGT(last2, m)
		check()
		MOVQ(last2, x)
		CMPQ(v, Imm(2))
		CMOVQGT(r1, x)
		CMOVQGE(r0, r1)
		MOVQ(x, last2)
		MOVQ(m, r0)
		JMP(LabelRef("known"))
	}
	Label("back") // the sequence is as it was
	total()
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
