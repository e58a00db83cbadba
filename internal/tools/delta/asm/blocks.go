package main

import (
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

const widest = 26

const stops = "It stops before one that is wrong, has deltas of more than 26 bits or a least one of more than 8 bytes," +
	" or has fewer than 64 of size >= 64 bytes behind it. It returns how many bytes are done, how many blocks are left, "

// overBlocks goes over whole blocks, heads and all. Of four widths one number is made,
// and deltas are brought to lanes of 32 bits 16 at a time. head is for the least delta,
// and step for the next 32 others. Blocks of no bits are left out, if flat is set.
//
//	03                04 00 1f 00      …
//	minimum, zigzag   a width each     packed deltas
func overBlocks(flat bool, head func(least reg.GPVirtual), step func(deltas [2]reg.VecVirtual)) {
	src, blocks, groups := frame.Parameter("src"), frame.Parameter("blocks"), frame.Parameter("groups")
	limit := GP64()
	fromBase, shiftBase := GP64(), GP64()
	Load(Param("size"), limit)
	LEAQ(Mem{Base: src, Index: limit, Scale: 1, Disp: -64}, limit)
	LEAQ(frame.Variable("sixteenFrom"), fromBase)
	LEAQ(frame.Variable("sixteenShifts"), shiftBase)

	Label("block")
	number, last, bytes, sign := GP64(), GP64(), GP64(), GP64()
	CMPQ(src, limit)
	JHI(LabelRef("stop"))
	MOVQ(Mem{Base: src}, number)
	more, payload := GP64(), GP64()
	MOVQ(U64(0x8080808080808080), more)
	ANDNQ(more, number, last) // the highest bit of each byte that ends a number
	JZ(LabelRef("stop"))
	BLSMSKQ(last, bytes)
	ANDQ(bytes, number)
	MOVQ(U64(0x7f7f7f7f7f7f7f7f), payload)
	PEXTQ(payload, number, number)
	TZCNTQ(last, last)
	SHRQ(Imm(3), last)

	widths, wrong, end, packed := GP64(), GP32(), GP64(), GP64()
	MOVL(Mem{Base: src, Index: last, Scale: 1, Disp: 1}, widths.As32())
	LEAL(Mem{Base: widths, Disp: (127 - widest) * 0x01010101}, wrong)
	ORL(widths.As32(), wrong)
	TESTL(U32(0x80808080), wrong)
	JNZ(LabelRef("stop"))
	IMUL3L(U32(0x01010101), widths.As32(), end.As32())
	SHRL(Imm(24), end.As32())
	IMULQ(groups, end)
	LEAQ(Mem{Base: src, Index: last, Scale: 1, Disp: 5}, packed)
	ADDQ(packed, end)
	CMPQ(end, limit)
	JHI(LabelRef("stop"))
	MOVQ(number, sign)
	ANDQ(Imm(1), sign)
	NEGQ(sign)
	SHRQ(Imm(1), number)
	XORQ(sign, number)
	head(number)
	if flat {
		TESTL(widths.As32(), widths.As32())
		JZ(LabelRef("next"))
	}
	for _, mini := range []string{"first", "second", "third", "fourth"} {
		width, at, bits, left := GP64(), GP64(), GP64(), GP64()
		from512, shift, mask := ZMM(), ZMM(), ZMM()
		MOVBLZX(widths.As8(), width.As32())
		SHRL(Imm(8), widths.As32())
		MOVL(width.As32(), at.As32())
		SHLL(Imm(4), at.As32())
		VPMOVZXBD(Mem{Base: shiftBase, Index: at, Scale: 1}, shift)
		VMOVDQU64(Mem{Base: fromBase, Index: at, Scale: 4}, from512)
		MOVL(I32(-1), bits.As32())
		BZHIL(width.As32(), bits.As32(), bits.As32())
		VPBROADCASTD(bits.As32(), mask)
		MOVQ(groups, left)
		Label(mini)
		var v [2]reg.VecVirtual
		for i := range v {
			v[i] = ZMM()
			if i == 0 {
				VPERMB(Mem{Base: packed}, from512, v[i])
			} else {
				VPERMB(Mem{Base: packed, Index: width, Scale: 2}, from512, v[i])
			}
			VPSRLVD(shift, v[i], v[i])
			VPANDD(mask, v[i], v[i])
		}
		step(v)
		LEAQ(Mem{Base: packed, Index: width, Scale: 4}, packed)
		SUBQ(Imm(4), left)
		JNZ(LabelRef(mini))
	}
	Label("next")
	MOVQ(end, src)
	DECQ(blocks)
	JNZ(LabelRef("block"))

	Label("stop")
	SUBQ(NewParamAddr("src", 0), src)
	Store(src, ReturnIndex(0))
	Store(blocks, ReturnIndex(1))
}

// values32 calls each for registers of 16 values, two for each 32 deltas, and behind for
// these. It returns the register that has the last value.
func values32(each func(i int, v reg.VecVirtual), behind func()) reg.GPVirtual {
	r := GP32()
	zero, fifteenth, least, carry := ZMM(), load64("fifteens", 0), ZMM(), ZMM()
	VPXORQ(zero, zero, zero)
	Load(Param("last"), r)
	VPBROADCASTD(r, carry)
	overBlocks(false, func(number reg.GPVirtual) {
		VPBROADCASTD(number.As32(), least)
	}, func(deltas [2]reg.VecVirtual) {
		for i, v := range deltas {
			total := ZMM()
			VPADDD(least, v, v)
			sumUp(v, zero)
			VPERMD(v, fifteenth, total)
			VPADDD(carry, v, v)
			VPADDD(total, carry, carry)
			each(i, v)
		}
		behind()
	})
	VMOVD(carry.AsX(), r)
	return r
}

// values64 is values32 for INT64, in registers of eight that must stay: 16 deltas add up to no
// more than 30 bits, so the sums are made in lanes of 32 bits, and widened.
//
//	low    last +  1*least …  last +  8*least    of the sixteen that are to come
//	high   last +  9*least …  last + 16*least
func values64(each func(i int, v reg.VecVirtual), behind func()) reg.GPVirtual {
	r := GP64()
	zero, fifteenth, seventh, ramp := ZMM(), load64("fifteens", 0), ZMM(), ZMM()
	least, low, high, sixteen, top := ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
	even := K()
	VPXORQ(zero, zero, zero)
	VPMOVZXDQ(counts, ramp)
	MOVQ(U32(0x5555), r)
	KMOVW(r.As32(), even)
	MOVQ(U32(7), r)
	VPBROADCASTQ(r, seventh)
	Load(Param("last"), r)
	VPBROADCASTQ(r, top)
	overBlocks(false, func(number reg.GPVirtual) {
		last := ZMM()
		VPBROADCASTQ(number, least)
		VPERMQ(top, seventh, last)
		VPMULLQ(ramp, least, low)
		VPADDQ(last, low, low)
		VPSLLQ(Imm(3), least, high)
		VPADDQ(low, high, high)
		VPSLLQ(Imm(4), least, sixteen)
	}, func(deltas [2]reg.VecVirtual) {
		for i, v := range deltas {
			total, bottom, half := ZMM(), ZMM(), YMM()
			sumUp(v, zero)
			VPERMD_Z(v, fifteenth, even, total)
			VPMOVZXDQ(v.AsY(), bottom)
			VEXTRACTI64X4(Imm(1), v, half)
			VPMOVZXDQ(half, top)
			VPADDQ(sixteen, total, total)
			VPADDQ(low, bottom, bottom)
			VPADDQ(high, top, top)
			VPADDQ(total, low, low)
			VPADDQ(total, high, high)
			each(2*i, bottom)
			each(2*i+1, top)
		}
		behind()
	})
	VPERMQ(top, seventh, top)
	VMOVQ(top.AsX(), r)
	return r
}

// blockKernels writes kernels for values of size bytes: they are stored, or those that are
// wanted are, or tested. Their bits are 32 of a word at a time.
func blockKernels(size int) {
	n, typ := strconv.Itoa(8*size), "int"+strconv.Itoa(8*size)
	each, values := 64/size, values32
	if size == 8 {
		values = values64
	}
	write := func(name, parameters, results, does, returns string, body func() reg.GPVirtual) {
		frame.Kernel(name, "func(src *byte, size, blocks, groups int, "+parameters+", last "+typ+") (done, left int, end "+typ+results+")",
			does+" up to blocks > 0 blocks of four miniblocks of groups*8 deltas, a multiple of 32, behind last.", stops+returns)
		end := body()
		VZEROUPPER()
		Store(end, ReturnIndex(2))
		RET()
	}
	write("decodeBlocks"+n+"VBMI", "dst *"+typ, "", "stores to dst the values of", "and the last value.", func() reg.GPVirtual {
		dst := frame.Parameter("dst")
		return values(func(i int, v reg.VecVirtual) {
			VMOVDQU64(v, Mem{Base: dst, Disp: 64 * i})
		}, func() {
			ADDQ(U32(uint32(32*size)), dst)
		})
	})
	write("keepBlocks"+n+"VBMI", "dst *"+typ+", sel *uint64", ", kept int", "stores to dst those values whose bits are set in sel of",
		"the last value, and how many are stored. It writes up to 64 bytes behind them, no more in all than there are values.", func() reg.GPVirtual {
			dst, sel, bits, front := frame.Parameter("dst"), frame.Parameter("sel"), GP64(), ZMM()
			end := values(func(i int, v reg.VecVirtual) {
				wanted, count := K(), GP64()
				if i == 0 {
					MOVL(Mem{Base: sel}, bits.As32())
				}
				KMOVW(bits.As32(), wanted)
				if size == 4 {
					MOVWLZX(bits.As16(), count.As32())
					VPCOMPRESSD_Z(v, wanted, front)
				} else {
					MOVBLZX(bits.As8(), count.As32()) // of the mask, too, 8 bits count
					VPCOMPRESSQ_Z(v, wanted, front)
				}
				VMOVDQU64(front, Mem{Base: dst})
				POPCNTL(count.As32(), count.As32())
				LEAQ(Mem{Base: dst, Index: count, Scale: uint8(size)}, dst)
				SHRL(Imm(uint64(each)), bits.As32())
			}, func() {
				ADDQ(Imm(4), sel)
			})
			SUBQ(NewParamAddr("dst", 32), dst)
			SHRQ(Imm(uint64(1+size/4)), dst)
			Store(dst, ReturnIndex(3))
			return end
		})
	write("withinBlocks"+n+"VBMI", "sel *uint64, span u"+typ, "", "clears the bits in sel of values that are, without sign, above span of",
		"and the last value.", func() reg.GPVirtual {
			sel, bits, most := frame.Parameter("sel"), GP64(), ZMM()
			if size == 4 {
				VBROADCASTSS(NewParamAddr("span", 40), most)
			} else {
				VBROADCASTSD(NewParamAddr("span", 40), most)
			}
			return values(func(i int, v reg.VecVirtual) {
				passes, some := K(), GP64()
				if size == 4 {
					VPCMPUD(Imm(2), most, v, passes) // not above
					KMOVW(passes, some.As32())
				} else {
					VPCMPUQ(Imm(2), most, v, passes)
					KMOVB(passes, some.As32())
				}
				if i == 0 {
					MOVL(some.As32(), bits.As32())
				} else {
					SHLL(Imm(uint64(each*i)), some.As32())
					ORL(some.As32(), bits.As32())
				}
			}, func() {
				ANDL(bits.As32(), Mem{Base: sel})
				ADDQ(Imm(4), sel)
			})
		})
}

// sumBlockValues adds values up as sumValues does: here deltas stand l lanes from the
// front of group g of n, and the least one is added to each.
func sumBlockValues() {
	frame.Kernel("sumBlockValuesVBMI", "func(src *byte, size, blocks, groups int) (done, left int, sum, sums uint32)",
		"goes over up to blocks > 0 blocks of four miniblocks of groups*8 deltas, a multiple of 32.",
		stops+"the sum of all deltas, and the sum of the sums up to each, with wrap-around.")
	sum, sums, least, t, r := ZMM(), ZMM(), ZMM(), ZMM(), GP32()
	VPXORQ(sum, sum, sum)
	VPXORQ(sums, sums, sums)
	overBlocks(false, func(number reg.GPVirtual) {
		VPBROADCASTD(number.As32(), least)
	}, func(deltas [2]reg.VecVirtual) {
		for _, v := range deltas {
			VPADDD(least, sum, sum)
			VPADDD(v, sum, sum)
			VPADDD(sum, sums, sums)
		}
	})
	VPSLLD(Imm(4), sums, sums)
	VPMULLD(load64("lanes", 0), sum, t)
	VPSUBD(t, sums, sums)
	y := YMM()
	for i, v := range []reg.VecVirtual{sum, sums} {
		VEXTRACTI64X4(Imm(1), v, y)
		VPADDD(v.AsY(), y, y)
		VEXTRACTI128(Imm(1), y, t.AsX())
		VPADDD(y.AsX(), t.AsX(), y.AsX())
		VPHADDD(y.AsX(), y.AsX(), y.AsX())
		VPHADDD(y.AsX(), y.AsX(), y.AsX())
		VMOVD(y.AsX(), r)
		Store(r, ReturnIndex(2+i))
	}
	VZEROUPPER()
	RET()
}

func sumBlocks() {
	frame.Kernel("sumBlocksVBMI", "func(src *byte, size, blocks, groups int) (done, left int, least, deltas uint64)",
		"goes over up to blocks > 0 blocks of four miniblocks of groups*8 deltas, a multiple of 32.",
		stops+"and the sums of their least deltas and of all deltas above these.")
	least, pairs, high := GP64(), ZMM(), ZMM()
	XORQ(least, least)
	VPXORQ(pairs, pairs, pairs)
	VPXORQ(high, high, high)
	overBlocks(true, func(number reg.GPVirtual) {
		ADDQ(number, least)
	}, func(v [2]reg.VecVirtual) {
		VPADDD(v[1], v[0], v[0])
		VPADDQ(v[0], pairs, pairs)
		VPSRLQ(Imm(32), v[0], v[1])
		VPADDQ(v[1], high, high)
	})
	Store(least, ReturnIndex(2))
	t, sum := ZMM(), YMM()
	VPSLLQ(Imm(32), high, t)
	VPADDQ(high, pairs, pairs)
	VPSUBQ(t, pairs, pairs)
	VEXTRACTI64X4(Imm(1), pairs, sum)
	VPADDQ(pairs.AsY(), sum, sum)
	storeSum(sum, 3)
}
