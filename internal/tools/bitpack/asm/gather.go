package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/bitpack/lanes"
)

// testGathered writes kernels that look 16 codes up at a time, in the mask itself: a
// gather fetches the words of 32 bits in which theirs stand, a rotation, which takes the
// lower five bits of a code, moves each to the lowest place of its lane.
//
//	code      ········ ····wwww wwwwwwbb bbb     word w of the mask, bit b in it
//
// Words behind the mask's last are taken for that.
func testGathered() {
	table := lanes.NewTable("gathered", 26, 128, func(width int) []byte {
		// To each lane the four bytes in which its code begins, which is then shifted.
		from := lanes.Words(64, func(i int) int { return (i/4*width/8 + i%4) & 63 }, 1)
		return append(from, lanes.Words(16, func(i int) int { return i * width % 8 }, 4)...)
	})
	spread := func(load func(src reg.GPVirtual, to reg.VecVirtual)) func(a testArgs) func() reg.VecVirtual {
		return func(a testArgs) func() reg.VecVirtual {
			entry := table.At(a.width)
			from, shift, low := loadVector(Mem{Base: entry}), loadVector(Mem{Base: entry, Disp: 64}), ZMM()
			bits, bytes := GP64(), GP64()
			MOVQ(I32(-1), bits)
			BZHIQ(a.width, bits, bits)
			VPBROADCASTD(bits.As32(), low)
			LEAQ(Mem{Base: a.width, Index: a.width, Scale: 1}, bytes) // of 16 codes
			return func() reg.VecVirtual {
				v := ZMM()
				load(a.src, v)
				ADDQ(bytes, a.src)
				VPERMB(v, from, v)
				VPSRLVD(shift, v, v)
				VPANDD(low, v, v)
				return v
			}
		}
	}
	testGatheredBy("testGatheredVBMI", "9 to 16 bits", "It reads up to 14 bytes behind them.",
		spread(func(src reg.GPVirtual, to reg.VecVirtual) { VMOVDQU64(Mem{Base: src}, to.AsY()) }))
	testGatheredBy("testGatheredWideVBMI", "17 to 25 bits", "It reads up to 30 bytes behind them.",
		spread(func(src reg.GPVirtual, to reg.VecVirtual) { VMOVDQU64(Mem{Base: src}, to) }))
	whole := func(bytes uint64, load func(m, v Op)) func(a testArgs) func() reg.VecVirtual {
		return func(a testArgs) func() reg.VecVirtual {
			return func() reg.VecVirtual {
				v := ZMM()
				load(Mem{Base: a.src}, v)
				ADDQ(Imm(16*bytes), a.src)
				return v
			}
		}
	}
	testGatheredBy("test16GatheredAVX512", "16 bits", "It reads nothing behind them.", whole(2, func(m, v Op) { VPMOVZXWD(m, v) }))
	testGatheredBy("test32GatheredAVX512", "32 bits", "It reads nothing behind them.", whole(4, func(m, v Op) { VMOVDQU64(m, v) }))
}

func testGatheredBy(name, widths, behind string, unpacker func(a testArgs) func() reg.VecVirtual) {
	TEXT(name, NOSPLIT, "func(out *uint64, src *byte, steps *int, width int, table *uint64, last uint32) uint32")
	Pragma("noescape")
	Doc(name + " tests words of 64 codes of " + widths + " against a table of bits, in words of 32 up to number last, and returns the largest. " +
		"If that has no bit, what is stored means nothing. " + behind)
	a := loadArgs()
	a.table = param("table")
	next := unpacker(a)
	last, one, biggest, r := ZMM(), ZMM(), ZMM(), GP64()
	Load(Param("last"), r.As32())
	VPBROADCASTD(r.As32(), last)
	MOVL(U32(1), r.As32())
	VPBROADCASTD(r.As32(), one)
	VPXORQ(biggest, biggest, biggest)
	Label("loop")
	for i := range 4 {
		code, word, found, all, pass := next(), ZMM(), ZMM(), K(), K()
		VPMAXUD(code, biggest, biggest)
		VPSRLD(Imm(5), code, word)
		VPMINUD(last, word, word)
		Instruction(&ir.Instruction{Opcode: "KXNORW", Operands: []Op{all, all, all}, Outputs: []Op{all}}) // whatever was there
		VPXORD(found, found, found)
		VPGATHERDD(Mem{Base: a.table, Index: word, Scale: 4}, all, found)
		VPRORVD(code, found, found)
		VPTESTMD(one, found, pass)
		KMOVW(pass, Mem{Base: a.out, Disp: 2 * i})
	}
	a.next("loop")
	half := YMM()
	VEXTRACTI64X4(Imm(1), biggest, half)
	VPMAXUD(half, biggest.AsY(), half)
	maxOf(half, 4)
}
