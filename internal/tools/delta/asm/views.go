package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

// splat returns a register that has r in each 4 bytes.
func splat(r reg.GPVirtual) reg.VecVirtual {
	v := ZMM()
	VPBROADCASTD(r.As32(), v)
	return v
}

// sumUp adds up 16 numbers: v becomes the sums up to each.
func sumUp(v, zero reg.VecVirtual) {
	for _, moved := range []uint64{1, 2, 4, 8} {
		t := ZMM()
		VALIGND(Imm(16-moved), zero, v, t)
		VPADDD(t, v, v)
	}
}

// A viewMaker has in registers what it takes to make views, four in each.
//
//	loaded       ? ? ? ? a b c d e f g h i j k l     the value, and what was before it
//	up to 12     n       a b c 0 0 0 0 0 0 0 0 0     n = 3
//	longer       n       a b c d buffer  offset
type viewMaker struct {
	count, buffers, twelve, four reg.VecVirtual
	splats                       [4]reg.VecVirtual
	refs                         [4]reg.VecVirtual
	noBytes                      reg.OpmaskVirtual
}

func newViewMaker() viewMaker {
	m := viewMaker{count: load64("bytesOfViews", 0), noBytes: K()}
	for i := range m.splats {
		m.splats[i] = load64("splats", i)
	}
	for i := range m.refs {
		m.refs[i] = load64("refs", i)
	}
	r := GP64()
	Load(Param("buffer"), r.As32())
	m.buffers = splat(r)
	MOVQ(U32(12), r)
	m.twelve = splat(r)
	MOVQ(U32(4), r)
	m.four = splat(r)
	MOVQ(U32(0xdddd), r)
	KMOVW(r.As32(), m.noBytes)
	return m
}

// make gives to store the views of 16 values of these lengths that begin there, four at
// a time. heads returns the first 12 bytes of value i to i+3, four bytes behind the
// front of 16 each. long says which values have more than 12 bytes.
func (m viewMaker) make(lengths, begin reg.VecVirtual, long reg.OpmaskVirtual, heads func(i int) reg.VecVirtual, store func(i int, views reg.VecVirtual)) {
	inline, buffers, low, high := ZMM(), ZMM(), ZMM(), ZMM()
	VPBLENDMD(m.four, lengths, long, inline) // how many bytes of a value are in its view
	VMOVDQA32_Z(m.buffers, long, buffers)
	VMOVDQA32_Z(begin, long, begin)
	VSHUFI64X2(Imm(0x44), begin, lengths, low)
	VSHUFI64X2(Imm(0xee), begin, lengths, high)
	for g := range 4 {
		view, size, in := ZMM(), ZMM(), K()
		half := []reg.VecVirtual{low, high}[g/2]
		if g%2 == 0 {
			VMOVDQA64(half, view)
		} else {
			view = half
		}
		VPERMT2D_Z(buffers, m.refs[g], m.noBytes, view)
		VPERMB(inline, m.splats[g], size)
		VPCMPUB(Imm(1), size, m.count, in) // less
		VMOVDQU8(heads(4*g), in, view)
		store(4*g, view)
	}
}

const (
	viewParameters = "dst *byte, lengths *int32, sixteens int, body *byte, at, limit int, buffer uint32"
	viewResults    = "done, end int"
)

// A placer has in registers what it takes to find where values begin, 16 at a time.
type placer struct {
	zero, last, carry, huge reg.VecVirtual
	at, limit               reg.GPVirtual
}

func newPlacer() placer {
	p := placer{zero: ZMM(), last: load64("fifteens", 0), at: frame.Parameter("at"), limit: frame.Parameter("limit")}
	VPXORQ(p.zero, p.zero, p.zero)
	p.carry = splat(p.at)
	r := GP64()
	MOVQ(U32(0xf8000000), r) // 16 lengths below add up to less than 1<<31
	p.huge = splat(r)
	return p
}

// place sums lengths up to where values begin, and goes to stop where something is not right.
func (p placer) place(lengths Mem, stop string) (size, begin reg.VecVirtual) {
	size, begin = ZMM(), ZMM()
	sums, total, wrong, end := ZMM(), ZMM(), K(), GP64()
	VMOVDQU64(lengths, size)
	VPTESTMD(p.huge, size, wrong)
	KORTESTW(wrong, wrong)
	JNE(LabelRef(stop))
	VMOVDQA64(size, sums)
	sumUp(sums, p.zero)
	VPERMD(sums, p.last, total)
	VPSUBD(size, sums, begin)
	VPADDD(p.carry, begin, begin)
	VPADDD(p.carry, total, total)
	VMOVD(total.AsX(), end.As32())
	CMPQ(end, p.limit)
	JGT(LabelRef(stop))
	MOVQ(end, p.at)
	VMOVDQA64(total, p.carry)
	return size, begin
}

// sixteen stores to dst the views of 16 values, of which memory tells the lengths, and where in
// body they begin.
func (m viewMaker) sixteen(dst, lengths, begins, body reg.GPVirtual) {
	size, begin := ZMM(), ZMM()
	long := K()
	VMOVDQU64(Mem{Base: lengths}, size)
	VMOVDQU64(Mem{Base: begins}, begin)
	VPCMPUD(Imm(6), m.twelve, size, long) // greater
	m.make(size, begin, long, func(i int) reg.VecVirtual {
		heads := ZMM()
		for k := range 4 {
			offset := GP64()
			MOVL(Mem{Base: begins, Disp: 4 * (i + k)}, offset.As32())
			from := Mem{Base: body, Index: offset, Scale: 1, Disp: -4}
			if k == 0 {
				VMOVDQU32(from, heads.AsX())
			} else {
				VINSERTI32X4(Imm(uint64(k)), from, heads, heads)
			}
		}
		return heads
	}, func(i int, views reg.VecVirtual) {
		VMOVDQU64(views, Mem{Base: dst, Disp: 16 * i})
	})
	ADDQ(I32(256), dst)
}

// sixteenViews is views for 16 values at a time. Where they begin is summed up in
// lanes, and comes from there to addresses by way of memory: of 128 values before views
// are made of any, for what was just stored is waited for.
func sixteenViews() {
	frame.Kernel("viewsVBMI", "func("+viewParameters+") ("+viewResults+")",
		"is viewsAVX2 for sixteens*16 > 0 values. It stops before 16 of which one is not right, or very long.")
	maker, placer := newViewMaker(), newPlacer()
	dst, lengths, sixteens, body := frame.Parameter("dst"), frame.Parameter("lengths"), frame.Parameter("sixteens"), frame.Parameter("body")
	const together = 8
	local := AllocLocal(together * 64)
	done := twoPasses(lengths, sixteens, local, together, func(ahead, place reg.GPVirtual) {
		_, begin := placer.place(Mem{Base: ahead}, "summed")
		VMOVDQU64(begin, Mem{Base: place})
	}, func(_, place reg.GPVirtual) {
		maker.sixteen(dst, lengths, place, body)
	})
	Label("stop")
	SHLQ(Imm(4), done)
	Store(done, ReturnIndex(0))
	Store(placer.at, ReturnIndex(1))
	VZEROUPPER()
	RET()
}

// keepViews is sixteenViews for some of the values. Their lengths and places move to the front
// before views are made of any, of 16 that are wanted then:
//
//	wanted      0 1 1 0 0 0 1 0 …
//	lengths     a b c d e f g h …
//	begins      - - - - - - - - …
//	stored      b c g ? ? ? ? ?      in each, and the next ones from the fourth place on
//
// What is behind the last of them begins where the first value does: that can be read.
func keepViews() {
	frame.Kernel("keepViewsVBMI", "func("+viewParameters+", sel *uint64, begins *int32) ("+viewResults+", kept int)",
		"is viewsVBMI for those of the values whose bits are set in sel. "+
			"It writes up to 15 views behind them, no more in all than there are values.",
		"It overwrites the lengths of values that are done, and as much of begins.")
	dst, lengths, sixteens, body := frame.Parameter("dst"), frame.Parameter("lengths"), frame.Parameter("sixteens"), frame.Parameter("body")
	sel, begins := frame.Parameter("sel"), frame.Parameter("begins")
	placer := newPlacer()
	ahead, done, kept, first := GP64(), GP64(), GP64(), ZMM()
	MOVQ(lengths, ahead)
	XORQ(done, done)
	XORQ(kept, kept)
	VMOVDQA64(placer.carry, first)
	Label("sum")
	size, begin := placer.place(Mem{Base: ahead}, "summed")
	bits, wanted := GP64(), K()
	MOVWLZX(Mem{Base: sel}, bits.As32())
	KMOVW(bits.As32(), wanted)
	VPCOMPRESSD_Z(size, wanted, size)
	VPCOMPRESSD_Z(begin, wanted, begin)
	VMOVDQU64(size, Mem{Base: lengths, Index: kept, Scale: 4})
	VMOVDQU64(begin, Mem{Base: begins, Index: kept, Scale: 4})
	POPCNTL(bits.As32(), bits.As32())
	ADDQ(bits, kept)
	ADDQ(Imm(2), sel)
	ADDQ(Imm(64), ahead)
	INCQ(done)
	CMPQ(done, sixteens)
	JNE(LabelRef("sum"))

	Label("summed")
	SHLQ(Imm(4), done)
	Store(done, ReturnIndex(0))
	Store(placer.at, ReturnIndex(1))
	Store(kept, ReturnIndex(2))
	TESTQ(kept, kept)
	JZ(LabelRef("stop"))
	front, behind, left := GP64(), GP64(), K()
	DECQ(kept)
	MOVQ(kept, front)
	ANDQ(I8(-16), front)
	SUBQ(front, kept)
	MOVQ(U32(0xfffe), behind)
	SHLXQ(kept, behind, behind)
	KMOVW(behind.As32(), left)
	VMOVDQU32(first, left, Mem{Base: begins, Index: front, Scale: 4})
	LEAQ(Mem{Base: begins, Index: front, Scale: 4}, front)
	maker := newViewMaker()
	Label("sixteen")
	maker.sixteen(dst, lengths, begins, body)
	ADDQ(Imm(64), lengths)
	ADDQ(Imm(64), begins)
	CMPQ(begins, front)
	JLS(LabelRef("sixteen"))
	Label("stop")
	VZEROUPPER()
	RET()
}

// twoPasses writes a loop over sixteens of lengths, and returns the register that counts
// those that are done. For up to together of them, sum first leaves where they are in
// local, 64 bytes each, and each then makes them; sum goes to "summed" where something
// is not right. Behind the loop comes "stop".
func twoPasses(lengths, sixteens reg.GPVirtual, local Mem, together int, sum, each func(ahead, place reg.GPVirtual)) (done reg.GPVirtual) {
	place, most, done := GP64(), GP64(), GP64()
	XORQ(done, done)

	Label("some")
	LEAQ(local, place)
	MOVQ(sixteens, most)
	SUBQ(done, most)
	CMPQ(most, U32(uint32(together)))
	JLE(LabelRef("few"))
	MOVQ(U32(uint32(together)), most)
	Label("few")
	SHLQ(Imm(6), most)
	ADDQ(place, most)
	ahead := GP64()
	MOVQ(lengths, ahead)

	Label("sum")
	sum(ahead, place)
	ADDQ(Imm(64), ahead)
	ADDQ(Imm(64), place)
	CMPQ(place, most)
	JNE(LabelRef("sum"))
	Label("summed")
	MOVQ(place, most)
	LEAQ(local, place)
	CMPQ(place, most)
	JEQ(LabelRef("stop"))

	Label("sixteen")
	each(lengths, place)
	ADDQ(Imm(64), lengths)
	INCQ(done)
	ADDQ(Imm(64), place)
	CMPQ(place, most)
	JNE(LabelRef("sixteen"))
	CMPQ(done, sixteens)
	JNE(LabelRef("some"))
	return done
}
