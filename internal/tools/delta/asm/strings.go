package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

// A viewer has in registers what all views need.
type viewer struct {
	table  reg.GPVirtual
	buffer reg.VecVirtual // in the third lane
}

func newViewer() viewer {
	v, buffer := viewer{GP64(), XMM()}, GP32()
	LEAQ(inline, v.table)
	Load(Param("buffer"), buffer)
	VMOVD(buffer, v.buffer)
	VPSLLDQ(Imm(8), v.buffer, v.buffer)
	return v
}

// store stores the view of a value of length bytes: head are its first 16, and
// offset is where it is.
func (v viewer) store(dst reg.GPVirtual, head reg.VecVirtual, length, offset reg.GPVirtual) {
	index, view, ref := GP64(), XMM(), XMM()
	MOVQ(U32(13), index)
	CMPQ(length, index)
	CMOVQLT(length, index)
	SHLQ(Imm(5), index)
	VPSLLDQ(Imm(4), head.AsX(), view)
	VPAND(Mem{Base: v.table, Index: index, Scale: 1}, view, view)
	VMOVD(length.As32(), ref)
	VPINSRD(Imm(3), offset.As32(), ref, ref)
	VPOR(v.buffer, ref, ref)
	VPAND(Mem{Base: v.table, Index: index, Scale: 1, Disp: 16}, ref, ref)
	VPOR(ref, view, view)
	VMOVDQU(view, Mem{Base: dst})
}

// views writes the views of values that stand one behind the other. The four
// bytes in front of a value are loaded with it, so that it stands where the
// view has it.
func views() {
	frame.Kernel("viewsAVX2", "func(dst *byte, lengths *int32, n int, body *byte, at, limit int, buffer uint32) (done, end int)",
		"stores the views of up to n > 0 values, the first of which is at byte at >= 4 of body. "+
			"It stops before a value with a negative length, or that ends behind limit. It reads 12 bytes behind values.")
	dst, lengths, n, body, at, limit := frame.Parameter("dst"), frame.Parameter("lengths"), frame.Parameter("n"), frame.Parameter("body"), frame.Parameter("at"), frame.Parameter("limit")
	table, thirteen, length, index := GP64(), GP64(), GP64(), GP64()
	LEAQ(inline, table)
	MOVQ(U32(13), thirteen)
	place, size, view, ref := XMM(), XMM(), XMM(), XMM() // place: buffer and offset, where a view has them
	Load(Param("buffer"), length.As32())
	VMOVD(length.As32(), place)
	VPINSRD(Imm(1), at.As32(), place, place)
	VPSLLDQ(Imm(8), place, place)
	start, end := GP64(), GP64()
	MOVQ(n, start)
	Label("loop")
	MOVLQZX(Mem{Base: lengths}, length) // a negative one is beyond every limit
	LEAQ(Mem{Base: at, Index: length, Scale: 1}, end)
	CMPQ(end, limit)
	JGT(LabelRef("stop"))
	VMOVD(Mem{Base: lengths}, size)
	VMOVDQU(Mem{Base: body, Index: at, Scale: 1, Disp: -4}, view)
	MOVQ(thirteen, index)
	CMPQ(length, index)
	CMOVQLT(length, index)
	SHLQ(Imm(5), index)
	ADDQ(table, index)
	VPOR(size, place, ref)
	VPSLLDQ(Imm(12), size, size)
	VPADDD(size, place, place)
	VPAND(Mem{Base: index}, view, view)
	VPAND(Mem{Base: index, Disp: 16}, ref, ref)
	VPOR(ref, view, view)
	VMOVDQU(view, Mem{Base: dst})
	MOVQ(end, at)
	ADDQ(Imm(16), dst)
	ADDQ(Imm(4), lengths)
	DECQ(n)
	JNZ(LabelRef("loop"))
	Label("stop")
	SUBQ(n, start)
	frame.End(start, at)
}

// prefixed puts values together that share a prefix with the one before.
//
// The first 64 bytes of the value before stay in two registers. If the suffix is
// loaded from as far in front of it as the prefix is long, each byte is in its
// place already, and what is in front is taken from those registers. So values
// do not wait for memory that was just written to.
//
//	before   b a b b l e
//	load     ? ? ? y h o o d     ? is of other suffixes: the bytes that make a
//	value    b a b y h o o d     prefix were suffixes once, so they are there
func prefixed(withViews bool) {
	name, first := "spliceAVX2", "dst *byte"
	if !withViews {
		name, first = "spliceFixedAVX2", "size int"
	}
	TEXT(name, NOSPLIT, "func("+first+", lengths *int32, n int, s *byte, out, outLimit, body, bodyLimit *byte, buffer uint32) (done int)")
	Pragma("noescape")
	does := "and their views. It keeps those in out that do not fit into their view."
	if !withViews {
		does = "of size bytes, one behind the other in out."
	}
	Doc(name + " makes up to n > 0 values " + does + " It stops before a value whose lengths are wrong, or that ends behind a limit. " +
		"It reads and writes up to 64 bytes behind values, and reads as far before a suffix as its prefix is long.")
	dst := GP64() // or size
	if withViews {
		Load(Param("dst"), dst)
	} else {
		Load(Param("size"), dst)
	}
	lengths, n, s := frame.Parameter("lengths"), frame.Parameter("n"), frame.Parameter("s")
	var last, place [2]reg.VecVirtual
	for i := range last {
		last[i], place[i] = YMM(), YMM()
		VMOVDQU(Mem{Base: s, Disp: 32 * i}, last[i])
		VMOVDQU(frame.Variable("places").Offset(32*i), place[i])
	}
	length, from, to, at := GP64(), GP64(), GP64(), GP64()
	MOVQ(Mem{Base: s, Disp: 64}, length)
	out, body := frame.Parameter("out"), frame.Parameter("body")
	MOVQ(Mem{Base: s, Disp: 72}, from)
	MOVQ(Mem{Base: s, Disp: 80}, to)
	MOVQ(Mem{Base: s, Disp: 88}, at)
	ADDQ(out, from)
	ADDQ(out, to)
	ADDQ(body, at)

	var viewer viewer
	if withViews {
		viewer = newViewer()
	}
	Label("loop")
	prefix, suffix, t, u := GP64(), GP64(), GP64(), GP64()
	MOVLQZX(Mem{Base: lengths}, prefix) // a negative one is above every length
	CMPQ(prefix, length)
	JHI(LabelRef("stop"))
	MOVLQZX(Mem{Base: lengths, Disp: 4 * 256}, suffix)
	LEAQ(Mem{Base: at, Index: suffix, Scale: 1}, t)
	CMPQ(t, NewParamAddr("bodyLimit", 56))
	JHI(LabelRef("stop"))
	LEAQ(Mem{Base: prefix, Index: suffix, Scale: 1}, t)
	if !withViews {
		CMPQ(t, dst)
		JNE(LabelRef("stop"))
	}
	LEAQ(Mem{Base: to, Index: t, Scale: 1}, u)
	CMPQ(u, NewParamAddr("outLimit", 40))
	JHI(LabelRef("stop"))
	MOVQ(t, length)

	// The first 64 bytes.
	MOVQ(at, u)
	SUBQ(prefix, u)
	MOVQ(U32(64), t)
	CMPQ(prefix, t)
	CMOVQLT(prefix, t)
	shared, x := YMM(), YMM()
	VMOVD(t.As32(), shared.AsX())
	VPBROADCASTB(shared.AsX(), shared)
	for i := range last {
		mask := YMM()
		VPCMPGTB(place[i], shared, mask)
		VMOVDQU(Mem{Base: u, Disp: 32 * i}, x)
		VPBLENDVB(mask, last[i], x, last[i])
		VMOVDQU(last[i], Mem{Base: to, Disp: 32 * i})
	}

	// What is behind them: more of the value before, and the suffix.
	CMPQ(length, Imm(64))
	JLE(LabelRef("view"))
	MOVQ(U32(64), t)
	CMPQ(prefix, t)
	JLE(LabelRef("moreSuffix"))
	Label("morePrefix")
	VMOVDQU(Mem{Base: from, Index: t, Scale: 1}, x)
	VMOVDQU(x, Mem{Base: to, Index: t, Scale: 1})
	ADDQ(Imm(32), t)
	CMPQ(t, prefix)
	JLT(LabelRef("morePrefix"))
	MOVQ(prefix, t)
	Label("moreSuffix")
	VMOVDQU(Mem{Base: u, Index: t, Scale: 1}, x)
	VMOVDQU(x, Mem{Base: to, Index: t, Scale: 1})
	ADDQ(Imm(32), t)
	CMPQ(t, length)
	JLT(LabelRef("moreSuffix"))

	Label("view")
	MOVQ(to, from)
	ADDQ(suffix, at)
	if withViews {
		offset, zero := GP64(), GP64()
		MOVQ(to, offset)
		SUBQ(NewParamAddr("out", 32), offset)
		viewer.store(dst, last[0], length, offset)
		ADDQ(Imm(16), dst)
		XORQ(zero, zero)
		CMPQ(length, Imm(13))
		CMOVQGE(length, zero)
		ADDQ(zero, to)
	} else {
		ADDQ(length, to)
	}
	ADDQ(Imm(4), lengths)
	DECQ(n)
	JNZ(LabelRef("loop"))

	Label("stop")
	Load(Param("s"), s)
	for i := range last {
		VMOVDQU(last[i], Mem{Base: s, Disp: 32 * i})
	}
	MOVQ(length, Mem{Base: s, Disp: 64})
	SUBQ(NewParamAddr("out", 32), from)
	SUBQ(NewParamAddr("out", 32), to)
	SUBQ(NewParamAddr("body", 48), at)
	MOVQ(from, Mem{Base: s, Disp: 72})
	MOVQ(to, Mem{Base: s, Disp: 80})
	MOVQ(at, Mem{Base: s, Disp: 88})
	done := frame.Parameter("n")
	SUBQ(n, done)
	VZEROUPPER()
	frame.End(done)
}

// sumLengths adds lengths up, and tells whether one is negative.
func sumLengths() {
	frame.Kernel("sumLengthsAVX2", "func(lengths *int32, groups int) (sum int64, signs int32)",
		"returns the sum of groups*8 > 0 lengths, and a negative number if one of them is.")
	lengths, groups := frame.Parameter("lengths"), frame.Parameter("groups")
	a, b, all := YMM(), YMM(), YMM()
	for _, r := range []reg.VecVirtual{a, b, all} {
		VPXOR(r, r, r)
	}
	Label("loop")
	v, low, high := YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: lengths}, v)
	VPOR(v, all, all)
	VPMOVSXDQ(v.AsX(), low)
	VEXTRACTI128(Imm(1), v, high.AsX())
	VPMOVSXDQ(high.AsX(), high)
	VPADDQ(low, a, a)
	VPADDQ(high, b, b)
	ADDQ(Imm(32), lengths)
	DECQ(groups)
	JNZ(LabelRef("loop"))
	signs, x, sum := GP32(), XMM(), GP64()
	VMOVMSKPS(all, signs)
	NEGL(signs)
	VPADDQ(b, a, a)
	VEXTRACTI128(Imm(1), a, x)
	VPADDQ(x, a.AsX(), a.AsX())
	VPSHUFD(Imm(0xee), a.AsX(), x)
	VPADDQ(x, a.AsX(), a.AsX())
	VMOVQ(a.AsX(), sum)
	VZEROUPPER()
	frame.End(sum, signs)
}
