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
	sums         = "returns the sum of minis > 0 miniblocks of groups*8 > 0 deltas."
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

// sumValues adds up what deltas add up to. Each is in the sums from its own place
// on: those that stand l lanes from the front of group g of n, in 8*(n-g)-l. So the
// sums of lanes are added up, group by group, which gives n-g, and are taken away l times.
func sumValues() {
	text("sumValuesAVX2", "func(src, widths *byte, minis, groups int) (sum, sums uint32)",
		"returns the sum of minis > 0 miniblocks of groups*8 > 0 deltas, and the sum of the sums up to each, with wrap-around."+inFour)
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
