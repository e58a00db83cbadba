package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Where the fields of cursor, bounds and a state are, and the tables.
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
	stateExtra = 0
	stateNext  = 1
	stateBoth  = 2
	stateBase  = 4
	stateTo    = 6
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
	start, dEnd, litEnd, n, in, r1, last2, left := local(), local(), local(), local(), local(), local(), local(), local()
	iL, iO, iM, d, lit, r0 := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()

	c, b, dst, lits, t := param("c"), param("b"), param("dst"), param("lits"), GP64()
	field := func(base reg.GPVirtual, at int) Mem { return Mem{Base: base, Disp: at} }
	keep := func(v Op, to Mem) { MOVQ(v, t); MOVQ(t, to) }
	keepSum := func(v Op, base reg.GPVirtual, to Mem) { MOVQ(v, t); ADDQ(base, t); MOVQ(t, to) }
	Load(Param("in"), t)
	MOVQ(t, in)
	keepSum(field(b, boundFrom), dst, start)
	keepSum(field(b, boundD), dst, dEnd)
	keepSum(field(b, boundLit), lits, litEnd)
	keep(field(c, cursorN), n)
	keep(field(c, cursorLast+16), last2)
	keep(field(c, cursorLeft), left)
	MOVQ(field(c, cursorLL), iL)
	MOVQ(field(c, cursorOF), iO)
	MOVQ(field(c, cursorML), iM)
	MOVQ(field(c, cursorLast), r0)
	keep(field(c, cursorLast+8), r1)
	MOVQ(field(c, cursorD), d)
	ADDQ(dst, d)
	MOVQ(field(c, cursorLit), lit)
	ADDQ(lits, lit)

	w, p, v, size, plain, m := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	x, states := GP64(), GP64()
	tables := param("tables")
	at := map[reg.GPVirtual]int{iL: atLL, iO: atOF, iM: atML}
	of := func(i reg.GPVirtual, field int) Mem { // a state's
		return Mem{Base: tables, Index: i, Scale: 8, Disp: at[i] + field}
	}
	Label("loop")
	// All bits of the sequence are in w, below bit p.
	MOVQ(left, w)
	MOVQ(w, p)
	SHRQ(Imm(3), w)
	ADDQ(in, w)
	MOVQ(Mem{Base: w}, w)
	total := func() {
		MOVBLZX(of(iO, stateBoth), m.As32())
		ADDB(of(iM, stateBoth), m.As8())
		ADDB(of(iL, stateBoth), m.As8())
	}
	total()
	CMPL(m.As32(), Imm(56))
	JA(LabelRef("done"))
	ORQ(Imm(56), p)
	SUBQ(m, left)
	JB(LabelRef("back"))
	// The last of them are those of states.
	MOVQ(p, x)
	SUBQ(m, x)
	SHRXQ(x, w, states)
	extra := func(i, to reg.GPVirtual) {
		MOVBLZX(of(i, stateExtra), x.As32())
		SUBQ(x, p)
		SHRXQ(p, w, to)
		BZHIQ(x, to, to)
	}
	length := func(i, to reg.GPVirtual) {
		extra(i, to)
		MOVWLZX(of(i, stateBase), x.As32())
		ADDQ(x, to)
	}
	extra(iO, v)
	BTSQ(x, v) // offsets start with a power of two
	length(iM, size)
	length(iL, plain)

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

	// The match goes to w, and comes from x.
	to, from := w, x
	source := func(offset reg.GPVirtual) {
		MOVQ(to, from)
		SUBQ(offset, from)
	}
	check := func() {
		LEAQ(Mem{Base: lit, Index: plain, Scale: 1}, x)
		CMPQ(x, litEnd)
		JHI(LabelRef("back"))
		LEAQ(Mem{Base: d, Index: plain, Scale: 1}, to)
		LEAQ(Mem{Base: to, Index: size, Scale: 1}, x)
		CMPQ(x, dEnd)
		JHI(LabelRef("back"))
		source(m)
		CMPQ(from, start)
		JLT(LabelRef("back"))
	}
	check()
	// found makes an offset that was one of the last, or may have been, the last.
	found := func() {
		MOVQ(last2, x)
		CMPQ(v, Imm(2))
		CMOVQGT(r1, x)
		MOVQ(r1, p)
		CMOVQGE(r0, p)
		MOVQ(p, r1)
		MOVQ(x, last2)
		MOVQ(m, r0)
		source(r0)
	}
	if branch {
		MOVQ(r1, v)
		MOVQ(v, last2)
		MOVQ(r0, r1)
		MOVQ(m, r0)
		Label("known")
	} else {
		found()
	}

	l, y := XMM(), XMM()
	VMOVDQU(Mem{Base: lit}, l)
	VMOVDQU(l, Mem{Base: d})
	CMPQ(plain, Imm(16))
	JHI(LabelRef("longLiterals"))
	Label("match")
	ADDQ(plain, lit)
	LEAQ(Mem{Base: to, Index: size, Scale: 1}, d)

	// The last state's bits are lowest.
	next := func(i reg.GPVirtual, last bool) {
		MOVBLZX(of(i, stateNext), p.As32())
		MOVWLZX(of(i, stateTo), i.As32())
		BZHIQ(p, states, v)
		ADDQ(v, i)
		if !last {
			SHRXQ(p, states, states)
		}
	}
	next(iO, false)
	next(iM, false)
	next(iL, true)

	CMPQ(r0, Imm(16))
	JCS(LabelRef("repeat"))
	VMOVDQU(Mem{Base: from}, y)
	VMOVDQU(y, Mem{Base: to})
	VMOVDQU(Mem{Base: from, Disp: 16}, y)
	VMOVDQU(y, Mem{Base: to, Disp: 16})
	CMPQ(size, Imm(32))
	JHI(LabelRef("longMatch"))
	Label("again")
	DECQ(n)
	JNZ(LabelRef("loop"))
	JMP(LabelRef("done"))

	wide := YMM()
	Label("longLiterals")
	MOVQ(I32(16), p)
	Label("moreLiterals")
	VMOVDQU(Mem{Base: lit, Index: p, Scale: 1}, wide)
	VMOVDQU(wide, Mem{Base: d, Index: p, Scale: 1})
	ADDQ(Imm(32), p)
	CMPQ(p, plain)
	JCS(LabelRef("moreLiterals"))
	JMP(LabelRef("match"))

	Label("repeat")
	MOVQ(r0, p)
	SHLL(Imm(4), p.As32())
	LEAQ(shuffles, v)
	VMOVDQU(Mem{Base: from}, y)
	VPSHUFB(Mem{Base: v, Index: p, Scale: 1}, y, y)
	VMOVDQU(y, Mem{Base: to})
	CMPQ(size, Imm(16))
	JLS(LabelRef("again"))

	Label("longMatch")
	CMPQ(r0, Imm(16))
	JCS(LabelRef("pattern"))
	MOVQ(I32(32), p)
	CMPQ(r0, Imm(32))
	JCS(LabelRef("moreNear"))
	Label("moreFar")
	VMOVDQU(Mem{Base: from, Index: p, Scale: 1}, wide)
	VMOVDQU(wide, Mem{Base: to, Index: p, Scale: 1})
	ADDQ(Imm(32), p)
	CMPQ(p, size)
	JCS(LabelRef("moreFar"))
	JMP(LabelRef("again"))

	Label("moreNear")
	VMOVDQU(Mem{Base: from, Index: p, Scale: 1}, y)
	VMOVDQU(y, Mem{Base: to, Index: p, Scale: 1})
	ADDQ(Imm(16), p)
	CMPQ(p, size)
	JCS(LabelRef("moreNear"))
	JMP(LabelRef("again"))
	Label("pattern")
	LEAQ(steps, v)
	MOVBQZX(Mem{Base: v, Index: r0, Scale: 1}, v)
	MOVQ(v, p)
	Label("morePattern")
	VMOVDQU(y, Mem{Base: to, Index: p, Scale: 1})
	ADDQ(v, p)
	CMPQ(p, size)
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
		found()
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
	MOVQ(left, x)
	MOVQ(x, field(c, cursorLeft))
	MOVQ(iL, field(c, cursorLL))
	MOVQ(iO, field(c, cursorOF))
	MOVQ(iM, field(c, cursorML))
	MOVQ(r0, field(c, cursorLast))
	MOVQ(r1, x)
	MOVQ(x, field(c, cursorLast+8))
	MOVQ(last2, x)
	MOVQ(x, field(c, cursorLast+16))
	MOVQ(d, field(c, cursorD))
	MOVQ(lit, field(c, cursorLit))
	MOVQ(n, x)
	MOVQ(x, field(c, cursorN))
	RET()
}
