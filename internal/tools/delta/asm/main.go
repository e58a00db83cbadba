// Command asm writes the AVX2 kernels of encoding/delta with avo, and some of AVX-512.
//
// All take 8 deltas at a time, w bytes when packed with w bits. Up to 26 bits,
// and with 28, each lies in 4 bytes: a byte shuffle brings those to a lane of
// 32 bits, a shift by lane and a mask leave the delta. A sum of 8 of them has
// no more than 31 bits, so sums within a group are made in those lanes, for
// INT64 too:
//
//	deltas                 a  b   c    d     | e  f   g    h
//	+ moved by one lane    a  ab  bc   cd    | e  ef  fg   gh
//	+ moved by two         a  ab  abc  abcd  | e  ef  efg  efgh
//	+ sum of the low half  a  ab  abc  abcd  | abcde …     abcdefgh
//
// The last value and 1 to 8 times the least delta complete them. Only one
// addition a group waits for the group before: that of its total.
//
// Wider deltas are brought to lanes of 64 bits, two from each load of 16 bytes.
//
// A kernel goes through several miniblocks of one block, each with its width.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/bitpack/lanes"
	"github.com/winnow-scan/winnow/internal/tools/frame"
)

func main() {
	ConstraintExpr("!purego")
	decode32(false)
	decode32(true)
	decode64Narrow()
	decode64Wide()
	sumNarrow()
	sumWide()
	sumValues()
	sumBlocks()
	blockKernels(4)
	blockKernels(8)
	sumBlockValues()
	views()
	sixteenViews()
	keepViews()
	spliceShort()
	sumLengths()
	prefixed(true)
	prefixed(false)
	Generate()
}

// Tables that stand in the package, see its tables_amd64.go.
var (
	counts = frame.Variable("lanes").Offset(4) // 1 to 8
	ramps  = frame.Variable("rampMasks")
	inline = frame.Variable("inlineMasks")
)

// load64 loads 64 bytes of a table, the first or those with number i.
func load64(table string, i int) reg.VecVirtual {
	v := ZMM()
	VMOVDQU64(frame.Variable(table).Offset(64*i), v)
	return v
}

// miniblocks lets body write a loop over the groups of a miniblock, and loops
// over miniblocks. Those of no bits are left to flat, group by group, if there is one.
func miniblocks(flat func(), body func(src, width reg.GPVirtual, loop func(step func()))) {
	src, widths, minis, groups := frame.Parameter("src"), frame.Parameter("widths"), frame.Parameter("minis"), frame.Parameter("groups")
	Label("mini")
	width, left := GP64(), GP64()
	MOVBQZX(Mem{Base: widths}, width)
	INCQ(widths)
	MOVQ(groups, left)
	if flat != nil {
		TESTQ(width, width)
		JNZ(LabelRef("packed"))
		Label("flat")
		flat()
		DECQ(left)
		JNZ(LabelRef("flat"))
		JMP(LabelRef("next"))
		Label("packed")
	}
	body(src, width, func(step func()) {
		Label("group")
		step()
		ADDQ(width, src)
		DECQ(left)
		JNZ(LabelRef("group"))
	})
	Label("next")
	DECQ(minis)
	JNZ(LabelRef("mini"))
}

// narrowLoop calls step for each group of 8 deltas, in lanes of 32 bits, and
// flat, if there is one, where they have no bits.
func narrowLoop(flat func(), step func(deltas reg.VecVirtual)) {
	miniblocks(flat, func(src, width reg.GPVirtual, loop func(func())) {
		shuffle, shift := YMM(), YMM()
		t := lanes.Table32.At(width)
		VMOVDQU(Mem{Base: t}, shuffle)
		VMOVDQU(Mem{Base: t, Disp: 32}, shift)
		mask := lanes.WidthMask(width, 32)
		half := GP64()
		MOVQ(width, half)
		SHRQ(Imm(1), half)
		loop(func() {
			v := YMM()
			VMOVDQU(Mem{Base: src}, v.AsX())
			VINSERTI128(Imm(1), Mem{Base: src, Index: half, Scale: 1}, v, v)
			VPSHUFB(shuffle, v, v)
			VPSRLVD(shift, v, v)
			VPAND(mask, v, v)
			step(v)
		})
	})
}

// sums32 turns 8 numbers into the sums up to each.
func sums32(v reg.VecVirtual) {
	t := YMM()
	VPSLLDQ(Imm(4), v, t)
	VPADDD(t, v, v)
	VPSLLDQ(Imm(8), v, t)
	VPADDD(t, v, v)
	VPSHUFD(Imm(0xff), v, t)
	VPERM2I128(Imm(0x08), t, t, t) // nothing, low half
	VPADDD(t, v, v)
}

const (
	decodes   = "stores the values of minis > 0 miniblocks of groups*8 > 0 deltas behind last, and returns the last of them."
	inFour    = " Deltas have at most 26 bits, or 28."
	inEight   = " Deltas have at most 58 bits, or 60, or 64."
	overreads = " It reads 16 bytes behind them."
)

func text(name, results, does string) {
	frame.Kernel(name, results, does+overreads)
}

func decode32(isWide bool) {
	const signature = "func(dst *int32, src, widths *byte, minis, groups int, least, last int32) int32"
	if isWide {
		text("decode32WideAVX2", signature, decodes+inEight)
	} else {
		text("decode32NarrowAVX2", signature, decodes+inFour)
	}
	dst := frame.Parameter("dst")
	ramp, eight, carry, seven, r := YMM(), YMM(), YMM(), YMM(), GP32()
	Load(Param("least"), r)
	VMOVD(r, ramp.AsX())
	VPBROADCASTD(ramp.AsX(), ramp)
	VPSLLD(Imm(3), ramp, eight)
	VPMULLD(counts, ramp, ramp)
	Load(Param("last"), r)
	VMOVD(r, carry.AsX())
	VPBROADCASTD(carry.AsX(), carry)
	MOVL(U32(7), r)
	VMOVD(r, seven.AsX())
	VPBROADCASTD(seven.AsX(), seven)
	step := func(v reg.VecVirtual) {
		sums32(v)
		total := YMM()
		VPERMD(v, seven, total)
		VPADDD(eight, total, total)
		VPADDD(ramp, v, v)
		VPADDD(carry, v, v)
		VPADDD(total, carry, carry)
		VMOVDQU(v, Mem{Base: dst})
		ADDQ(Imm(32), dst)
	}
	if isWide {
		wideLoop(func(deltas [2]reg.VecVirtual) {
			v := YMM()
			VSHUFPS(Imm(0x88), deltas[1], deltas[0], v) // the low halves: 0 1 4 5 | 2 3 6 7
			VPERMQ(Imm(0xd8), v, v)
			step(v)
		})
	} else {
		narrowLoop(func() {
			v := YMM()
			VPADDD(ramp, carry, v)
			VPADDD(eight, carry, carry)
			VMOVDQU(v, Mem{Base: dst})
			ADDQ(Imm(32), dst)
		}, step)
	}
	VMOVD(carry.AsX(), r)
	VZEROUPPER()
	frame.End(r)
}

// start64 returns 1 to 4 times the least delta, that much four times, and the
// last value, in lanes of 64 bits.
func start64() (ramp, four, carry reg.VecVirtual) {
	ramp, four, carry = YMM(), YMM(), YMM()
	least, t := YMM(), YMM()
	VPBROADCASTQ(NewParamAddr("least", 40), least)
	VPBROADCASTQ(NewParamAddr("last", 48), carry)
	VMOVDQU(least, ramp)
	for i := range 3 {
		VPAND(ramps.Offset(32*i), least, t)
		VPADDQ(t, ramp, ramp)
	}
	VPSLLQ(Imm(2), least, four)
	return ramp, four, carry
}

func end64(carry reg.VecVirtual) {
	r := GP64()
	VMOVQ(carry.AsX(), r)
	VZEROUPPER()
	frame.End(r)
}

const signature64 = "func(dst *int64, src, widths *byte, minis, groups int, least, last int64) int64"

func decode64Narrow() {
	text("decode64NarrowAVX2", signature64, decodes+inFour)
	dst := frame.Parameter("dst")
	ramp, eight, carry := start64()
	ramp2 := YMM()
	VPADDQ(eight, ramp, ramp2)
	VPSLLQ(Imm(1), eight, eight)
	narrowLoop(func() {
		low, high := YMM(), YMM()
		VPADDQ(ramp, carry, low)
		VPADDQ(ramp2, carry, high)
		VPADDQ(eight, carry, carry)
		VMOVDQU(low, Mem{Base: dst})
		VMOVDQU(high, Mem{Base: dst, Disp: 32})
		ADDQ(Imm(64), dst)
	}, func(v reg.VecVirtual) {
		sums32(v)
		low, high, total := YMM(), YMM(), YMM()
		VPMOVZXDQ(v.AsX(), low)
		VEXTRACTI128(Imm(1), v, high.AsX())
		VPMOVZXDQ(high.AsX(), high)
		VPERMQ(Imm(0xff), high, total)
		VPADDQ(eight, total, total)
		VPADDQ(ramp, low, low)
		VPADDQ(ramp2, high, high)
		VPADDQ(carry, low, low)
		VPADDQ(carry, high, high)
		VPADDQ(total, carry, carry)
		VMOVDQU(low, Mem{Base: dst})
		VMOVDQU(high, Mem{Base: dst, Disp: 32})
		ADDQ(Imm(64), dst)
	})
	end64(carry)
}

// wideLoop calls step for each group of 8 deltas, in two times four lanes of 64 bits.
func wideLoop(step func(deltas [2]reg.VecVirtual)) {
	miniblocks(nil, func(src, width reg.GPVirtual, loop func(func())) {
		t := lanes.Table64.At(width)
		var shuffle, shift [2]reg.VecVirtual
		var offset [3]reg.GPVirtual // of the loads behind the first
		for i := range shuffle {
			shuffle[i], shift[i] = YMM(), YMM()
			VMOVDQU(Mem{Base: t, Disp: 32 * i}, shuffle[i])
			VMOVDQU(Mem{Base: t, Disp: 64 + 32*i}, shift[i])
		}
		for i := range offset {
			offset[i] = GP64()
			IMUL3Q(Imm(uint64(2*(i+1))), width, offset[i])
			SHRQ(Imm(3), offset[i])
		}
		mask := lanes.WidthMask(width, 64)
		loop(func() {
			var v [2]reg.VecVirtual
			for i := range v {
				v[i] = YMM()
				if i == 0 {
					VMOVDQU(Mem{Base: src}, v[i].AsX())
				} else {
					VMOVDQU(Mem{Base: src, Index: offset[1], Scale: 1}, v[i].AsX())
				}
				VINSERTI128(Imm(1), Mem{Base: src, Index: offset[2*i], Scale: 1}, v[i], v[i])
				VPSHUFB(shuffle[i], v[i], v[i])
				VPSRLVQ(shift[i], v[i], v[i])
				VPAND(mask, v[i], v[i])
			}
			step(v)
		})
	})
}

func decode64Wide() {
	text("decode64WideAVX2", signature64, decodes+inEight)
	dst := frame.Parameter("dst")
	ramp, four, carry := start64()
	wideLoop(func(deltas [2]reg.VecVirtual) {
		for i, v := range deltas {
			t, total := YMM(), YMM()
			VPSLLDQ(Imm(8), v, t)
			VPADDQ(t, v, v)
			VPERM2I128(Imm(0x08), v, v, t) // nothing, low half
			VPSHUFD(Imm(0xee), t, t)
			VPADDQ(t, v, v)
			VPERMQ(Imm(0xff), v, total)
			VPADDQ(four, total, total)
			VPADDQ(ramp, v, v)
			VPADDQ(carry, v, v)
			VPADDQ(total, carry, carry)
			VMOVDQU(v, Mem{Base: dst, Disp: 32 * i})
		}
		ADDQ(Imm(64), dst)
	})
	end64(carry)
}
