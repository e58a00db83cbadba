// Command asm writes the kernels of encoding/rle with avo.
//
// With AVX2: repeated runs whose headers have as many bytes stand as far apart, so it is
// known which bytes of the next 32 are headers: bytes that have to have some bits
// and not others, if runs there are, and a count to add up. Width 13:
//
//	byte     0        1        2        3        4        5        … 29
//	         0ccccccc vvvvvvvv 000vvvvv 0ccccccc vvvvvvvv 000vvvvv … 000vvvvv
//	given    1      1          111      1      1          111
//	low       111111                     111111
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/bitpack/lanes"
)

// Runs take 2 to 6 bytes.
const longest = 6

func main() {
	ConstraintExpr("!purego")
	skipAlike()
	lanes.Tables()
	bytesTable()
	codes()
	narrowCodes("codeBytesBMI2", 1, inBytes)
	narrowCodes("codeBytesVBMI", 1, inLanes)
	narrowCodes("codeWordsVBMI", 2, inLanes)
	packedCodes("packedBytesVBMI", 1)
	packedCodes("packedWordsVBMI", 2)
	largestCode("largestByteAVX512", 1)
	largestCode("largestWordAVX512", 2)
	keepNarrow("keepBytesVBMI2", 1)
	keepNarrow("keepWordsVBMI2", 2)
	for _, entry := range []int{4, 8, 16} {
		lookup(fmt.Sprintf("lookup%dAVX2", entry), entry, lookedUp)
	}
	for _, entry := range []int{4, 8} {
		lookup(fmt.Sprintf("lookupFew%dAVX512", entry), entry, permuted)
		translate(fmt.Sprintf("translateFew%dAVX512", entry), entry, permuted)
	}
	for _, entry := range []int{4, 8, 16} {
		translate(fmt.Sprintf("translate%dAVX2", entry), entry, lookedUp)
		lookupNarrow(fmt.Sprintf("lookupBytesFew%dAVX512", entry), entry, 1, permuted)
		for i, name := range []string{"Bytes", "Words"} {
			lookupNarrow(fmt.Sprintf("lookup%s%dAVX2", name, entry), entry, 1+i, lookedUp)
		}
	}
	Generate()
}

// firsts has an entry of 48 bytes for each stride: 0xff where the first byte of a run is that
// lies within the 32, from the 16th byte on.
func firsts() Mem {
	mem := GLOBL("firsts", RODATA|NOPTR)
	for stride := range longest + 1 {
		for i := range 48 {
			b := uint8(0)
			if at := i - 16; at >= 0 && stride > 1 && at%stride == 0 && at+stride <= 32 {
				b = 0xff
			}
			DATA(stride*48+i, U8(b))
		}
	}
	return mem
}

func load(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// bytes returns a register with the lowest byte of r in every byte of lanes.
func bytes(r reg.GPVirtual, lanes reg.VecVirtual) reg.VecVirtual {
	x, v := XMM(), YMM()
	VMOVD(r.As32(), x)
	VPBROADCASTB(x, v)
	VPAND(lanes, v, v)
	return v
}

func skipAlike() {
	TEXT("skipAlikeAVX2", NOSPLIT, "func(body *byte, n, left, header, value, above int) (at, still int)")
	Pragma("noescape")
	Doc("skipAlikeAVX2 steps over repeated runs with a header of 1 or 2 bytes and a value of some bytes, 2 to " +
		fmt.Sprint(longest) + " in all, as long as n bytes are left, 33 or more, and the values are not more than left. The bits of above are 0 in " +
		"the last byte of values. It returns where the next run begins, and how many values are left.")
	body, n, left, header, value := load("body"), load("n"), load("left"), load("header"), load("value")
	stride, at := GP64(), GP64()
	LEAQ(Mem{Base: header, Index: value, Scale: 1}, stride)
	IMUL3Q(Imm(48), stride, at)
	table := GP64()
	LEAQ(firsts(), table)
	ADDQ(at, table)
	first, after, last := YMM(), YMM(), YMM() // bytes of runs
	VMOVDQU(Mem{Base: table, Disp: 16}, first)
	VMOVDQU(Mem{Base: table, Disp: 15}, after)
	SUBQ(stride, table)
	VMOVDQU(Mem{Base: table, Disp: 17}, last)
	// What is said of a second byte of the header, nothing if there is none.
	two, both := GP64(), GP64()
	MOVL(U32(1), two.As32())
	SUBQ(header, two)
	constant := func(b uint32, mask reg.GPVirtual, lanes reg.VecVirtual) reg.VecVirtual {
		r := GP64()
		MOVL(U32(b), r.As32())
		ANDQ(mask, r)
		return bytes(r, lanes)
	}
	MOVQ(U32(0xff), both)
	are, high := constant(0x80, two, first), constant(0x7f, two, first)
	given, low := constant(0x81, both, first), constant(0x7e, both, first)
	VPOR(constant(0x80, two, after), given, given)
	VPOR(bytes(load("above"), last), given, given)
	zero := YMM()
	VPXOR(zero, zero, zero)
	// The bytes of a step: as many runs as fit.
	step := GP64()
	VPMOVMSKB(first, step.As32())
	POPCNTL(step.As32(), step.As32())
	IMULQ(stride, step)

	ADDQ(left, left) // twice, as counts are
	XORL(at.As32(), at.As32())
	SUBQ(Imm(33), n)
	Label("loop")
	CMPQ(at, n)
	JG(LabelRef("done"))
	v, second := YMM(), YMM()
	VMOVDQU(Mem{Base: body, Index: at, Scale: 1}, v)
	VPAND(Mem{Base: body, Index: at, Scale: 1, Disp: 1}, high, second)
	counts, right, none := YMM(), YMM(), YMM()
	VPAND(low, v, counts)
	VPAND(given, v, right)
	VPCMPEQB(are, right, right)
	VPOR(counts, second, none)
	VPCMPEQB(zero, none, none)
	VPAND(first, none, none)
	VPANDN(right, none, right)
	good := GP32()
	VPMOVMSKB(right, good)
	INCL(good)
	JNZ(LabelRef("done"))
	VPSADBW(zero, counts, counts)
	VPSADBW(zero, second, second)
	VPSLLQ(Imm(7), second, second)
	VPADDQ(second, counts, counts)
	half := XMM()
	VEXTRACTI128(Imm(1), counts, half)
	VPADDQ(half, counts.AsX(), half)
	sum, upper := GP64(), GP64()
	VMOVQ(half, sum)
	VPEXTRQ(Imm(1), half, upper)
	ADDQ(upper, sum)
	CMPQ(sum, left)
	JG(LabelRef("done"))
	SUBQ(sum, left)
	ADDQ(step, at)
	JMP(LabelRef("loop"))
	Label("done")
	SHRQ(Imm(1), left)
	VZEROUPPER()
	Store(at, ReturnIndex(0))
	Store(left, ReturnIndex(1))
	RET()
}
