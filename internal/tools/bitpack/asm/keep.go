package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/bitpack/lanes"
)

// keep unpacks 64 values at a time, for each word of the selection, and packs
// those that are wanted before they leave their registers, 32 in each:
//
//	4*width bytes    in which 32 values lie
//	VPERMB           to each lane of 8 bytes those in which four values lie
//	VPMULTISHIFTQB   and a mask: values of 2 bytes
//	VPCOMPRESSW      by 32 bits of the selection
//	VPMOVZXWD        values of 4 bytes
//
// Words of the selection are shifted to where values begin:
//
//	sel       word i            word i+1
//	          ········▮▮▮▮▮▮▮▮  ▮▮▮▮▮▮▮▮········
//	          at%64   64 values
func keep() {
	table := lanes.NewTable("keep16", 17, 128, func(width int) []byte {
		four := func(lane int) int { return 4 * lane * width } // the bit where they begin
		from := lanes.Words(64, func(i int) int { return four(i/8)/8 + i%8 }, 1)
		return append(from, lanes.Words(64, func(i int) int { return (four(i/8)%8 + i%8/2*width + i%2*8) & 63 }, 1)...)
	})
	TEXT("keepRuns32VBMI2", NOSPLIT, "func(dst *uint32, src *byte, sel *uint64, at, n, width, first, count, gap int) (largest uint32, kept int)")
	Pragma("noescape")
	Doc("keepRuns32VBMI2 unpacks n > 0 values of 1 to 16 bits and keeps those whose bits in sel, from position at on, are set. " +
		"The first of them are first, others count, up to gap bytes that are no values. " +
		"It reads up to 4*width bytes behind them, and stores up to 32 values behind those it keeps.")
	to, src, at, n, width := param("dst"), param("src"), param("at"), param("n"), param("width")
	entry := table.At(width)
	from, moved, low, biggest := loadVector(Mem{Base: entry}), loadVector(Mem{Base: entry, Disp: 64}), ZMM(), ZMM()
	ones, bits, bytes, loaded := GP64(), GP64(), GP64(), K()
	MOVQ(I32(-1), ones)
	BZHIQ(width, ones, bits)
	VPBROADCASTW(bits.As32(), low)
	MOVQ(width, bytes) // of 32 values
	SHLQ(Imm(2), bytes)
	BZHIQ(bytes, ones, bits)
	KMOVQ(bits, loaded)
	VPXORQ(biggest, biggest, biggest)

	left, after, sel, next, forth, back := param("first"), GP64(), GP64(), GP64(), GP64(), GP64()
	Label("run")
	CMPQ(left, n)
	CMOVQGT(n, left)
	SUBQ(left, n)
	Load(Param("width"), after)
	IMULQ(left, after)
	SHRQ(Imm(3), after)
	ADDQ(src, after)
	word := GP64()
	Load(Param("sel"), sel)
	MOVQ(at, word)
	SHRQ(Imm(6), word)
	LEAQ(Mem{Base: sel, Index: word, Scale: 8}, sel)
	MOVQ(at, forth) // shifts take six bits
	MOVQ(at, back)
	NOTQ(back) // 63-at
	ADDQ(left, at)

	// wanted returns the bits of the next 64 values.
	wanted := func() reg.GPVirtual {
		w, behind := GP64(), GP64()
		SHRXQ(forth, Mem{Base: sel}, w)
		MOVQ(Mem{Base: sel, Index: next, Scale: 1}, behind)
		ADDQ(behind, behind)
		SHLXQ(back, behind, behind)
		ORQ(behind, w)
		return w
	}
	// part handles 32 of them; valid has bits of those that are values, if that is not all.
	part := func(w, valid reg.GPVirtual) {
		v, half, k, count := ZMM(), ZMM(), K(), GP64()
		VMOVDQU8_Z(Mem{Base: src}, loaded, v)
		ADDQ(bytes, src)
		VPERMB(v, from, v)
		VPMULTISHIFTQB(v, moved, v)
		VPANDQ(low, v, v)
		if valid != nil {
			k := K()
			KMOVD(valid.As32(), k)
			VMOVDQU16_Z(v, k, v)
		}
		VPMAXUW(v, biggest, biggest)
		KMOVD(w.As32(), k)
		compressWords(v, k)
		VPMOVZXWD(v.AsY(), half)
		VMOVDQU64(half, Mem{Base: to})
		VEXTRACTI64X4(Imm(1), v, v.AsY())
		VPMOVZXWD(v.AsY(), half)
		VMOVDQU64(half, Mem{Base: to, Disp: 64})
		POPCNTL(w.As32(), count.As32())
		LEAQ(Mem{Base: to, Index: count, Scale: 4}, to)
	}
	// The word behind is not looked at where nothing of it is wanted: it may not be there.
	eight := GP64()
	MOVQ(U32(8), eight)
	XORL(next.As32(), next.As32())
	TESTQ(U32(63), forth)
	CMOVQNE(eight, next)
	SUBQ(Imm(64), left)
	JLT(LabelRef("last"))
	Label("words")
	w := wanted()
	part(w, nil)
	SHRQ(Imm(32), w)
	part(w, nil)
	ADDQ(Imm(8), sel)
	SUBQ(Imm(64), left)
	JGE(LabelRef("words"))
	Label("last")
	ADDQ(Imm(64), left)
	JZ(LabelRef("next"))
	room, before := GP64(), GP64()
	MOVQ(back, room)
	ANDQ(Imm(63), room)
	LEAQ(Mem{Base: left, Disp: -1}, before)
	valid := GP64()
	XORL(valid.As32(), valid.As32())
	CMPQ(before, room)
	CMOVQLE(valid, next)
	MOVQ(I32(-1), valid)
	BZHIQ(left, valid, valid)
	w = wanted()
	ANDQ(valid, w)
	part(w, valid)
	SHRQ(Imm(32), valid)
	JZ(LabelRef("next"))
	SHRQ(Imm(32), w)
	part(w, valid)
	Label("next")
	Load(Param("gap"), src)
	ADDQ(after, src)
	Load(Param("count"), left)
	TESTQ(n, n)
	JNZ(LabelRef("run"))
	start := param("dst")
	SUBQ(start, to)
	SHRQ(Imm(2), to)
	Store(to, ReturnIndex(1))
	half := YMM()
	VEXTRACTI64X4(Imm(1), biggest, half)
	VPMAXUW(half, biggest.AsY(), half)
	maxOf(half, 2)
}

// compressWords is VPCOMPRESSW, of which avo does not know.
func compressWords(v reg.VecVirtual, k reg.OpmaskVirtual) {
	Instruction(&ir.Instruction{
		Opcode: "VPCOMPRESSW", Suffixes: []string{"Z"}, Operands: []Op{v, k, v},
		Inputs: []Op{v, k}, Outputs: []Op{v}, ISA: []string{"AVX512VBMI2"},
	})
}
