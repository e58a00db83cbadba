package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/places"
)

// A turner makes registers of 64 bytes that hold values, of parts of 16 bytes of their
// streams, which are put into a register while they are loaded. VPERMB does the rest:
//
//	values of 4 bytes   streams 0 | 1 | 2 | 3, of values 0 to 15        →  0 1 2 … 15
//	values of 8 bytes   streams 0 | 1 | 2 | 3, and 4 | 5 | 6 | 7
//	                    0 4 | 1 5 | 2 6 | 3 7, half a part of each      →  0 1 2 … 7
type turner struct {
	size  int
	typ   string
	order Mem // which byte comes where
}

func newTurner(size int) turner {
	t := turner{size, fmt.Sprint("uint", 8*size), GLOBL(fmt.Sprint("orderOf", size), RODATA|NOPTR)}
	each := 64 / size
	for i := range each {
		for k := range size {
			from := 16*(k%4) + 8*(k/4) + i
			DATA(i*size+k, U8(from))
		}
	}
	return t
}

// values calls done for each of the registers of 64 values, in order.
func (t turner) values(s streams, order reg.VecVirtual, done func(k int, v reg.VecVirtual)) {
	four := func(first, at int) reg.VecVirtual {
		v := ZMM()
		VMOVDQU(s.at(first).Offset(at), v.AsX())
		VINSERTI128(Imm(1), s.at(first+1).Offset(at), v.AsY(), v.AsY())
		VINSERTI32X4(Imm(2), s.at(first+2).Offset(at), v, v)
		VINSERTI32X4(Imm(3), s.at(first+3).Offset(at), v, v)
		return v
	}
	for part := range 4 {
		v := []reg.VecVirtual{four(0, 16*part)}
		if t.size == 8 {
			high, low := ZMM(), four(4, 16*part)
			VPUNPCKHQDQ(low, v[0], high)
			VPUNPCKLQDQ(low, v[0], v[0])
			v = append(v, high)
		}
		for i, r := range v {
			VPERMB(r, order, r)
			done(len(v)*part+i, r)
		}
	}
}

// join stores all values.
func (t turner) join() {
	name := fmt.Sprintf("join%dVBMI", t.size)
	TEXT(name, NOSPLIT, "func(dst *"+t.typ+", src *byte, stride, words int)")
	Pragma("noescape")
	Doc(name + " puts words*64 > 0 values together, whose bytes are stride apart.")
	dst := param("dst")
	s := newStreams(t.size, param("src"), param("stride"))
	words := param("words")
	order := ZMM()
	VMOVDQU64(t.order, order)
	Label("word")
	t.values(s, order, func(k int, v reg.VecVirtual) { VMOVDQU64(v, Mem{Base: dst, Disp: 64 * k}) })
	s.advance(64)
	ADDQ(U32(uint32(64*t.size)), dst)
	DECQ(words)
	JNZ(LabelRef("word"))
	VZEROUPPER()
	RET()
}

// keep joins the values of a word, and packs them by its bits before they are stored.
func (t turner) keep() {
	name := fmt.Sprintf("keep%dVBMI", t.size)
	TEXT(name, NOSPLIT, "func(dst *"+t.typ+", src *byte, stride int, sel *uint64, words int) (kept int)")
	Pragma("noescape")
	Doc(name + " puts the values together whose bits are set in words > 0 words, of bytes that are stride apart, " +
		"and returns how many. dst has room for 64 values for each word.")
	dst := param("dst")
	s := newStreams(t.size, param("src"), param("stride"))
	sel, words := param("sel"), param("words")
	to := GP64()
	MOVQ(dst, to)
	order := ZMM()
	VMOVDQU64(t.order, order)
	Label("word")
	q := places.NewSqueezer(t.size)
	MOVQ(Mem{Base: sel}, q.Bits)
	q.Begin()
	t.values(s, order, func(k int, v reg.VecVirtual) { q.Store(k, v, to) })
	s.advance(64)
	ADDQ(Imm(8), sel)
	DECQ(words)
	JNZ(LabelRef("word"))
	VZEROUPPER()
	SUBQ(dst, to)
	SHRQ(Imm(map[int]uint64{4: 2, 8: 3}[t.size]), to)
	Store(to, ReturnIndex(0))
	RET()
}
