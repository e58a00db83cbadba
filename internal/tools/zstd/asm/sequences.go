package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
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
	cursorHeld = 80 // offset, size, plain, and whether there are such
	boundFrom  = 0
	boundD     = 8
	boundLit   = 16
	atLL       = 0
	atOF       = 4096
	atML       = 8192
	stateExtra = 0
	stateNext  = 1
	stateBoth  = 2
	stateTo    = 4
	baseShift  = 48
)

func sequences() {
	run("steadyAVX2", true)
	run("mixedAVX2", false)
}

// run writes a kernel. With branch it is for offsets of which most are new, or
// most are one of the last ones; without, which of both they are costs no branch.
func run(name string, branch bool) {
	frame.Kernel(name, "func(c, b *int, tables *uint64, dst, in, lits *byte)",
		"runs sequences, and reads the state behind each, until none is to come, or one breaks a bound, "+
			"or is rare. in is 7 bytes in front of the stream's first. It touches less than 64 bytes behind its bounds.")

	local := func() Mem { return AllocLocal(8) }
	start, dEnd, litEnd, n, round, first := local(), local(), local(), local(), local(), local()
	r0, r1, r2 := local(), local(), local() // the last offsets
	iL, iO, iM, d, lit, bit := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()

	c, b, dst, lits, t := frame.Parameter("c"), frame.Parameter("b"), frame.Parameter("dst"), frame.Parameter("lits"), GP64()
	field := func(base reg.GPVirtual, at int) Mem { return Mem{Base: base, Disp: at} }
	keep := func(v Op, to Mem) { MOVQ(v, t); MOVQ(t, to) }
	keepSum := func(v Op, base reg.GPVirtual, to Mem) { MOVQ(v, t); ADDQ(base, t); MOVQ(t, to) }
	Load(Param("in"), bit)
	SHLQ(Imm(3), bit)
	MOVQ(bit, first)
	ADDQ(field(c, cursorLeft), bit)
	keepSum(field(b, boundFrom), dst, start)
	keepSum(field(b, boundD), dst, dEnd)
	keepSum(field(b, boundLit), lits, litEnd)
	keep(field(c, cursorN), n)
	for i, r := range []Mem{r0, r1, r2} {
		keep(field(c, cursorLast+8*i), r)
	}
	MOVQ(field(c, cursorLL), iL)
	MOVQ(field(c, cursorOF), iO)
	MOVQ(field(c, cursorML), iM)
	MOVQ(field(c, cursorD), d)
	ADDQ(dst, d)
	MOVQ(field(c, cursorLit), lit)
	ADDQ(lits, lit)

	w, p, x, y, z, v, size, plain := GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	tables := frame.Parameter("tables")
	at := map[reg.GPVirtual]int{iL: atLL, iO: atOF, iM: atML}
	of := func(i reg.GPVirtual, field int) Mem { // a state's
		return Mem{Base: tables, Index: i, Scale: 8, Disp: at[i] + field}
	}
	// Whether bits are left is asked once a round, of as many sequences as cannot
	// take more, with less than 64 each. At last a round is one sequence.
	Label("round")
	MOVQ(bit, x)
	SUBQ(first, x)
	MOVBLZX(of(iO, stateBoth), w.As32())
	ADDB(of(iM, stateBoth), w.As8())
	ADDB(of(iL, stateBoth), w.As8())
	XORL(y.As32(), y.As32())
	CMPQ(w, x)
	SETLS(y.As8())
	SHRQ(Imm(6), x)
	CMOVQEQ(y, x)
	MOVQ(n, y)
	CMPQ(x, y)
	CMOVQGT(y, x)
	SUBQ(x, y)
	MOVQ(y, n)
	MOVQ(x, round)
	TESTQ(x, x)
	JZ(LabelRef("done"))

	Label("loop")
	// All bits of the sequence are in w, below bit p; the last of them, those of
	// states, below bit x. Both are 64 less than that, which is the same to shifts:
	// x stays above -65 unless there are too many bits.
	MOVQ(bit, w)
	MOVQ(bit, p)
	SHRQ(Imm(3), w)
	MOVQ(Mem{Base: w}, w)
	ORQ(I8(-8), p)
	MOVQ(p, x)
	SUBB(of(iO, stateBoth), x.As8())
	SUBB(of(iM, stateBoth), x.As8())
	SUBB(of(iL, stateBoth), x.As8())
	CMPB(x.As8(), I8(-64))
	JCS(LabelRef("done"))
	SUBQ(p, bit)
	ADDQ(x, bit)

	// Everything waits for the next states, so those come first. What there was to
	// know of these is in v, size and plain: how many bits to add, above it the base.
	MOVQ(of(iO, 0), v)
	MOVQ(of(iM, 0), size)
	MOVQ(of(iL, 0), plain)
	SHRXQ(x, w, x)
	for _, i := range []reg.GPVirtual{iO, iM, iL} { // iO's bits are lowest
		MOVBLZX(of(i, stateNext), y.As32())
		MOVWLZX(of(i, stateTo), i.As32())
		BZHIQ(y, x, z)
		ADDQ(z, i)
		if i != iL {
			SHRXQ(y, x, x)
		}
	}
	// Shifts, and BZHI, look at the lowest bits of a state only.
	extra := func(state, to reg.GPVirtual) {
		SUBQ(state, p)
		SHRXQ(p, w, to)
		BZHIQ(state, to, to)
	}
	length := func(state reg.GPVirtual) {
		extra(state, x)
		SHRQ(Imm(baseShift), state)
		ADDQ(x, state)
	}
	number := y // stands for an offset
	extra(v, number)
	BTSQ(v, number) // offsets start with a power of two
	length(size)
	length(plain)

	l, wide := XMM(), YMM()
	m, from, end := p, x, z
	// literals moves them, and goes to the match: from m before, to end.
	literals := func() {
		LEAQ(Mem{Base: lit, Index: plain, Scale: 1}, w)
		CMPQ(w, litEnd)
		JHI(LabelRef("hold"))
		VMOVDQU(Mem{Base: lit}, l)
		VMOVDQU(l, Mem{Base: d})
		ADDQ(plain, d)
		LEAQ(Mem{Base: d, Index: size, Scale: 1}, end)
		CMPQ(end, dEnd)
		JHI(LabelRef("back"))
		MOVQ(d, from)
		SUBQ(m, from)
		CMPQ(from, start)
		JLT(LabelRef("back"))
		MOVQ(w, lit)
	}
	// old makes m one of the last offsets, unless it is more than all of them.
	old := func() {
		MOVQ(number, v)
		CMPQ(plain, Imm(1))
		ADCQ(Imm(0), v)
		CMPQ(v, Imm(4))
		JEQ(LabelRef("hold")) // perhaps the last less one
		MOVQ(r0, m)
		CMPQ(v, Imm(2))
		CMOVQEQ(r1, m)
		CMOVQGT(r2, m)
	}
	// found remembers an offset that may have been one of the last. v > 2: the last but
	// one becomes the third last; v > 1: the last becomes the last but one.
	found := func() {
		MOVQ(r2, w)
		CMPQ(v, Imm(2))
		CMOVQGT(r1, w)
		MOVQ(r1, v)
		CMOVQGE(r0, v)
		MOVQ(w, r2)
		MOVQ(v, r1)
		MOVQ(m, r0)
	}
	if branch {
		CMPQ(number, Imm(3))
		JLS(LabelRef("earlier"))
		LEAQ(Mem{Base: number, Disp: -3}, m)
		literals()
		MOVQ(r1, w)
		MOVQ(r0, v)
		MOVQ(w, r2)
		MOVQ(v, r1)
		MOVQ(m, r0)
		Label("known")
	} else {
		old()
		LEAQ(Mem{Base: number, Disp: -3}, x)
		TESTQ(x, x)
		CMOVQGT(x, m)
		literals()
		found()
	}
	CMPQ(plain, Imm(16))
	JHI(LabelRef("longLiterals"))
	Label("match")
	CMPQ(m, Imm(16))
	JCS(LabelRef("repeat"))
	VMOVDQU(Mem{Base: from}, l)
	VMOVDQU(l, Mem{Base: d})
	VMOVDQU(Mem{Base: from, Disp: 16}, l)
	VMOVDQU(l, Mem{Base: d, Disp: 16})
	CMPQ(size, Imm(32))
	JHI(LabelRef("longMatch"))
	Label("again")
	MOVQ(end, d)
	DECQ(round)
	JNZ(LabelRef("loop"))
	JMP(LabelRef("round"))

	// more moves as many bytes at a time, from a place on, until there are so many.
	more := func(name string, v reg.VecVirtual, place, from, to, many reg.GPVirtual) {
		Label(name)
		VMOVDQU(Mem{Base: from, Index: place, Scale: 1}, v)
		VMOVDQU(v, Mem{Base: to, Index: place, Scale: 1})
		ADDQ(Imm(uint64(v.Size())), place)
		CMPQ(place, many)
		JCS(LabelRef(name))
	}
	Label("longLiterals")
	// Both stand behind them by now.
	in, out := y, v
	MOVQ(lit, in)
	SUBQ(plain, in)
	MOVQ(d, out)
	SUBQ(plain, out)
	MOVL(U32(16), w.As32())
	more("moreLiterals", wide, w, in, out, plain)
	JMP(LabelRef("match"))

	Label("longMatch")
	MOVL(U32(32), w.As32())
	CMPQ(m, Imm(32))
	JCS(LabelRef("moreNear"))
	more("moreFar", wide, w, from, d, size)
	JMP(LabelRef("again"))
	// Each move may read what the one before wrote.
	more("moreNear", l, w, from, d, size)
	JMP(LabelRef("again"))

	Label("repeat")
	LEAQ(frame.Variable("steps"), v)
	MOVBLZX(Mem{Base: v, Index: m, Scale: 1}, y.As32())
	SHLL(Imm(4), m.As32())
	LEAQ(frame.Variable("patterns"), v)
	VMOVDQU(Mem{Base: from}, l)
	VPSHUFB(Mem{Base: v, Index: m, Scale: 1}, l, l)
	VMOVDQU(l, Mem{Base: d})
	CMPQ(size, Imm(16))
	JLS(LabelRef("again"))
	MOVQ(y, w)
	Label("morePattern")
	VMOVDQU(l, Mem{Base: d, Index: w, Scale: 1})
	ADDQ(y, w)
	CMPQ(w, size)
	JCS(LabelRef("morePattern"))
	JMP(LabelRef("again"))

	if branch {
		Label("earlier")
		old()
		literals()
		found()
		JMP(LabelRef("known"))
	}

	Label("back")
	SUBQ(plain, d)
	Label("hold")
	c = frame.Parameter("c")
	for i, r := range []reg.GPVirtual{number, size, plain} {
		MOVQ(r, field(c, cursorHeld+8*i))
	}
	MOVB(Imm(1), field(c, cursorHeld+24))
	Label("done")
	VZEROUPPER()
	// Registers that the loop needed are loaded again.
	c, dst, lits = frame.Parameter("c"), frame.Parameter("dst"), frame.Parameter("lits")
	SUBQ(dst, d)
	SUBQ(lits, lit)
	SUBQ(first, bit)
	MOVQ(bit, field(c, cursorLeft))
	MOVQ(iL, field(c, cursorLL))
	MOVQ(iO, field(c, cursorOF))
	MOVQ(iM, field(c, cursorML))
	MOVQ(d, field(c, cursorD))
	MOVQ(lit, field(c, cursorLit))
	for i, r := range []Mem{r0, r1, r2} {
		MOVQ(r, x)
		MOVQ(x, field(c, cursorLast+8*i))
	}
	MOVQ(n, x)
	ADDQ(round, x)
	MOVQ(x, field(c, cursorN))
	RET()
}
