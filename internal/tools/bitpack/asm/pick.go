package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/places"
)

// pickEight picks in two steps, each of which goes over all positions. Vectors make of 8
// positions the bytes where their values begin, which are in dst meanwhile. Then four bytes from each
// go into a register, where they are shifted and masked. Two places come with one load, for loads are
// what there is least of.
func pickEight(name string, runs bool) {
	params, doc := "", name+" unpacks n >= 8 values of 1 to 25 bits, number first+positions[k] to dst[k]. "+
		"None begins at bit 1<<32 or behind. It reads 4 bytes from where each begins."
	if runs {
		params = ", inverse uint64, gap int"
		doc = name + " is pick32AVX2 where value v lies v*inverse>>32 times gap bytes farther on."
	}
	TEXT(name, NOSPLIT, "func(dst *uint32, src *byte, positions *uint32, n, width, first int"+params+")")
	Pragma("noescape")
	Doc(doc)
	splat := func(r reg.GPVirtual) reg.VecVirtual {
		v := YMM()
		VMOVD(r.As32(), v.AsX())
		VPBROADCASTD(v.AsX(), v)
		return v
	}
	dst, src, positions, n := param("dst"), param("src"), param("positions"), param("n")
	wide, begin := param("width"), param("first")
	width, first := splat(wide), splat(begin)
	var inverse, gap reg.VecVirtual
	if runs {
		inverse, gap = splat(param("inverse")), splat(param("gap"))
	}
	ones, count, mask, seven, shift := YMM(), XMM(), YMM(), YMM(), GP64()
	VPCMPEQD(ones, ones, ones)
	VPSRLD(Imm(29), ones, seven)
	MOVQ(U32(32), shift)
	SUBQ(wide, shift)
	VMOVQ(shift, count)
	VPSRLD(count, ones, mask)
	at := func(base, i reg.Register) Mem { return Mem{Base: base, Index: i, Scale: 4} }
	numbers := func(i reg.Register) reg.VecVirtual {
		v := YMM()
		VPADDD(at(positions, i), first, v)
		return v
	}
	begins := func(i reg.Register) reg.VecVirtual {
		v, from := numbers(i), YMM()
		VPMULLD(width, v, from)
		VPSRLD(Imm(3), from, from)
		if runs {
			odd, even := YMM(), YMM()
			VPSRLQ(Imm(32), v, odd)
			VPMULUDQ(inverse, v, even)
			VPMULUDQ(inverse, odd, odd)
			VPSRLQ(Imm(32), even, even)
			VPBLENDD(Imm(0xaa), odd, even, even)
			VPMULLD(gap, even, even)
			VPADDD(even, from, from)
		}
		return from
	}
	values := func(i reg.Register) reg.VecVirtual {
		shifts := numbers(i)
		VPMULLD(width, shifts, shifts)
		VPAND(seven, shifts, shifts)
		v, upper := eightAt(src, func(k int) Mem { return at(dst, i).Offset(4 * k) })
		VINSERTI128(Imm(1), upper, v, v)
		VPSRLVD(shifts, v, v)
		VPAND(mask, v, v)
		return v
	}
	// The last eight are done first: some may come up with those before.
	i, last := GP64(), GP64()
	LEAQ(Mem{Base: n, Disp: -8}, last)
	for _, step := range []struct {
		name string
		make func(i reg.Register) reg.VecVirtual
	}{{"begins", begins}, {"values", values}} {
		final := step.make(last)
		XORL(i.As32(), i.As32())
		JMP(LabelRef(step.name + "End"))
		Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []Op{Imm(64)}}) // else it may take a fifth longer
		Label(step.name)
		VMOVDQU(step.make(i), at(dst, i))
		ADDQ(Imm(8), i)
		Label(step.name + "End")
		CMPQ(i, last)
		JLT(LabelRef(step.name))
		VMOVDQU(final, at(dst, last))
	}
	VZEROUPPER()
	RET()
}

// usualHeader is that of a packed run of 63 groups.
const usualHeader = 63<<1 | 1

// pickWanted picks those values whose bits are set, and rare. Of 16 places at a time vectors make the
// bytes where their values begin, which the list of places has, and by how many bits they
// are to be shifted, which stands beside it. In runs of 504 values, with a byte between two, places count
// 512 for each, so that the run's number is what is above nine bits:
//
//	bit   place*width - place>>9 * (512*width - 504*width - 8)
func pickWanted(name string, runs bool) {
	f := places.Fetch{Name: name, Size: 4, Slow: true, Runs: runs, Type: "uint32", Parameters: "src *byte, width, first int"}
	if runs {
		f.Parameters = "src *byte, width int"
		f.Doc = fmt.Sprintf("%s is pickWantedVBMI2 for words/8 runs of 504 values, the first at src, each behind a byte of %d. It stops before four of which one is not. Their bits are 63 bytes each.", name, usualHeader)
	} else {
		f.Doc = name + " unpacks the values of 1 to 25 bits, from number first on, whose bits are set in up to words > 0 words, " +
			"and returns how many, and how many words are left. None begins at bit 1<<32 or behind. It reads 4 bytes from where each begins. " + places.Stops
	}
	var src reg.GPVirtual
	var mask, back, header Mem
	var at, stride reg.GPVirtual
	seven := GLOBL(name+"Seven", RODATA|NOPTR)
	DATA(0, U32(7))
	f.Begin = func() {
		width, low := param("width"), GP32()
		mask = AllocLocal(8)
		MOVL(I32(-1), low)
		BZHIL(width.As32(), low, low)
		MOVL(low, mask)
		if runs {
			back = AllocLocal(8)
			DECQ(width)
			SHLQ(Imm(3), width)
			MOVQ(width, back)
			header = AllocLocal(8)
			first := param("src")
			DECQ(first)
			MOVQ(first, header)
		}
	}
	f.Check = func(i int, otherwise string) {
		if i == 0 {
			at, stride = GP64(), param("width")
			MOVQ(header, at)
			IMUL3Q(Imm(63), stride, stride)
			INCQ(stride)
		} else {
			ADDQ(stride, at)
		}
		CMPB(Mem{Base: at}, Imm(usualHeader))
		JNE(LabelRef(otherwise))
	}
	f.Checked = func() {
		ADDQ(stride, at)
		MOVQ(at, header)
	}
	f.Keep = func(v reg.VecVirtual, to Mem) {
		bit, shift, run := ZMM(), ZMM(), ZMM()
		if !runs {
			VPADDD_BCST(inMemory("first"), v, v)
		}
		VPMULLD_BCST(inMemory("width"), v, bit)
		VPANDD_BCST(seven, bit, shift)
		if runs {
			VPSRLD(Imm(9), v, run)
			VPMULLD_BCST(back, run, run)
			VPSUBD(run, bit, bit)
		}
		VPSRLD(Imm(3), bit, bit)
		VMOVDQU32(shift, to.Offset(f.Second()))
		VMOVDQU32(bit, to)
	}
	f.Prepare = func() { src = param("src") }
	f.Values = func(list, to Mem) {
		v, upper := eightAt(src, func(k int) Mem { return list.Offset(4 * k) })
		VINSERTI32X4(Imm(1), upper, v, v)
		VPSRLVD(list.Offset(f.Second()), v, v)
		VPANDD_BCST(mask, v, v)
		VMOVDQU32(v, to)
	}
	f.Write()
}

// inMemory is where a parameter is.
func inMemory(name string) Mem {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

// eightAt loads four bytes each from where a list of 8 says, two of it at a time, into the lower half of v and
// into upper.
func eightAt(src reg.Register, list func(k int) Mem) (v, upper reg.VecVirtual) {
	four := [2]reg.VecVirtual{YMM(), XMM()}
	for k := 0; k < 8; k += 2 {
		low, both, x := GP64(), GP64(), four[k/4].AsX()
		MOVQ(list(k), both)
		MOVL(both.As32(), low.As32())
		SHRQ(Imm(32), both)
		if k%4 == 0 {
			VMOVD(Mem{Base: src, Index: low, Scale: 1}, x)
		} else {
			VPINSRD(Imm(2), Mem{Base: src, Index: low, Scale: 1}, x, x)
		}
		VPINSRD(Imm(uint64(k%4+1)), Mem{Base: src, Index: both, Scale: 1}, x, x)
	}
	return four[0], four[1]
}

// pick writes the loop over positions, which knows neither branches nor checks,
// for what pickEight cannot do.
func pick() {
	TEXT("pick32BMI2", NOSPLIT, "func(dst *uint32, src *byte, positions *uint32, n, width, first int)")
	Pragma("noescape")
	Doc("pick32BMI2 unpacks n > 0 values of 1 to 32 bits, number first+positions[k] to dst[k]. It reads 8 bytes from where each begins.")
	dst, src, positions, n := param("dst"), param("src"), param("positions"), param("n")
	width, first := param("width"), param("first")
	LEAQ(Mem{Base: dst, Index: n, Scale: 4}, dst)
	LEAQ(Mem{Base: positions, Index: n, Scale: 4}, positions)
	NEGQ(n)
	Label("loop")
	bit, at, value := GP64(), GP64(), GP64()
	MOVL(Mem{Base: positions, Index: n, Scale: 4}, bit.As32())
	ADDQ(first, bit)
	IMULQ(width, bit)
	MOVQ(bit, at)
	SHRQ(Imm(3), at)
	ANDL(Imm(7), bit.As32())
	SHRXQ(bit, Mem{Base: src, Index: at, Scale: 1}, value)
	BZHIQ(width, value, value)
	MOVL(value.As32(), Mem{Base: dst, Index: n, Scale: 4})
	INCQ(n)
	JNZ(LabelRef("loop"))
	RET()
}

func param(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}
