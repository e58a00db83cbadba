package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Tables of 64 bytes.
var (
	bytesOfViews Mem    // in front of the value no byte is less than a length, behind it all count
	fifteen      Mem    // in each 4 bytes
	splats       [4]Mem // the first byte of each of four numbers of 16, for 16 bytes each
	refs         [4]Mem // of 8 lengths and places, those of the values' half, and 16 buffers: what is for four views
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
	fifteen = table("fifteen", func(i int) byte {
		if i%4 == 0 {
			return 15
		}
		return 0
	})
	for g := range splats {
		splats[g] = table("splat"+string(rune('0'+g)), func(i int) byte { return byte(16*g + i/16*4) })
	}
	for g := range refs {
		refs[g] = table("refs"+string(rune('0'+g)), func(i int) byte {
			value := byte(4*g + i/16)
			return map[int]byte{0: value % 8, 8: 16 + value, 12: 8 + value%8}[i%16]
		})
	}
}

// splat returns a register that has r in each 4 bytes.
func splat(r reg.GPVirtual) reg.VecVirtual {
	v := ZMM()
	VPBROADCASTD(r.As32(), v)
	return v
}

func load64(table Mem) reg.VecVirtual {
	v := ZMM()
	VMOVDQU64(table, v)
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
	m := viewMaker{count: load64(bytesOfViews), noBytes: K()}
	for i := range m.splats {
		m.splats[i] = load64(splats[i])
	}
	for i := range m.refs {
		m.refs[i] = load64(refs[i])
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

// sixteenViews is views for 16 values at a time. Where they begin is summed up in
// lanes, and comes from there to addresses by way of memory: of 128 values before views
// are made of any, for what was just stored is waited for.
//
// Where only some are wanted, those move to the front of a register of four, as pairs
// of 8 bytes that have their bits twice, before all of it is stored:
//
//	wanted       0 1 1 0
//	views        a b c d
//	stored       b c ? ?     and the next ones from the third place on
func sixteenViews(some bool) {
	const parameters, results = "dst *byte, lengths *int32, sixteens int, body *byte, at, limit int, buffer uint32", "done, end int"
	if some {
		TEXT("keepViewsVBMI", NOSPLIT, "func("+parameters+", sel *uint64) ("+results+", kept int)")
		Doc("keepViewsVBMI is viewsVBMI for those of the values whose bits are set in sel. " +
			"It writes up to four views behind them, no more in all than there are values.")
	} else {
		TEXT("viewsVBMI", NOSPLIT, "func("+parameters+") ("+results+")")
		Doc("viewsVBMI is viewsAVX2 for sixteens*16 > 0 values. It stops before 16 of which one is not right, or very long.")
	}
	Pragma("noescape")
	maker := newViewMaker()
	zero, last, carry, huge := ZMM(), load64(fifteen), ZMM(), ZMM()
	VPXORQ(zero, zero, zero)
	dst, lengths, sixteens, body, at, limit := param("dst"), param("lengths"), param("sixteens"), param("body"), param("at"), param("limit")
	carry = splat(at)
	r := GP64()
	MOVQ(U32(0xf8000000), r) // 16 lengths below add up to less than 1<<31
	huge = splat(r)
	var sel, even, wanted reg.GPVirtual
	if some {
		sel, even, wanted = param("sel"), GP64(), GP64()
		MOVQ(U64(0x5555555555555555), even)
	}
	const together = 8
	local := AllocLocal(together * 64)
	done := twoPasses(lengths, sixteens, local, together, func(ahead, place reg.GPVirtual) {
		size, sums, total, begin := ZMM(), ZMM(), ZMM(), ZMM()
		wrong, end := K(), GP64()
		VMOVDQU64(Mem{Base: ahead}, size)
		VPTESTMD(huge, size, wrong)
		KORTESTW(wrong, wrong)
		JNE(LabelRef("summed"))
		VMOVDQA64(size, sums)
		sumUp(sums, zero)
		VPERMD(sums, last, total)
		VPSUBD(size, sums, begin)
		VPADDD(carry, begin, begin)
		VPADDD(carry, total, total)
		VMOVD(total.AsX(), end.As32())
		CMPQ(end, limit)
		JGT(LabelRef("summed"))
		MOVQ(end, at)
		VMOVDQA64(total, carry)
		VMOVDQU64(begin, Mem{Base: place})
	}, func(_, place reg.GPVirtual) {
		if some {
			MOVWLZX(Mem{Base: sel}, wanted.As32())
			ADDQ(Imm(2), sel)
			PDEPQ(even, wanted, wanted)
			LEAQ(Mem{Base: wanted, Index: wanted, Scale: 2}, wanted)
		}
		size, begin := ZMM(), ZMM()
		long := K()
		VMOVDQU64(Mem{Base: lengths}, size)
		VMOVDQU64(Mem{Base: place}, begin)
		VPCMPUD(Imm(6), maker.twelve, size, long) // greater
		maker.make(size, begin, long, func(i int) reg.VecVirtual {
			heads := ZMM()
			for k := range 4 {
				offset := GP64()
				MOVL(Mem{Base: place, Disp: 4 * (i + k)}, offset.As32())
				from := Mem{Base: body, Index: offset, Scale: 1, Disp: -4}
				if k == 0 {
					VMOVDQU32(from, heads.AsX())
				} else {
					VINSERTI32X4(Imm(uint64(k)), from, heads, heads)
				}
			}
			return heads
		}, func(i int, views reg.VecVirtual) {
			if !some {
				VMOVDQU64(views, Mem{Base: dst, Disp: 16 * i})
				return
			}
			k, count := K(), GP64()
			KMOVW(wanted.As32(), k) // eight bits count
			MOVBLZX(wanted.As8(), count.As32())
			VPCOMPRESSQ_Z(views, k, views)
			VMOVDQU64(views, Mem{Base: dst})
			SHRQ(Imm(8), wanted)
			POPCNTL(count.As32(), count.As32())
			LEAQ(Mem{Base: dst, Index: count, Scale: 8}, dst)
		})
		if !some {
			ADDQ(I32(256), dst)
		}
	})
	Label("stop")
	SHLQ(Imm(4), done)
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
