package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// storeSum stores the sum of four lanes as the result of that index.
func storeSum(v reg.VecVirtual, result int) {
	x, r := XMM(), GP64()
	VEXTRACTI128(Imm(1), v, x)
	VPADDQ(x, v.AsX(), v.AsX())
	VPSHUFD(Imm(0xee), v.AsX(), x)
	VPADDQ(x, v.AsX(), v.AsX())
	VMOVQ(v.AsX(), r)
	VZEROUPPER()
	Store(r, ReturnIndex(result))
	RET()
}

const (
	signatureSum = "func(src, widths *byte, minis, groups int) uint64"
	sums         = " returns the sum of minis > 0 miniblocks of groups*8 > 0 deltas."
)

// sumNarrow adds pairs of deltas, low + high<<32 each, as numbers of 64 bits, and the
// high ones by themselves: so much, moved by 32 bits, is taken away at the end.
func sumNarrow() {
	text("sumNarrowAVX2", signatureSum, sums+inFour)
	pairs, high, t := YMM(), YMM(), YMM()
	VPXOR(pairs, pairs, pairs)
	VPXOR(high, high, high)
	narrowLoop(func() {}, func(v reg.VecVirtual) {
		VPADDQ(v, pairs, pairs)
		VPSRLQ(Imm(32), v, t)
		VPADDQ(t, high, high)
	})
	VPSLLQ(Imm(32), high, t)
	VPADDQ(high, pairs, pairs)
	VPSUBQ(t, pairs, pairs)
	storeSum(pairs, 0)
}

// sumBlocks goes over whole blocks, heads and all. Of four widths one number is made,
// and deltas are brought to lanes of 32 bits 16 at a time.
//
//	03                04 00 1f 00      …
//	minimum, zigzag   a width each     packed deltas
func sumBlocks() {
	const widest = 26
	var from, shifts []byte
	for width := range widest + 1 {
		for i := range 16 {
			for k := range 4 {
				from = append(from, byte(i*width/8+k))
			}
			shifts = append(shifts, byte(i*width%8))
		}
	}
	fromTable, shiftTable := data("sixteenFrom", from), data("sixteenShifts", shifts)

	TEXT("sumBlocksVBMI", NOSPLIT, "func(src *byte, size, blocks, groups int) (done, left int, least, deltas uint64)")
	Pragma("noescape")
	Doc("sumBlocksVBMI goes over up to blocks > 0 blocks of four miniblocks of groups*8 deltas, a multiple of 32.",
		"It stops before one that is wrong, has deltas of more than 26 bits or a least one of more than 8 bytes,",
		"or has fewer than 64 of size >= 64 bytes behind it. It returns how many bytes are done, how many blocks",
		"are left, and the sums of their least deltas and of all deltas above these.")
	src, blocks, groups := param("src"), param("blocks"), param("groups")
	limit, more, payload, ones := GP64(), GP64(), GP64(), GP64()
	fromBase, shiftBase, least := GP64(), GP64(), GP64()
	Load(Param("size"), limit)
	LEAQ(Mem{Base: src, Index: limit, Scale: 1, Disp: -64}, limit)
	MOVQ(U64(0x8080808080808080), more)
	MOVQ(U64(0x7f7f7f7f7f7f7f7f), payload)
	MOVQ(I64(-1), ones)
	LEAQ(fromTable, fromBase)
	LEAQ(shiftTable, shiftBase)
	XORQ(least, least)
	pairs, high := ZMM(), ZMM()
	VPXORQ(pairs, pairs, pairs)
	VPXORQ(high, high, high)

	Label("block")
	number, last, bytes, sign := GP64(), GP64(), GP64(), GP64()
	CMPQ(src, limit)
	JHI(LabelRef("stop"))
	MOVQ(Mem{Base: src}, number)
	ANDNQ(more, number, last) // the highest bit of each byte that ends a number
	JZ(LabelRef("stop"))
	BLSMSKQ(last, bytes)
	ANDQ(bytes, number)
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
	ADDQ(number, least)
	TESTL(widths.As32(), widths.As32())
	JZ(LabelRef("next"))
	for _, mini := range []string{"first", "second", "third", "fourth"} {
		width, at, bits, left := GP64(), GP64(), GP64(), GP64()
		from512, shift, mask := ZMM(), ZMM(), ZMM()
		MOVBLZX(widths.As8(), width.As32())
		SHRL(Imm(8), widths.As32())
		MOVL(width.As32(), at.As32())
		SHLL(Imm(4), at.As32())
		VPMOVZXBD(Mem{Base: shiftBase, Index: at, Scale: 1}, shift)
		VMOVDQU64(Mem{Base: fromBase, Index: at, Scale: 4}, from512)
		BZHIQ(width, ones, bits)
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
		VPADDD(v[1], v[0], v[0])
		VPADDQ(v[0], pairs, pairs)
		VPSRLQ(Imm(32), v[0], v[1])
		VPADDQ(v[1], high, high)
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
	Store(least, ReturnIndex(2))
	t, sum := ZMM(), YMM()
	VPSLLQ(Imm(32), high, t)
	VPADDQ(high, pairs, pairs)
	VPSUBQ(t, pairs, pairs)
	VEXTRACTI64X4(Imm(1), pairs, sum)
	VPADDQ(pairs.AsY(), sum, sum)
	storeSum(sum, 3)
}

// sumValues adds up what deltas add up to. Each is in the sums from its own place
// on: those that stand l lanes from the front of group g of n, in 8*(n-g)-l. So the
// sums of lanes are added up, group by group, which gives n-g, and are taken away l times.
func sumValues() {
	text("sumValuesAVX2", "func(src, widths *byte, minis, groups int) (sum, sums uint32)",
		" returns the sum of minis > 0 miniblocks of groups*8 > 0 deltas, and the sum of the sums up to each, with wrap-around."+inFour)
	sum, sums := YMM(), YMM()
	VPXOR(sum, sum, sum)
	VPXOR(sums, sums, sums)
	narrowLoop(func() {
		VPADDD(sum, sums, sums)
	}, func(v reg.VecVirtual) {
		VPADDD(v, sum, sum)
		VPADDD(sum, sums, sums)
	})
	t, x, r := YMM(), XMM(), GP32()
	VPSLLD(Imm(3), sums, sums)
	VPADDD(sum, sums, sums)
	VPMULLD(counts, sum, t)
	VPSUBD(t, sums, sums)
	VPHADDD(sums, sum, sum) // sum, sum, sums, sums | the same
	VPHADDD(sum, sum, sum)
	VEXTRACTI128(Imm(1), sum, x)
	VPADDD(x, sum.AsX(), x)
	VZEROUPPER()
	VMOVD(x, r)
	Store(r, ReturnIndex(0))
	VPEXTRD(Imm(1), x, r)
	Store(r, ReturnIndex(1))
	RET()
}

func sumWide() {
	text("sumWideAVX2", signatureSum, sums+inEight)
	a, b := YMM(), YMM()
	VPXOR(a, a, a)
	VPXOR(b, b, b)
	wideLoop(func(v [2]reg.VecVirtual) {
		VPADDQ(v[0], a, a)
		VPADDQ(v[1], b, b)
	})
	VPADDQ(b, a, a)
	storeSum(a, 0)
}
