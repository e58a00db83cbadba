package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// fourViews is views for four values at a time, one in each 16 bytes of a
// register. Where they begin is summed up twice: once in addresses, which wait
// for nothing but the lengths, and once in lanes.
//
//	loaded       ? ? ? ? a b c d e f g h i j k l     the value, and what was before it
//	up to 12     n       a b c 0 0 0 0 0 0 0 0 0     n = 3
//	longer       n       a b c d buffer  offset
func fourViews() {
	TEXT("viewsAVX512", NOSPLIT, "func(dst *byte, lengths *int32, fours int, body *byte, at, limit int, buffer uint32) (done, end int)")
	Pragma("noescape")
	Doc("viewsAVX512 is viewsAVX2 for fours*4 > 0 values. It stops before four of which one is not right.")
	table := func(name string, at func(i int) byte) reg.VecVirtual {
		b := make([]byte, 64)
		for i := range b {
			b[i] = at(i)
		}
		v := ZMM()
		VMOVDQU64(data(name, b), v)
		return v
	}
	// In front of the value no byte is less than a length, behind it all count.
	count := table("bytesOfViews", func(i int) byte {
		if i%16 < 4 {
			return 0xff
		}
		return byte(i%16 - 4)
	})
	lanes := table("laneOfViews", func(i int) byte {
		if i%4 == 0 {
			return byte(i / 16)
		}
		return 0
	})
	low := table("lowBytes", func(i int) byte { return byte(i % 16 / 4 * 4) })
	splat := func(r reg.GPVirtual) reg.VecVirtual {
		v := ZMM()
		VPBROADCASTD(r.As32(), v)
		return v
	}
	mask := func(m uint32) reg.OpmaskVirtual {
		r, k := GP32(), K()
		MOVL(U32(m), r)
		KMOVW(r, k)
		return k
	}
	first, third, lastTwo := mask(0x1111), mask(0x4444), mask(0xcccc)
	dst, lengths, fours, body, at, limit := param("dst"), param("lengths"), param("fours"), param("body"), param("at"), param("limit")
	buffer, twelve := GP64(), GP64()
	Load(Param("buffer"), buffer.As32())
	MOVQ(U32(12), twelve)
	buffers, inline := splat(buffer), splat(twelve)
	place := XMM()
	VMOVD(at.As32(), place)
	VPSHUFD(Imm(0), place, place)
	start := GP64()
	MOVQ(fours, start)
	heads := ZMM()

	Label("loop")
	var ends [4]reg.GPVirtual
	for i := range ends {
		ends[i] = GP64()
		MOVL(Mem{Base: lengths, Disp: 4 * i}, ends[i].As32()) // a negative one is beyond every limit
		if i == 0 {
			ADDQ(at, ends[i])
		} else {
			ADDQ(ends[i-1], ends[i])
		}
	}
	CMPQ(ends[3], limit)
	JGT(LabelRef("stop"))
	VMOVDQU(Mem{Base: body, Index: at, Scale: 1, Disp: -4}, heads.AsX())
	VINSERTI128(Imm(1), Mem{Base: body, Index: ends[0], Scale: 1, Disp: -4}, heads.AsY(), heads.AsY())
	for i := 1; i < 3; i++ {
		VINSERTI32X4(Imm(uint64(i+1)), Mem{Base: body, Index: ends[i], Scale: 1, Disp: -4}, heads, heads)
	}
	size, sums, begin := XMM(), XMM(), XMM()
	VMOVDQU(Mem{Base: lengths}, size)
	VPSLLDQ(Imm(4), size, sums)
	VPADDD(size, sums, sums)
	VPSLLDQ(Imm(8), sums, begin)
	VPADDD(begin, sums, sums)
	VPADDD(place, sums, sums)
	VPSUBD(size, sums, begin)
	VPSHUFD(Imm(0xff), sums, place)

	sizes, refs, small, view := ZMM(), ZMM(), ZMM(), ZMM()
	long, in := K(), K()
	VPERMD(size.AsZ(), lanes, sizes)
	VPERMD(begin.AsZ(), lanes, refs)
	VMOVDQA32(buffers, third, refs)
	VPMINUD(inline, sizes, small)
	VPCMPUD(Imm(6), inline, sizes, long) // greater
	VPSHUFB(low, small, small)
	VPCMPUB(Imm(1), small, count, in) // less
	VMOVDQU8_Z(heads, in, view)
	KANDW(long, lastTwo, long)
	VMOVDQA32(sizes, first, view)
	VMOVDQA32(refs, long, view)
	VMOVDQU64(view, Mem{Base: dst})
	MOVQ(ends[3], at)
	ADDQ(Imm(64), dst)
	ADDQ(Imm(16), lengths)
	DECQ(fours)
	JNZ(LabelRef("loop"))
	Label("stop")
	SUBQ(fours, start)
	SHLQ(Imm(2), start)
	Store(start, ReturnIndex(0))
	Store(at, ReturnIndex(1))
	VZEROUPPER()
	RET()
}
