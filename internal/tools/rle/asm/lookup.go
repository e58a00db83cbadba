package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/bitpack/lanes"
	"github.com/winnow-scan/winnow/internal/tools/frame"
)

// room is how many values are stored for a repeated run, at least: what is too much
// the next run overwrites. That takes less time than a wrong guess.
const room = 64

// Of a packed run 8 codes at a time are unpacked, 64 where they become bytes. What then
// becomes of them:
type fate int

const (
	asTheyAre fate = iota // they are stored
	inBytes               // they are stored in a byte each, of at most 8 bits
	inLanes               // they are stored in a byte each, or two, of at most 16 bits, a register at a time
	lookedUp              // they leave the vector two by two: stored and loaded again one by one they take a third longer
	permuted              // the dictionary is in registers
)

// few is how many entries of 4 and 8 bytes fit two registers at least.
const few = 16

// atMost says of how many entries kernels take dictionaries.
func atMost(how fate) string {
	if how != permuted {
		return ""
	}
	return fmt.Sprintf(", at most %d", few)
}

// codes writes a kernel that decodes whole runs of codes.
func codes() {
	TEXT("codesAVX2", 0, "func(dst *uint32, src *byte, longest, n, left, width, limit int) (at, done int, largest uint32)")
	Pragma("noescape")
	Doc(fmt.Sprintf("codesAVX2 decodes whole runs of codes of 1 to 26 bits at src, as far as n bytes go. "+
		"It stops in front of the first run of which anything is wrong, that has more than two bytes of header, or values than longest, or with which there were more values than left. "+
		"It returns where that is, how many codes it stored, and the largest packed one, which may be limit or above. "+
		"It reads 16 bytes behind n, and writes up to %d codes behind left.", room))
	runs(4, asTheyAre)
}

// narrowCodes writes the same for codes that fit a byte or two, of which nobody needs the largest yet.
func narrowCodes(name string, size int, how fate) {
	TEXT(name, 0, "func(dst, src *byte, longest, n, left, width, limit int) (at, done int)")
	Pragma("noescape")
	packed := "may be limit or above"
	if how == inLanes {
		packed += ", and their runs longer than longest"
	}
	Doc(name + fmt.Sprintf(" is codesAVX2 for codes of %d to %d bits, which it stores as numbers of %d. Packed ones %s. "+
		"It reads up to %d bytes behind n, and writes up to %d codes behind left.", 8*size-7, 8*size, 8*size, packed, narrowRead(size), room))
	runs(size, how)
}

// lookup writes a kernel that decodes whole runs through a dictionary of entries of
// so many bytes, 4, 8 or 16.
func lookup(name string, entry int, how fate) {
	TEXT(name, 0, "func(dst, src, dictionary *byte, groups, n, left, width, limit int) (at, done int, largest uint32)")
	Pragma("noescape")
	Doc(name + fmt.Sprintf(" looks groups*8 packed codes of 1 to 26 bits at src up, and then those of the whole runs that follow, as far as n bytes go, "+
		"in a dictionary of limit entries%s, of %d bytes each. "+
		"It stops behind the first groups, or in front of the first run of which anything is wrong, that has more than two bytes of header, or with which there were more values than left. "+
		"It returns where that is, how many values it stored, and the largest packed code, which may be above limit. "+
		"It reads 16 bytes behind n, and writes up to %d values behind left.", atMost(how), entry, room))
	runs(entry, how)
}

func runs(entry int, how fate) {
	narrow := how == inBytes || how == inLanes
	codes := how == asTheyAre || narrow
	to, src, width := frame.Parameter("dst"), frame.Parameter("src"), frame.Parameter("width")
	var dictionary, longest reg.GPVirtual
	if codes {
		longest = frame.Parameter("longest")
	} else {
		dictionary = frame.Parameter("dictionary")
	}
	var u lanes.Unpacker
	var biggest reg.VecVirtual
	if !narrow {
		u, biggest = lanes.NewUnpacker(width), YMM()
		VPXOR(biggest, biggest, biggest)
	}
	limit, end, stop := frame.Parameter("limit"), frame.Parameter("left"), frame.Parameter("n")
	var next8 func() // of a packed run
	switch how {
	case inBytes:
		next8 = spread(width, src, to)
	case inLanes:
		next8 = spreadLanes(entry, width, src, to)
	default:
		then := func(v reg.VecVirtual) { VMOVDQU(v, Mem{Base: to}) }
		if !codes {
			then = lookingUp(entry, how, dictionary, limit, to)
		}
		next8 = func() {
			v := u.Next(src)
			VPMAXUD(v, biggest, biggest)
			then(v)
			ADDQ(U32(8*entry), to)
		}
	}
	// A repeated value has as many whole bytes as hold the width.
	size, valueBits := GP64(), GP64()
	LEAQ(Mem{Base: width, Disp: 7}, size)
	SHRQ(Imm(3), size)
	{
		bits, ones := GP64(), GP64()
		MOVQ(I32(-1), ones)
		MOVQ(size, bits)
		SHLQ(Imm(3), bits)
		BZHIQ(bits, ones, valueBits)
	}
	shift := shiftOf(entry)
	timesEntry := func(r reg.GPVirtual) {
		if shift > 0 {
			SHLQ(Imm(shift), r)
		}
	}
	timesEntry(end)
	ADDQ(to, end)
	ADDQ(src, stop)

	next, header, at := GP64(), GP64(), GP64() // where the run ends in dst; its header, then count; its bytes behind that
	if !codes {
		Load(Param("groups"), header)
		MOVQ(header, next)
		SHLQ(Imm(shift+3), next)
		ADDQ(to, next)
		TESTQ(header, header)
		JNZ(LabelRef("packed"))
	}

	Label("run")
	readHeader(src, stop, header, at)
	if codes {
		CMPQ(header, longest)
		JA(LabelRef("done"))
	}
	MOVQ(header, next)
	timesEntry(next)
	ADDQ(to, next)
	CMPQ(next, end)
	JA(LabelRef("done"))
	code := GP64()
	MOVL(Mem{Base: at}, code.As32())
	ANDQ(valueBits, code)
	CMPQ(code, limit)
	JAE(LabelRef("done"))
	LEAQ(Mem{Base: at, Index: size, Scale: 1}, src)
	value := YMM()
	switch {
	case entry == 1:
		VMOVD(code.As32(), value.AsX())
		VPBROADCASTB(value.AsX(), value)
	case entry == 2:
		VMOVD(code.As32(), value.AsX())
		VPBROADCASTW(value.AsX(), value)
	case codes:
		VMOVD(code.As32(), value.AsX())
		VPBROADCASTD(value.AsX(), value)
	default:
		repeatEntry(entry, dictionary, code, value)
	}
	chunk := min(room*entry, 512)
	Label("fill")
	for i := 0; i < chunk; i += 32 {
		VMOVDQU(value, Mem{Base: to, Disp: i})
	}
	ADDQ(U32(chunk), to)
	CMPQ(to, next)
	JB(LabelRef("fill"))
	MOVQ(next, to)
	JMP(LabelRef("run"))

	readSecond(header, at)

	Label("groups")
	JZ(LabelRef("done"))
	MOVQ(header, next)
	if codes {
		SHLQ(Imm(3), next)
		if how != inLanes {
			CMPQ(next, longest)
			JA(LabelRef("done"))
		}
		timesEntry(next)
	} else {
		SHLQ(Imm(shift+3), next)
	}
	ADDQ(to, next)
	CMPQ(next, end)
	JA(LabelRef("done"))
	IMULQ(width, header)
	ADDQ(at, header)
	CMPQ(header, stop)
	JA(LabelRef("done"))
	MOVQ(at, src)
	Label("packed")
	next8()
	CMPQ(to, next)
	JB(LabelRef("packed"))
	if narrow { // more than there are, as for a repeated run
		MOVQ(next, to)
		MOVQ(header, src)
	}
	JMP(LabelRef("run"))

	Label("done")
	var largest reg.GPVirtual
	if !narrow {
		largest = greatest(biggest)
	}
	VZEROUPPER()
	from := frame.Parameter("src")
	SUBQ(from, src)
	Load(Param("dst"), from)
	SUBQ(from, to)
	if shift > 0 {
		SHRQ(Imm(shift), to)
	}
	Store(src, ReturnIndex(0))
	Store(to, ReturnIndex(1))
	if largest != nil {
		Store(largest, ReturnIndex(2))
	}
	RET()
}

// readHeader reads the header of the run at src: behind it, header is how many values or
// groups of values follow, at where they begin. It goes on to the label groups where they
// are packed, and to done where less is left than it takes to know, or there are none.
func readHeader(src reg.GPVirtual, stop Op, header, at reg.GPVirtual) {
	LEAQ(Mem{Base: src, Disp: 6}, at) // two of header, four of value
	CMPQ(at, stop)
	JA(LabelRef("done"))
	MOVBQZX(Mem{Base: src}, header)
	LEAQ(Mem{Base: src, Disp: 1}, at)
	CMPQ(header, U32(0x80))
	JAE(LabelRef("two"))
	Label("header")
	SHRQ(Imm(1), header)
	JCS(LabelRef("groups"))
	JZ(LabelRef("done"))
}

// readSecond is what readHeader goes to for headers of two bytes.
func readSecond(header, at reg.GPVirtual) {
	Label("two")
	second := GP64()
	MOVBQZX(Mem{Base: at}, second)
	INCQ(at)
	CMPQ(second, U32(0x80))
	JAE(LabelRef("done"))
	ANDQ(Imm(0x7f), header)
	SHLQ(Imm(7), second)
	ORQ(second, header)
	JMP(LabelRef("header"))
}

// repeatEntry fills value with an entry of a dictionary.
func repeatEntry(entry int, dictionary, code reg.GPVirtual, value reg.VecVirtual) {
	switch entry {
	case 4:
		VPBROADCASTD(Mem{Base: dictionary, Index: code, Scale: 4}, value)
	case 8:
		VPBROADCASTQ(Mem{Base: dictionary, Index: code, Scale: 8}, value)
	case 16:
		SHLQ(Imm(4), code)
		VBROADCASTI128(Mem{Base: dictionary, Index: code, Scale: 1}, value)
	}
}

// spread returns what stores the next codes as bytes, for as many bytes of src hold 8 of them as
// one has bits.
func spread(width, src, to reg.GPVirtual) func() {
	places, ones := GP64(), GP64()
	MOVQ(I32(-1), places)
	BZHIQ(width, places, places)
	MOVQ(U64(0x0101010101010101), ones)
	IMULQ(ones, places)
	return func() {
		for i := range room / 8 { // whatever the run has: see room
			v := GP64()
			MOVQ(Mem{Base: src}, v)
			ADDQ(width, src)
			PDEPQ(places, v, v)
			MOVQ(v, Mem{Base: to, Disp: 8 * i})
		}
		ADDQ(Imm(room), to)
	}
}

// lookupEight looks 8 codes up. Entries of 4 and 8 bytes are put into a register of 16 bytes by the
// instructions that load them, for stores are what there is least of.
func lookupEight(entry int, v reg.VecVirtual, dictionary, to reg.GPVirtual) {
	if entry == 16 {
		VPSLLD(Imm(4), v, v)
	}
	var found reg.VecVirtual
	entries := func(i int, c reg.GPVirtual) { found = lookupOne(entry, i, c, dictionary, to, found) }
	for i := 0; i < 8; i += 4 {
		x := v.AsX()
		if i > 0 {
			upper := XMM()
			VEXTRACTI128(Imm(1), v, upper)
			x = upper.AsX()
		}
		first, second := GP64(), GP64()
		VMOVQ(x, first)
		VPEXTRQ(Imm(1), x, second)
		for j, two := range []reg.GPVirtual{first, second} {
			c := GP64()
			MOVL(two.As32(), c.As32())
			entries(i+2*j, c)
			SHRQ(Imm(32), two)
			entries(i+2*j+1, two)
		}
	}
}

// lookupOne looks up code c, number i of those whose entries go to to; of 16 bytes the code is
// the place in bytes. found has the entries before it that it stands with.
func lookupOne(entry, i int, c, dictionary, to reg.GPVirtual, found reg.VecVirtual) reg.VecVirtual {
	from, part, all := Mem{Base: dictionary, Index: c, Scale: uint8(min(entry, 8))}, i*entry%16, 16
	if entry == 16 {
		from.Scale, part, all = 1, i*entry%32, 32
	}
	if part == 0 && entry == 16 {
		found = YMM()
	} else if part == 0 {
		found = XMM()
	}
	switch {
	case entry == 16 && part == 0:
		VMOVDQU(from, found.AsX())
	case entry == 16:
		VINSERTI128(Imm(1), from, found, found)
	case entry == 8 && part == 0:
		VMOVQ(from, found)
	case entry == 8:
		VPINSRQ(Imm(1), from, found, found)
	case part == 0:
		VMOVD(from, found)
	default:
		VPINSRD(Imm(uint64(part/4)), from, found, found)
	}
	if part+entry == all {
		VMOVDQU(found, Mem{Base: to, Disp: i*entry - part})
	}
	return found
}

// permuteEight loads the dictionary and returns what looks 8 codes up in it.
func permuteEight(entry int, dictionary, limit, to reg.GPVirtual) func(v reg.VecVirtual) {
	bits, there := GP64(), K()
	MOVQ(I32(-1), bits)
	BZHIQ(limit, bits, bits)
	KMOVW(bits.As32(), there)
	low, high := ZMM(), ZMM()
	if entry == 4 {
		VMOVDQU32_Z(Mem{Base: dictionary}, there, low)
		return func(v reg.VecVirtual) {
			found := ZMM()
			VPERMD(low, v.AsZ(), found)
			VMOVDQU(found.AsY(), Mem{Base: to})
		}
	}
	VMOVDQU64_Z(Mem{Base: dictionary}, there, low)
	KSHIFTRW(Imm(8), there, there)
	VMOVDQU64_Z(Mem{Base: dictionary, Disp: 64}, there, high)
	return func(v reg.VecVirtual) {
		found := ZMM()
		VPMOVZXDQ(v, found)
		VPERMI2Q(high, low, found)
		VMOVDQU64(found, Mem{Base: to})
	}
}
