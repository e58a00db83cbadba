package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pickEight picks in three steps, each of which goes over all positions: vectors
// make of 8 positions the bytes where their values begin, four bytes are loaded
// from each, and vectors shift and mask what was loaded. All is in dst meanwhile. Values of whole
// bytes in one run are where positions say.
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
	numbers := func(m Mem) reg.VecVirtual {
		v := YMM()
		VPADDD(m, first, v)
		return v
	}
	offsets := func(m Mem) reg.VecVirtual {
		v := numbers(m)
		bit := YMM()
		VPMULLD(width, v, bit)
		VPSRLD(Imm(3), bit, bit)
		if runs {
			odd, even := YMM(), YMM()
			VPSRLQ(Imm(32), v, odd)
			VPMULUDQ(inverse, v, even)
			VPMULUDQ(inverse, odd, odd)
			VPSRLQ(Imm(32), even, even)
			VPBLENDD(Imm(0xaa), odd, even, even)
			VPMULLD(gap, even, even)
			VPADDD(even, bit, bit)
		}
		return bit
	}
	at := func(base reg.Register, i reg.Register, disp int) Mem {
		return Mem{Base: base, Index: i, Scale: 4, Disp: disp}
	}
	i, last, fours := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: n, Disp: -4}, fours)
	// whole goes to where nothing is shifted or masked.
	whole := func() {
		CMPQ(wide, Imm(8))
		JE(LabelRef("ofByte"))
		CMPQ(wide, Imm(16))
		JE(LabelRef("ofTwo"))
	}
	if !runs {
		whole()
	}
	LEAQ(Mem{Base: n, Disp: -8}, last)
	XORL(i.As32(), i.As32())
	final := offsets(at(positions, last, 0))
	JMP(LabelRef("placesEnd"))
	align()
	Label("places")
	VMOVDQU(offsets(at(positions, i, 0)), at(dst, i, 0))
	ADDQ(Imm(8), i)
	Label("placesEnd")
	CMPQ(i, last)
	JLT(LabelRef("places"))
	VMOVDQU(final, at(dst, last, 0))

	// load puts to dst what is there, size bytes for each number in the list. The last four are
	// loaded first, for some may come up with those before.
	load := func(name string, list reg.Register, size uint8, mov func(m, r Op)) {
		value := func(m Mem) reg.Register {
			r := GP64()
			MOVL(m, r.As32())
			mov(Mem{Base: src, Index: r, Scale: size}, r.As32())
			return r.As32()
		}
		var final [4]reg.Register
		for j := range final {
			final[j] = value(at(list, fours, 4*j))
		}
		XORL(i.As32(), i.As32())
		align()
		Label(name)
		for j := range final {
			MOVL(value(at(list, i, 4*j)), at(dst, i, 4*j))
		}
		ADDQ(Imm(4), i)
		CMPQ(i, fours)
		JLT(LabelRef(name))
		for j, r := range final {
			MOVL(r, at(dst, fours, 4*j))
		}
	}
	if runs {
		whole()
	}
	load("four", dst, 1, MOVL)

	ones, count, mask, seven, shift := YMM(), XMM(), YMM(), YMM(), GP64()
	VPCMPEQD(ones, ones, ones)
	VPSRLD(Imm(29), ones, seven)
	MOVQ(U32(32), shift)
	SUBQ(wide, shift)
	VMOVQ(shift, count)
	VPSRLD(count, ones, mask)
	values := func(i reg.Register) reg.VecVirtual {
		v := numbers(at(positions, i, 0))
		VPMULLD(width, v, v)
		VPAND(seven, v, v)
		x := YMM()
		VMOVDQU(at(dst, i, 0), x)
		VPSRLVD(v, x, x)
		VPAND(mask, x, x)
		return x
	}
	final = values(last)
	XORL(i.As32(), i.As32())
	JMP(LabelRef("valuesEnd"))
	align()
	Label("values")
	VMOVDQU(values(i), at(dst, i, 0))
	ADDQ(Imm(8), i)
	Label("valuesEnd")
	CMPQ(i, last)
	JLT(LabelRef("values"))
	VMOVDQU(final, at(dst, last, 0))
	VZEROUPPER()
	RET()

	list, two := dst, uint8(1)
	Label("ofByte")
	if !runs {
		list, two = positions, 2
		ADDQ(begin, src)
	}
	load("byte", list, 1, MOVBLZX)
	VZEROUPPER()
	RET()
	Label("ofTwo")
	if !runs {
		LEAQ(Mem{Base: src, Index: begin, Scale: 2}, src)
	}
	load("two", list, two, MOVWLZX)
	VZEROUPPER()
	RET()
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

// align puts the loop that follows at the start of a cache line. Else it takes a fifth longer
// where the linker happens to put the function.
func align() {
	Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []Op{Imm(64)}})
}

func param(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}
