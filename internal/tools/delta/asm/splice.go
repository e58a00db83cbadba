package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

// spliceShort puts together values of up to 32 bytes, and their views, 16 at a time.
// Where suffixes are, and where values go, is summed up in lanes, the two in one
// number, of 64 values before any is made. The value before stays in a register, and
// what the next has behind its prefix is loaded over it.
//
//	before   b a b b l e
//	loaded         y h o o d …     from as far in front of the suffix as the prefix is long
//	value    b a b y h o o d …
func spliceShort() {
	frame.Kernel("spliceShortVBMI", "func(dst *byte, lengths *int32, sixteens int, s *byte, out *byte, outLimit int, body *byte, bodyLimit int, buffer uint32) (done int)",
		"is spliceAVX2 for sixteens*16 > 0 values. It stops before 16 of which one is not right, or has more than 32 bytes.")
	const together, suffixes = 4, 4 * 256
	maker := newViewMaker()
	zero, last := ZMM(), load64("fifteens", 0)
	VPXORQ(zero, zero, zero)
	dst, lengths, sixteens, s, out, body := frame.Parameter("dst"), frame.Parameter("lengths"), frame.Parameter("sixteens"), frame.Parameter("s"), frame.Parameter("out"), frame.Parameter("body")
	value := YMM()
	VMOVDQU64(Mem{Base: s}, value)
	state := func(disp int) reg.VecVirtual {
		v := ZMM()
		VPBROADCASTD(Mem{Base: s, Disp: disp}, v)
		return v
	}
	before, to, at := state(64), state(80), state(88)
	r, ones := GP64(), GP64()
	MOVQ(U32(32), r)
	longest := splat(r)
	MOVQ(U32(0xffff), r)
	low := splat(r)
	MOVQ(I32(-1), ones)
	local := AllocLocal(2 * 64 * together) // where to load from, and where values go
	done := twoPasses(lengths, sixteens, local, together, func(ahead, place reg.GPVirtual) {
		prefix, suffix, length, t := ZMM(), ZMM(), ZMM(), ZMM()
		tooMuch, tooLong, long := K(), K(), K()
		VMOVDQU64(Mem{Base: ahead}, prefix)
		VMOVDQU64(Mem{Base: ahead, Disp: suffixes}, suffix)
		VPADDD(prefix, suffix, length)
		VALIGND(Imm(15), before, length, t)
		VPCMPUD(Imm(6), t, prefix, tooMuch) // greater than the length of the value before; all negative ones are
		VPMAXUD(prefix, suffix, t)
		VPMAXUD(length, t, t)
		VPCMPUD(Imm(6), longest, t, tooLong)
		KORTESTW(tooMuch, tooLong)
		JNE(LabelRef("summed"))
		VPCMPUD(Imm(6), maker.twelve, length, long)
		both, sums, total := ZMM(), ZMM(), ZMM() // suffixes in the low half, and what takes room in the high one
		VPSLLD_Z(Imm(16), length, long, both)
		VPADDD(suffix, both, both)
		VMOVDQA64(both, sums)
		sumUp(sums, zero)
		VPERMD(sums, last, total)
		VPSUBD(both, sums, sums)
		newAt, newTo, end := ZMM(), ZMM(), GP64()
		VPANDD(low, total, newAt)
		VPADDD(at, newAt, newAt)
		VPSRLD(Imm(16), total, newTo)
		VPADDD(to, newTo, newTo)
		VMOVD(newAt.AsX(), end.As32())
		CMPQ(end, NewParamAddr("bodyLimit", 56))
		JGT(LabelRef("summed"))
		VMOVD(newTo.AsX(), end.As32())
		CMPQ(end, NewParamAddr("outLimit", 40))
		JGT(LabelRef("summed"))
		VPANDD(low, sums, t)
		VPADDD(at, t, t)
		VPSUBD(prefix, t, t)
		VMOVDQU64(t, Mem{Base: place})
		VPSRLD(Imm(16), sums, t)
		VPADDD(to, t, t)
		VMOVDQU64(t, Mem{Base: place, Disp: 64 * together})
		VMOVDQA64(newAt, at)
		VMOVDQA64(newTo, to)
		VMOVDQA64(length, before)
	}, func(_, place reg.GPVirtual) {
		length, begin := ZMM(), ZMM()
		long := K()
		VMOVDQU64(Mem{Base: lengths}, length)
		VPADDD(Mem{Base: lengths, Disp: suffixes}, length, length)
		VMOVDQU64(Mem{Base: place, Disp: 64 * together}, begin)
		VPCMPUD(Imm(6), maker.twelve, length, long)
		maker.make(length, begin, long, func(i int) reg.VecVirtual {
			heads := ZMM()
			for k := range 4 {
				from, goes, shared, new := GP64(), GP64(), GP64(), K()
				MOVL(Mem{Base: place, Disp: 4 * (i + k)}, from.As32())
				MOVL(Mem{Base: place, Disp: 4*(i+k) + 64*together}, goes.As32())
				MOVL(Mem{Base: lengths, Disp: 4 * (i + k)}, shared.As32())
				SHLXQ(shared, ones, shared)
				KMOVD(shared.As32(), new)
				VMOVDQU8(Mem{Base: body, Index: from, Scale: 1}, new, value)
				VMOVDQU64(value, Mem{Base: out, Index: goes, Scale: 1})
				if k == 0 {
					VMOVDQA64(value.AsX(), heads.AsX())
				} else {
					VINSERTI32X4(Imm(uint64(k)), value.AsX(), heads, heads)
				}
			}
			VPSLLDQ(Imm(4), heads, heads)
			return heads
		}, func(i int, views reg.VecVirtual) {
			VMOVDQU64(views, Mem{Base: dst, Disp: 16 * i})
		})
		ADDQ(I32(256), dst)
	})

	Label("stop")
	Load(Param("s"), s)
	VMOVDQU64(value, Mem{Base: s})
	t := ZMM()
	VPERMD(before, last, t)
	for _, v := range []struct {
		of   reg.VecVirtual
		disp int
	}{{t, 64}, {to, 80}, {at, 88}} {
		VMOVD(v.of.AsX(), r.As32())
		MOVQ(r, Mem{Base: s, Disp: v.disp})
	}
	SHLQ(Imm(4), done)
	VZEROUPPER()
	frame.End(done)
}
