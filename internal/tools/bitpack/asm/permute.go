package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

// secondLoad is where the second of two loads of 64 bytes begins, with which the
// latter 32 of 64 codes are read. It ends at most 16 bytes behind them.
func secondLoad(width int) int { return min(4*width, 8*width-48) }

// quads unpacks 64 codes of 9 to 13 bits at a time. The 8 bytes of lane j, of 8,
// are first filled twice with source bytes, such that each time 4 whole codes lie in them:
//
//	lane j of quads[0]    codes 8j to 8j+3
//	lane j of quads[1]    codes 8j+4 to 8j+7
//
// VPMULTISHIFTQB moves any 8 bits of a lane to each of its bytes.
type quads struct {
	width                 int
	from, to              [2]reg.VecVirtual
	limit, biggest        reg.VecVirtual
	upperHalf, upperFours reg.OpmaskVirtual
}

// What the package's variable quads has for a width, in 64 bytes each.
const (
	limits = iota
	firstFrom
	firstTo  = firstFrom + 2
	fields   = firstTo + 2
	perWidth = fields + 3
)

func (q quads) load(number int) reg.VecVirtual {
	v := ZMM()
	VMOVDQU64(frame.Variable("quads").Offset(64*((q.width-9)*perWidth+number)), v)
	return v
}

func loadQuads(width int) quads {
	q := quads{width: width}
	mask := func(bits uint64) reg.OpmaskVirtual {
		r, k := GP64(), K()
		MOVQ(U64(bits), r)
		KMOVQ(r, k)
		return k
	}
	q.limit = q.load(limits)
	q.biggest = ZMM()
	VPXORQ(q.biggest, q.biggest, q.biggest)
	q.upperHalf, q.upperFours = mask(0xffffffff00000000), mask(0xf0f0f0f0f0f0f0f0)
	for i := range 2 {
		q.from[i] = q.load(firstFrom + i)
		q.to[i] = q.load(firstTo + i)
	}
	return q
}

// next fills lanes with the 64 codes at src and moves src behind them.
func (q quads) next(src reg.GPVirtual) (lanes [2]reg.VecVirtual) {
	near, far := ZMM(), ZMM()
	VMOVDQU64(Mem{Base: src}, near)
	VMOVDQU64(Mem{Base: src, Disp: secondLoad(q.width)}, far)
	ADDQ(Imm(uint64(8*q.width)), src)
	for i := range lanes {
		code := ZMM()
		lanes[i] = ZMM()
		VPERMB(near, q.from[i], lanes[i])
		VPERMB(far, q.from[i], q.upperHalf, lanes[i])
		VPMULTISHIFTQB(lanes[i], q.to[i], code)
		VPANDQ(q.limit, code, code)
		VPMAXUW(code, q.biggest, q.biggest)
	}
	return lanes
}

// end returns the largest code.
func (q quads) end() {
	half := YMM()
	VEXTRACTI64X4(Imm(1), q.biggest, half)
	VPMAXUW(half, q.biggest.AsY(), half)
	maxOf(half, 2)
}

// testPermuted looks 64 codes of 9 to 13 bits up at a time, in tables of 64 bytes
// that VPERMB takes from memory. Of each code bits 0 to 2 choose
// the bit in a byte, 3 to 8 the byte in a table, those above the table: half of
// the tables are looked up into registers, the other half over them where the
// bit says so, and so on.
func testPermuted(width int) {
	name := fmt.Sprintf("test%dBitsVBMI", width)
	a := testKernel(name, "uint64", fmt.Sprintf("tests words of 64 codes of %d bits against a table of %d bits, "+
		"and returns the largest. It reads 16 bytes behind them.", width, 1<<width))
	q := loadQuads(width)
	bits := []reg.VecVirtual{q.load(fields), q.load(fields + 1)}
	if width > 11 {
		bits = append(bits, q.load(fields+2))
	}
	powers := ZMM()
	VMOVDQU64(powersOf2, powers)
	each := func(b uint32) reg.VecVirtual {
		r, v := GP32(), ZMM()
		MOVL(U32(b), r)
		VPBROADCASTB(r, v)
		return v
	}
	seven := each(7)
	// The bits of index, and of what is above, by which tables are chosen.
	var ofIndex, above []reg.VecVirtual
	for bit := 6; bit < min(8, width-3); bit++ {
		ofIndex = append(ofIndex, each(1<<bit))
	}
	for bit := range max(0, width-11) {
		above = append(above, each(1<<bit))
	}

	Label("loop")
	lanes := q.next(a.src)
	field := func(i int) reg.VecVirtual {
		v := ZMM()
		VPMULTISHIFTQB(lanes[0], bits[i], v)
		VPMULTISHIFTQB(lanes[1], bits[i], q.upperFours, v)
		return v
	}
	low, index := field(0), field(1)
	VPANDQ(seven, low, low)
	// choose[i] has the bits of the codes that want the upper half of 2<<i tables.
	var choose []reg.OpmaskVirtual
	test := func(v reg.VecVirtual, bits []reg.VecVirtual) {
		for _, bit := range bits {
			k := K()
			VPTESTMB(bit, v, k)
			choose = append(choose, k)
		}
	}
	test(index, ofIndex)
	if width > 11 {
		test(field(2), above)
	}
	var find func(table, level int) reg.VecVirtual
	find = func(table, level int) reg.VecVirtual {
		at := Mem{Base: a.table, Disp: 64 * table}
		if level == 0 {
			v := ZMM()
			VPERMB(at, index, v)
			return v
		}
		v := find(table, level-1)
		if level == 1 {
			at.Disp += 64
			VPERMB(at, index, choose[0], v)
			return v
		}
		VMOVDQU8(find(table+1<<(level-1), level-1), choose[level-1], v)
		return v
	}
	found := find(0, len(choose))
	bit, k, word := ZMM(), K(), GP64()
	VPSHUFB(low, powers, bit)
	VPTESTMB(bit, found, k)
	KMOVQ(k, word)
	MOVQ(word, Mem{Base: a.out})
	a.next("loop")
	q.end()
}
