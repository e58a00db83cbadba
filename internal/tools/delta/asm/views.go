package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Tables of 64 bytes, 16 for each of four views.
var (
	bytesOfViews Mem // in front of the value no byte is less than a length, behind it all count
	laneOfViews  Mem // which of four numbers is for each 4 bytes
	lowBytes     Mem // the lowest of 4
)

func viewTables() {
	table := func(name string, at func(i int) byte) Mem {
		b := make([]byte, 64)
		for i := range b {
			b[i] = at(i)
		}
		return data(name, b)
	}
	bytesOfViews = table("bytesOfViews", func(i int) byte {
		if i%16 < 4 {
			return 0xff
		}
		return byte(i%16 - 4)
	})
	laneOfViews = table("laneOfViews", func(i int) byte {
		if i%4 == 0 {
			return byte(i / 16)
		}
		return 0
	})
	lowBytes = table("lowBytes", func(i int) byte { return byte(i % 16 / 4 * 4) })
}

// fourViews is views for four values at a time, one in each 16 bytes of a
// register. Where they begin is summed up twice: once in addresses, which wait
// for nothing but the lengths, and once in lanes.
//
//	loaded       ? ? ? ? a b c d e f g h i j k l     the value, and what was before it
//	up to 12     n       a b c 0 0 0 0 0 0 0 0 0     n = 3
//	longer       n       a b c d buffer  offset
//
// Where only some are wanted, those move to the front of the register, as pairs
// of 8 bytes that have their bits twice, before all of it is stored:
//
//	wanted       0 1 1 0
//	views        a b c d
//	stored       b c ? ?     and the next ones from the third place on
func fourViews(some bool) {
	const parameters, results = "dst *byte, lengths *int32, fours int, body *byte, at, limit int, buffer uint32", "done, end int"
	if some {
		TEXT("keepViewsAVX512", NOSPLIT, "func("+parameters+", sel *uint64) ("+results+", kept int)")
		Doc("keepViewsAVX512 is viewsAVX512 for those of the values whose bits are set in sel. " +
			"It writes up to four views behind them, no more in all than there are values.")
	} else {
		TEXT("viewsAVX512", NOSPLIT, "func("+parameters+") ("+results+")")
		Doc("viewsAVX512 is viewsAVX2 for fours*4 > 0 values. It stops before four of which one is not right.")
	}
	Pragma("noescape")
	load := func(table Mem) reg.VecVirtual {
		v := ZMM()
		VMOVDQU64(table, v)
		return v
	}
	count, lanes, low := load(bytesOfViews), load(laneOfViews), load(lowBytes)
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
	var sel, even, wanted reg.GPVirtual
	if some {
		sel, even, wanted = param("sel"), GP64(), GP64()
		MOVQ(U64(0x5555555555555555), even)
	}
	place := XMM()
	VMOVD(at.As32(), place)
	VPSHUFD(Imm(0), place, place)
	heads, done := ZMM(), GP64()
	XORQ(done, done)

	if some {
		Label("word") // of 32 bits
		MOVL(Mem{Base: sel}, wanted.As32())
		PDEPQ(even, wanted, wanted)
		LEAQ(Mem{Base: wanted, Index: wanted, Scale: 2}, wanted)
		ADDQ(Imm(4), sel)
	}
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
	MOVQ(ends[3], at)
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
	if some {
		k, count := K(), GP64()
		KMOVW(wanted.As32(), k) // eight bits count
		MOVBLZX(wanted.As8(), count.As32())
		VPCOMPRESSQ_Z(view, k, view)
		VMOVDQU64(view, Mem{Base: dst})
		SHRQ(Imm(8), wanted)
		POPCNTL(count.As32(), count.As32())
		LEAQ(Mem{Base: dst, Index: count, Scale: 8}, dst)
	} else {
		VMOVDQU64(view, Mem{Base: dst})
		ADDQ(Imm(64), dst)
	}
	ADDQ(Imm(16), lengths)
	INCQ(done)
	CMPQ(done, fours)
	if some {
		JEQ(LabelRef("stop"))
		TESTB(Imm(7), done.As8())
		JNZ(LabelRef("loop"))
		JMP(LabelRef("word"))
	} else {
		JNE(LabelRef("loop"))
	}
	Label("stop")
	SHLQ(Imm(2), done)
	Store(done, ReturnIndex(0))
	Store(at, ReturnIndex(1))
	if some {
		SUBQ(NewParamAddr("dst", 0), dst)
		SHRQ(Imm(4), dst)
		Store(dst, ReturnIndex(2))
	}
	VZEROUPPER()
	RET()
}
