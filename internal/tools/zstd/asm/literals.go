package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

// perRound is how many symbols of a stream are decoded between two loads. A load
// brings five, of 11 bits: with the last two, the next load is on its way, and
// what they use is dropped from it as well.
const perRound = 3

// pairsPerRound is how many pairs of symbols, of 12 bits. What is loaded is for the
// next round, for which four pairs are few enough.
const pairsPerRound = 2

// widthsAt is where widths stand in a table of pairs, behind symbols.
const widthsAt = 2 << 12

func literals() {
	const (
		arguments = "log int, dst *byte, each int, src *byte, n int)"
		does      = "of each of four streams, to dst and each, 2 each and 3 each bytes behind. " +
			"streams say where in src those are, left how many bits of each are left; 7 bytes in front of their last may be loaded."
	)
	frame.Kernel("literalsBMI2", "func(streams, left *int, table *uint16, "+arguments,
		"decodes n times 3 literals "+does)
	four(perRound, func(shift, table, w, next, _ reg.GPVirtual, out func() Mem) {
		// AH is for instructions of the old kind alone, with the first registers.
		e, to := reg.RAX, out()
		for k := range perRound {
			from := w
			if k == perRound-1 {
				from = next
			}
			SHRXQ(shift, from, e)
			MOVWLZX(Mem{Base: table, Index: e, Scale: 2}, e.As32())
			if k < perRound-2 {
				SHLXQ(e, w, w)
			}
			if k < perRound-1 {
				SHLXQ(e, next, next)
			} else {
				SHLXQ(e, next, w)
			}
			MOVB(e.As8H(), to.Offset(k))
		}
	})

	frame.Kernel("pairsBMI2", "func(streams, left *int, table *uint64, "+arguments,
		"decodes n times 2 pairs of literals "+does+" table is a table of pairs, and log that of its size.")
	four(2*pairsPerRound, func(shift, table, w, next, t reg.GPVirtual, out func() Mem) {
		e := reg.RAX
		for k := range pairsPerRound {
			SHRXQ(shift, w, e)
			MOVBLZX(Mem{Base: table, Index: e, Scale: 1, Disp: widthsAt}, t.As32())
			MOVWLZX(Mem{Base: table, Index: e, Scale: 2}, e.As32())
			if k < pairsPerRound-1 {
				SHLXQ(t, w, w)
				SHLXQ(t, next, next)
			} else {
				SHLXQ(t, next, w)
			}
			MOVW(e.As16(), out().Offset(2*k))
		}
	})
}

// four writes what decodes literals of four streams; decode those of one, some a
// round, from w, and from next, which is the same with more bits behind.
func four(perRound int, decode func(shift, table, w, next, t reg.GPVirtual, out func() Mem)) {
	dst, each := reg.RBX, reg.RCX
	t, next := GP64(), GP64()
	var in, w [4]reg.GPVirtual
	streams, left, src := frame.Parameter("streams"), frame.Parameter("left"), frame.Parameter("src")
	// window loads 8 bytes of a stream, of whose last t bits are used. The lowest
	// is set, and where it has been shifted to says how many are used later.
	window := func(i int, w reg.GPVirtual) {
		MOVQ(Mem{Base: in[i]}, w)
		ORQ(Imm(1), w)
		SHLXQ(t, w, w)
	}
	// Streams are read from their end, 8 bytes that end with the one that is used in part.
	for i := range 4 {
		in[i], w[i] = GP64(), GP64()
		MOVQ(Mem{Base: streams, Disp: 8 * i}, in[i])
		SHLQ(Imm(3), in[i])
		ADDQ(Mem{Base: left, Disp: 8 * i}, in[i])
		MOVQ(in[i], t)
		NEGQ(t)
		ANDL(Imm(7), t.As32())
		ADDQ(Imm(7), in[i])
		SHRQ(Imm(3), in[i])
		LEAQ(Mem{Base: in[i], Index: src, Scale: 1, Disp: -8}, in[i])
		window(i, w[i])
	}
	n := AllocLocal(8)
	Load(Param("n"), t)
	MOVQ(t, n)
	table, shift := frame.Parameter("table"), frame.Parameter("log")
	Load(Param("dst"), dst)
	Load(Param("each"), each)
	NEGQ(shift) // 64-log, in the 6 bits that a shift looks at
	Label("loop")
	for i := range 4 {
		TZCNTQ(w[i], t)
		MOVQ(t, next)
		SHRQ(Imm(3), next)
		SUBQ(next, in[i])
		ANDL(Imm(7), t.As32())
		window(i, next)
		decode(shift, table, w[i], next, t, func() Mem {
			to := Mem{Base: dst}
			switch i {
			case 1, 2:
				to.Index, to.Scale = each, uint8(i)
			case 3:
				LEAQ(Mem{Base: dst, Index: each, Scale: 2}, t)
				to = Mem{Base: t, Index: each, Scale: 1}
			}
			return to
		})
	}
	ADDQ(Imm(uint64(perRound)), dst)
	DECQ(n)
	JNZ(LabelRef("loop"))
	streams, left, src = frame.Parameter("streams"), frame.Parameter("left"), frame.Parameter("src")
	for i := range 4 {
		SUBQ(src, in[i])
		SUBQ(Mem{Base: streams, Disp: 8 * i}, in[i])
		TZCNTQ(w[i], w[i])
		LEAQ(Mem{Base: in[i], Disp: 8}, in[i])
		SHLQ(Imm(3), in[i])
		SUBQ(w[i], in[i])
		MOVQ(in[i], Mem{Base: left, Disp: 8 * i})
	}
	RET()
}
