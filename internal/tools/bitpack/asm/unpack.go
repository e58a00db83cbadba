package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/bitpack/lanes"
	"github.com/winnow-scan/winnow/internal/tools/frame"
)

var (
	narrow32       lanes.Table // 4 × 32 bytes of shuffle
	shiftsNarrow32 lanes.Table // 32 bytes of shifts
	narrow64       lanes.Table // 4 × 16 bytes of shuffle, 64 of shifts
	table64        lanes.Table // 4 × 16 bytes of shuffle, 64 of shifts
	table8         lanes.Table // 32 bytes of shuffle for 16 values, 16 of factors
)

func unpackArgs() (dst, src, groups, width reg.GPVirtual) {
	dst, src, groups, width = GP64(), GP64(), GP64(), GP64()
	Load(Param("dst"), dst)
	Load(Param("src"), src)
	Load(Param("groups"), groups)
	Load(Param("width"), width)
	return dst, src, groups, width
}

// unpack32 writes the kernel; split for widths of which a value may touch five bytes.
func unpack32(name string, split bool) {
	TEXT(name, NOSPLIT, "func(dst *uint32, src *byte, groups, width, runs, back, gap int)")
	Pragma("noescape")
	Doc(name + " unpacks groups*8 values, groups > 0, of each of runs > 0." + further)
	d, s, _, w := unpackArgs()

	u := lanes.NewUnpacker(w, split)
	next := nextRun(d, s)
	Label("run")
	n := frame.Parameter("groups")
	SUBQ(Imm(4), n)
	JL(LabelRef("rest"))
	Label("loop")
	for i := range 4 {
		v := u.Next(s)
		VMOVDQU(v, Mem{Base: d, Disp: 32 * i})
	}
	ADDQ(Imm(128), d)
	SUBQ(Imm(4), n)
	JGE(LabelRef("loop"))
	Label("rest")
	ADDQ(Imm(4), n)
	JZ(LabelRef("done"))
	Label("group")
	VMOVDQU(u.Next(s), Mem{Base: d})
	ADDQ(Imm(32), d)
	DECQ(n)
	JNZ(LabelRef("group"))
	Label("done")
	next()
	VZEROUPPER()
	RET()
}

const further = " The next run begins gap bytes behind the one before, its values go back bytes in front of where those end. " +
	"It reads 16 bytes behind the last."

// nextRun returns what ends a loop over runs.
func nextRun(d, s reg.GPVirtual) func() {
	runs, back, gap := frame.Parameter("runs"), frame.Parameter("back"), frame.Parameter("gap")
	return func() {
		SUBQ(back, d)
		ADDQ(gap, s)
		DECQ(runs)
		JNZ(LabelRef("run"))
	}
}

// narrow32 picks the values 0-7, 8-15, … from one load of 16 bytes, as far as
// they lie in it.
func tablesNarrow32() {
	narrow32 = lanes.NewTable("narrow32", 17, 128, func(width int) (b []byte) {
		for i := range 32 {
			indices, _ := lanes.BytesOf(i*width, width, 4)
			b = append(b, indices...)
		}
		return b
	})
	shiftsNarrow32 = lanes.NewTable("shiftsNarrow32", 17, 32, func(width int) []byte {
		return lanes.Words(8, func(i int) int { return i * width % 8 }, 4)
	})
}

// unpackNarrow32 writes the kernel for widths of which loads times 16 bytes
// hold 32 values. A broadcast to both halves saves the second load that other
// widths need.
func unpackNarrow32(name string, loads int) {
	TEXT(name, NOSPLIT, "func(dst *uint32, src *byte, groups, width, runs, back, gap int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s unpacks groups*8 values of at most %d bits, groups > 0 and a multiple of 4, of each of runs > 0.", name, 16/(4/loads)) + further)
	d, s, _, w := unpackArgs()
	perLoad := 4 / loads
	shuffles := make([]reg.VecVirtual, perLoad)
	t := narrow32.At(w)
	for i := range shuffles {
		shuffles[i] = YMM()
		VMOVDQU(Mem{Base: t, Disp: 32 * i}, shuffles[i])
	}
	shift := YMM()
	VMOVDQU(Mem{Base: shiftsNarrow32.At(w)}, shift) // the same for each group, which starts on a byte
	mask := lanes.WidthMask(w, 32)
	step, stride := GP64(), GP64()
	MOVQ(w, step)
	if perLoad > 1 {
		SHLQ(Imm(uint64(perLoad/2)), step)
	}
	MOVQ(w, stride)
	SHLQ(Imm(2), stride)
	third := GP64()
	LEAQ(Mem{Base: step, Index: step, Scale: 2}, third)
	at := []Mem{{Base: s}, {Base: s, Index: step, Scale: 1}, {Base: s, Index: step, Scale: 2}, {Base: s, Index: third, Scale: 1}}
	next := nextRun(d, s)

	Label("run")
	n := frame.Parameter("groups")
	Label("loop")
	for load := range loads {
		packed := YMM()
		VBROADCASTI128(at[load], packed)
		for i, shuffle := range shuffles {
			v := YMM()
			VPSHUFB(shuffle, packed, v)
			VPSRLVD(shift, v, v)
			VPAND(mask, v, v)
			VMOVDQU(v, Mem{Base: d, Disp: 32 * (load*perLoad + i)})
		}
	}
	ADDQ(stride, s)
	ADDQ(Imm(128), d)
	SUBQ(Imm(4), n)
	JNZ(LabelRef("loop"))
	next()
	VZEROUPPER()
	RET()
}

func tables64() {
	narrow64 = lanes.NewTable("narrow64", 33, 128, func(width int) []byte {
		return entry64(width, func(i int) int { return lanes.Half(i, width) })
	})
	table64 = lanes.NewTable("table64", 65, 128, func(width int) []byte {
		return entry64(width, func(i int) int { return i/2*2*width%8 + i%2*width })
	})
}

func entry64(width int, at func(i int) int) (b []byte) {
	for i := range 8 {
		indices, _ := lanes.BytesOf(at(i), width, 8)
		b = append(b, indices...)
	}
	return append(b, lanes.Words(8, func(i int) int { return at(i) % 8 }, 8)...)
}

// unpack64 writes the kernel; narrow for widths of which 16 bytes hold 4
// values, else they hold 2.
func unpack64(name string, narrow bool, widths string) {
	TEXT(name, NOSPLIT, "func(dst *uint64, src *byte, groups, width int)")
	Pragma("noescape")
	Doc(name + " unpacks groups*8 values, groups > 0, of " + widths + " bits. It reads 16 bytes behind them.")
	d, s, n, w := unpackArgs()

	table := table64
	if narrow {
		table = narrow64
	}
	t := table.At(w)
	shuffle, shift := [2]reg.VecVirtual{YMM(), YMM()}, [2]reg.VecVirtual{YMM(), YMM()}
	for i := range 2 {
		VMOVDQU(Mem{Base: t, Disp: 32 * i}, shuffle[i])
		VMOVDQU(Mem{Base: t, Disp: 64 + 32*i}, shift[i])
	}
	mask := lanes.WidthMask(w, 64)
	half := GP64()
	MOVQ(w, half)
	SHRQ(Imm(1), half)
	// The pairs of values start in the bytes 0, w/4, w/2 and 3w/4.
	quarter, most := GP64(), GP64()
	if !narrow {
		MOVQ(w, quarter)
		SHRQ(Imm(2), quarter)
		LEAQ(Mem{Base: w, Index: w, Scale: 2}, most)
		SHRQ(Imm(2), most)
	}

	low, high := YMM(), YMM()
	group := func(disp int) {
		if narrow {
			VBROADCASTI128(Mem{Base: s}, low)
			VBROADCASTI128(Mem{Base: s, Index: half, Scale: 1}, high)
		} else {
			lanes.LoadHalves(Mem{Base: s}, Mem{Base: s, Index: quarter, Scale: 1}, low)
			lanes.LoadHalves(Mem{Base: s, Index: half, Scale: 1}, Mem{Base: s, Index: most, Scale: 1}, high)
		}
		ADDQ(w, s)
		for i, v := range []reg.VecVirtual{low, high} {
			VPSHUFB(shuffle[i], v, v)
			VPSRLVQ(shift[i], v, v)
			VPAND(mask, v, v)
			VMOVDQU(v, Mem{Base: d, Disp: disp + 32*i})
		}
	}
	SUBQ(Imm(4), n)
	JL(LabelRef("rest"))
	Label("loop")
	for i := range 4 {
		group(64 * i)
	}
	ADDQ(U32(256), d)
	SUBQ(Imm(4), n)
	JGE(LabelRef("loop"))
	Label("rest")
	ADDQ(Imm(4), n)
	JZ(LabelRef("done"))
	Label("group")
	group(0)
	ADDQ(Imm(64), d)
	DECQ(n)
	JNZ(LabelRef("group"))
	Label("done")
	VZEROUPPER()
	RET()
}

func tables8() {
	table8 = lanes.NewTable("table8", 9, 48, func(width int) (b []byte) {
		for i := range 16 {
			indices, _ := lanes.BytesOf(i*width, width, 2)
			b = append(b, indices...)
		}
		return append(b, lanes.Words(8, func(i int) int { return 1 << (16 - width - i*width%8) }, 2)...)
	})
}

// unpacker8 is the state of a loop over 32 values of at most 8 bits at a time.
type unpacker8 struct {
	first, second, factor reg.VecVirtual // shuffles of values 0-7 and 8-15 of each half
	down                  reg.VecVirtual // count of the shift that ends it
	v                     reg.VecVirtual // as in lanes.Unpacker
	double, stride        reg.GPVirtual  // bytes of 16 and of 32 values
}

func load8(width reg.GPVirtual) unpacker8 {
	u := unpacker8{YMM(), YMM(), YMM(), XMM(), YMM(), GP64(), GP64()}
	t := table8.At(width)
	VBROADCASTI128(Mem{Base: t}, u.first)
	VBROADCASTI128(Mem{Base: t, Disp: 16}, u.second)
	VBROADCASTI128(Mem{Base: t, Disp: 32}, u.factor)
	shift := GP64()
	MOVQ(U32(16), shift)
	SUBQ(width, shift)
	VMOVQ(shift, u.down)
	MOVQ(width, u.double)
	SHLQ(Imm(1), u.double)
	MOVQ(width, u.stride)
	SHLQ(Imm(2), u.stride)
	return u
}

// next unpacks 32 values at s and moves s behind them.
func (u unpacker8) next(s reg.GPVirtual) reg.VecVirtual {
	v, a, b := u.v, YMM(), YMM()
	lanes.LoadHalves(Mem{Base: s}, Mem{Base: s, Index: u.double, Scale: 1}, v)
	ADDQ(u.stride, s)
	VPSHUFB(u.first, v, a)
	VPSHUFB(u.second, v, b)
	VPMULLW(u.factor, a, a)
	VPMULLW(u.factor, b, b)
	VPSRLW(u.down, a, a)
	VPSRLW(u.down, b, b)
	VPACKUSWB(b, a, a)
	return a
}

func unpack8() {
	TEXT("unpack8AVX2", NOSPLIT, "func(dst *uint8, src *byte, groups, width int)")
	Pragma("noescape")
	Doc("unpack8AVX2 unpacks groups*8 values, groups > 0 and a multiple of 4, of at most 8 bits. It reads 16 bytes behind them.")
	d, s, n, w := unpackArgs()
	u := load8(w)
	Label("loop")
	VMOVDQU(u.next(s), Mem{Base: d})
	ADDQ(Imm(32), d)
	SUBQ(Imm(4), n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
