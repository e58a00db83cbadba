package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// skipMixed steps over runs of which nobody can guess what comes next. Of each of 64 bytes
// it finds where the next run would begin if it were a header, and then, five times over,
// where twice as many runs lead to: one has two bytes at least. The values are
// added up with them. What was really a header is asked last, of a table. Width 1:
//
//	byte       0   1   2   3   4   5   6   7   8 …
//	           10  01  05  eb  02  12  01  03  d7
//	next at    2   ·   5   ·   ·   7   ·   9   …
//	values     8       16          9       8
//	two on     5       7           9       …
//	values     24      25          17
//
// No header (·) is what has no values (01), or bits of a value above the width (02 12); packed
// runs with headers of two bytes (eb 02) and those that end too far away are left to the caller.
// Nothing leads on from where no header is, nor from behind the 64 bytes. To fit into
// bytes, values are added up in three parts: count%8, count/8%8 or groups, and
// count/64 where headers have two bytes. Where the last two come to 255 they may be more.
func skipMixed() {
	TEXT("skipMixedVBMI", 0, "func(body *byte, n, left, size, width, above int) (at, still int)")
	Pragma("noescape")
	Doc("skipMixedVBMI steps over runs of a width above 0, with repeated values of size bytes, in n bytes, as long as the values are not more than left. " +
		"The bits of above are 0 in the last byte of values. It returns where the next run begins, and how many values are left.")
	const lanes = 64
	tables := AllocLocal(4 * lanes)

	table := func(name string, n int, at func(i int) uint8) Mem {
		mem := GLOBL(name, RODATA|NOPTR)
		for i := range n {
			DATA(i, U8(at(i)))
		}
		return mem
	}
	// pair is a table by the low seven bits of a header.
	type pair [2]reg.VecVirtual
	loadPair := func(mem Mem) (p pair) {
		for i := range p {
			p[i] = ZMM()
			VMOVDQU64(mem.Offset(i*lanes), p[i])
		}
		return p
	}
	lowest := loadPair(table("lowCounts", 2*lanes, func(i int) uint8 { return uint8(i / 2 % 8 * (1 - i%2)) }))
	higher := loadPair(table("highCounts", 2*lanes, func(i int) uint8 { return uint8(i / 2 >> (3 * (1 - i%2))) }))
	numbers := ZMM()
	VMOVDQU64(table("numbers", lanes, func(i int) uint8 { return uint8(i) }), numbers)
	splat := func(b uint32) reg.VecVirtual {
		r, v := GP32(), ZMM()
		MOVL(U32(b), r)
		VPBROADCASTB(r, v)
		return v
	}
	one, outside, never, zero := splat(1), splat(0xc0), splat(0xff), ZMM()
	VPXORD(zero, zero, zero)

	p, room, left, size, width := load("body"), load("n"), load("left"), load("size"), load("width")
	above, two, r := ZMM(), ZMM(), GP64()
	VPBROADCASTB(load("above").As32(), above)
	LEAQ(Mem{Base: size, Disp: 2}, r)
	VPBROADCASTB(r.As32(), two)

	// strides: of packed runs 1+groups*width, of repeated ones 1+size.
	var strides pair
	{
		words, most, repeated, unit := ZMM(), ZMM(), ZMM(), ZMM()
		VPBROADCASTW(width.As32(), words)
		MOVL(U32(255), r.As32())
		VPBROADCASTW(r.As32(), most)
		MOVL(U32(1), r.As32())
		VPBROADCASTW(r.As32(), unit)
		LEAQ(Mem{Base: size, Disp: 1}, r)
		VPBROADCASTW(r.As32(), repeated)
		groups, next := ZMM(), ZMM()
		VPMOVZXBW(numbers.AsY(), groups)
		MOVL(U32(32), r.As32())
		VPBROADCASTW(r.As32(), next)
		for i := range strides {
			s := ZMM()
			VPMULLW(words, groups, s)
			VPADDW(unit, s, s)
			VPMINUW(most, s, s)
			VPSLLW(Imm(8), s, s)
			VPORD(repeated, s, s)
			VPADDW(next, groups, groups)
			strides[i] = s
		}
		none := K() // of no values
		MOVL(U32(3), r.As32())
		KMOVQ(r, none)
		VMOVDQU8(never, none, strides[0])
	}

	start, e := GP64(), GP64()
	MOVQ(p, start)
	XORL(e.As32(), e.As32())

	Label("window")
	CMPQ(e, room)
	JGE(LabelRef("done"))
	first, second, last, lastOfTwo := ZMM(), ZMM(), ZMM(), ZMM()
	CMPQ(room, Imm(lanes+5))
	JL(LabelRef("tail"))
	VMOVDQU64(Mem{Base: p}, first)
	VMOVDQU64(Mem{Base: p, Disp: 1}, second)
	VMOVDQU64(Mem{Base: p, Index: size, Scale: 1}, last)
	VMOVDQU64(Mem{Base: p, Index: size, Scale: 1, Disp: 1}, lastOfTwo)
	Label("loaded")

	ofTwo, even, good := K(), K(), K()
	stride := ZMM()
	VPMOVB2M(first, ofTwo)
	VPTESTNMB(one, first, even)
	VMOVDQA64(first, stride)
	VPERMI2B(strides[1], strides[0], stride)
	VMOVDQU8(never, ofTwo, stride)
	VMOVDQU8(lastOfTwo, ofTwo, last)
	positive := K()
	VPCMPB(Imm(6), zero, second, ofTwo, positive) // greater: neither 0 nor one of three bytes
	KANDQ(even, positive, positive)
	VMOVDQU8(two, positive, stride)
	tooMuch := K()
	VPTESTMB(above, last, even, tooMuch)
	VMOVDQU8(never, tooMuch, stride)

	to, next := ZMM(), ZMM()
	VPADDUSB(numbers, stride, to)
	VPCMPUB(Imm(4), never, to, good) // unequal
	VMOVDQA64(numbers, next)
	VMOVDQU8(to, good, next)
	var sums [3]reg.VecVirtual
	for i, counts := range []pair{lowest, higher} {
		sums[i] = ZMM()
		VMOVDQA64(first, sums[i])
		VPERMI2B_Z(counts[1], counts[0], good, sums[i])
	}
	sums[2] = ZMM()
	KANDQ(good, positive, positive)
	VMOVDQU8_Z(second, positive, sums[2])
	for range 5 {
		inside := K()
		VPTESTNMB(outside, next, inside)
		for _, s := range sums {
			t := ZMM()
			VPERMB_Z(s, next, inside, t)
			VPADDUSB(t, s, s)
		}
		VPERMB(next, next, inside, next)
	}
	VMOVDQU64(next, tables)
	for i, s := range sums {
		VMOVDQU64(s, tables.Offset((i+1)*lanes))
	}

	to64, sum, part := GP64(), GP64(), GP64()
	MOVBQZX(tables.Idx(e, 1), to64)
	CMPQ(to64, room)
	JG(LabelRef("done"))
	MOVBQZX(tables.Offset(3*lanes).Idx(e, 1), sum)
	CMPQ(sum, Imm(255))
	JE(LabelRef("done"))
	MOVBQZX(tables.Offset(2*lanes).Idx(e, 1), part)
	CMPQ(part, Imm(255))
	JE(LabelRef("done"))
	LEAQ(Mem{Base: part, Index: sum, Scale: 8}, sum)
	MOVBQZX(tables.Offset(lanes).Idx(e, 1), part)
	LEAQ(Mem{Base: part, Index: sum, Scale: 8}, sum)
	CMPQ(sum, left)
	JG(LabelRef("done"))
	SUBQ(sum, left)
	MOVQ(to64, e)
	SUBQ(Imm(lanes), e)
	JL(LabelRef("stuck"))
	ADDQ(Imm(lanes), p)
	SUBQ(Imm(lanes), room)
	CMPQ(e, Imm(lanes))
	JL(LabelRef("window"))
	ADDQ(e, p)
	SUBQ(e, room)
	XORL(e.As32(), e.As32())
	JMP(LabelRef("window"))

	Label("tail") // zeros are no headers
	for _, at := range []struct {
		disp  int
		value bool
		to    reg.VecVirtual
	}{{0, false, first}, {1, false, second}, {0, true, last}, {1, true, lastOfTwo}} {
		here, few, ones, none := Mem{Base: p, Disp: at.disp}, GP64(), GP64(), GP64()
		LEAQ(Mem{Base: room, Disp: -at.disp}, few)
		if at.value {
			here = here.Idx(size, 1)
			SUBQ(size, few)
		}
		XORL(none.As32(), none.As32())
		TESTQ(few, few)
		CMOVQLT(none, few)
		MOVQ(I32(-1), ones)
		BZHIQ(few, ones, ones)
		k := K()
		KMOVQ(ones, k)
		VMOVDQU8_Z(here, k, at.to)
	}
	JMP(LabelRef("loaded"))

	Label("stuck")
	ADDQ(Imm(lanes), e)
	Label("done")
	SUBQ(start, p)
	ADDQ(e, p)
	VZEROUPPER()
	Store(p, ReturnIndex(0))
	Store(left, ReturnIndex(1))
	RET()
}
