package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/bitpack/lanes"
)

// keepMixed writes a kernel for whole runs of any kind of which most codes are wanted:
// packed ones as keepLookup has them, and of repeated ones as many values as bits are set.
func keepMixed(name string, entry int, how fate) {
	TEXT(name, 0, "func(dst, src, dictionary, sel *byte, at, n, left, width, size, limit int) (bytes, done, kept int, largest uint32)")
	Pragma("noescape")
	Doc(name + fmt.Sprintf(" looks those of the codes of 1 to 26 bits up, of the whole runs at src, as far as n bytes go, whose bits in sel are set, from position at on, "+
		"in a dictionary of limit entries%s, of %d bytes each. Repeated values have so many bytes of size. "+
		"It stops in front of the first run of which anything is wrong, that has more than two bytes of header, or with which there were more codes than left. "+
		"It returns how many bytes and codes that is, how many values it stored, and the largest packed code, which may be above limit. "+
		"It reads 16 bytes behind n, and bits of 64 codes behind left, and writes up to %d values behind those that are wanted.", atMost(how), entry, room))
	to, src, dictionary, sel, at, width := load("dst"), load("src"), load("dictionary"), load("sel"), load("at"), load("width")
	argument := func(name string) Mem {
		from, err := Param(name).Resolve()
		if err != nil {
			panic(err)
		}
		return from.Addr
	}
	u := lanes.NewUnpacker(width, false)
	biggest := YMM()
	VPXOR(biggest, biggest, biggest)
	eight := func() func(v reg.VecVirtual) {
		limit := load("limit")
		return lookingUp(entry, how, dictionary, limit, to)
	}()
	stop, end := AllocLocal(8), AllocLocal(8)
	{
		r := load("n")
		ADDQ(src, r)
		MOVQ(r, stop)
		r = load("left")
		ADDQ(at, r)
		MOVQ(r, end)
	}
	// bits returns those of the next codes, at least 57.
	bits := func() reg.GPVirtual {
		b := GP64()
		MOVQ(at, b)
		SHRQ(Imm(3), b)
		MOVQ(Mem{Base: sel, Index: b, Scale: 1}, b)
		by := GP64()
		MOVQ(at, by)
		ANDL(Imm(7), by.As32())
		SHRXQ(by, b, b)
		return b
	}
	Label("run")
	header, body, next := GP64(), GP64(), GP64() // the header, then count; the bytes behind it; where the run ends in sel
	readHeader(src, stop, header, body)
	LEAQ(Mem{Base: at, Index: header, Scale: 1}, next)
	CMPQ(next, end)
	JA(LabelRef("done"))
	code, valueBits := GP64(), GP64()
	MOVQ(argument("size"), valueBits)
	MOVL(Mem{Base: body}, code.As32())
	ADDQ(valueBits, body)
	SHLQ(Imm(3), valueBits)
	BZHIQ(valueBits, code, code)
	CMPQ(code, argument("limit"))
	JAE(LabelRef("done"))
	MOVQ(body, src)
	value := YMM()
	repeatEntry(entry, dictionary, code, value)
	stored := GP64()
	MOVQ(to, stored)
	Label("some")
	wanted, few := bits(), GP64()
	MOVL(U32(56), few.As32())
	CMPQ(few, header)
	CMOVQGT(header, few)
	BZHIQ(few, wanted, wanted)
	POPCNTQ(wanted, wanted)
	stepEntries(entry, to, wanted)
	ADDQ(few, at)
	SUBQ(few, header)
	JNZ(LabelRef("some"))
	chunk := min(room*entry, 512)
	Label("fill")
	for i := 0; i < chunk; i += 32 {
		VMOVDQU(value, Mem{Base: stored, Disp: i})
	}
	ADDQ(U32(chunk), stored)
	CMPQ(stored, to)
	JB(LabelRef("fill"))
	JMP(LabelRef("run"))

	readSecond(header, body)

	Label("groups")
	JZ(LabelRef("done"))
	LEAQ(Mem{Base: at, Index: header, Scale: 8}, next)
	CMPQ(next, end)
	JA(LabelRef("done"))
	IMULQ(width, header)
	ADDQ(body, header)
	CMPQ(header, stop)
	JA(LabelRef("done"))
	MOVQ(body, src)
	Label("packed")
	v := u.Next(src)
	VPMAXUD(v, biggest, biggest)
	wanted, rows := bits(), GP64()
	MOVBLZX(wanted.As8(), wanted.As32())
	LEAQ(wantedLanes, rows)
	squeeze(rows, wanted, v)
	eight(v)
	POPCNTL(wanted.As32(), wanted.As32())
	stepEntries(entry, to, wanted)
	ADDQ(Imm(8), at)
	CMPQ(at, next)
	JB(LabelRef("packed"))
	JMP(LabelRef("run"))

	Label("done")
	largest := greatest(biggest)
	VZEROUPPER()
	from := GP64()
	Load(Param("src"), from)
	SUBQ(from, src)
	Load(Param("dst"), from)
	SUBQ(from, to)
	SHRQ(Imm(shiftOf(entry)), to)
	Load(Param("at"), from)
	SUBQ(from, at)
	Store(src, ReturnIndex(0))
	Store(at, ReturnIndex(1))
	Store(to, ReturnIndex(2))
	Store(largest, ReturnIndex(3))
	RET()
}
