package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

const (
	chunk = 32           // words
	room  = 8*chunk + 64 // bytes for the pieces of a chunk, and for what is stored behind them
	group = 32           // pieces

	slots   = 4
	slotEnd = 2 * room
	slot    = slotEnd + 8

	memoryPage = 4096
)

// findPlaces writes a loop over the words of bits of a kernel, and what comes behind it. List loads where
// places are stored, with room for most of them in own, and returns up to where 66 more may be. Next comes behind each
// 32 words but the last, with where their places end: it may empty the list. Done ends the kernel; left is how many
// words there are from where it stopped.
//
// The loop takes up to 32 words apart into bytes, and squeezes out those that have no bit set:
//
//	words     01000000 00000000 00000000 10010000 …    first bit left
//	pieces    01000000 10010000 …
//	places    0        3        …
//
// Of 32 pieces at a time the first and the second bit are found side by side,
// and what is none is squeezed out again. Nothing is guessed but that no more than half of 64 bytes
// are pieces, unless a piece has more than two bits; then all of the words are taken one by one, each
// squeezed out of the numbers 0 to 63.
//
// To load at once what was stored by parts takes until all of it has reached the
// cache. So the next words are taken apart before the pieces of these are looked at.
// And to squeeze waits for what is in the register it writes, even if it keeps nothing
// of it: that is cleared before.
func findPlaces(list func(dst reg.GPVirtual, own Mem) (end reg.GPVirtual), next func(end reg.GPVirtual), done func(end, left reg.GPVirtual)) {
	load := func(name string) reg.VecVirtual {
		v := ZMM()
		VMOVDQU64(frame.Variable(name), v)
		return v
	}
	size := slots*slot + 4*most
	buffer := AllocLocal(2 * size)
	numbers, twice, inTurn := load("numbers"), load("eachTwice"), load("twoInTurn")
	splat := func(broadcast func(...Op), n uint32) reg.VecVirtual {
		r, v := GP32(), ZMM()
		MOVL(U32(n), r)
		broadcast(r, v)
		return v
	}
	eight, minusOne, zero := splat(VPBROADCASTB, 8), splat(VPBROADCASTB, 255), ZMM()
	VPXORD(zero, zero, zero)
	step := splat(VPBROADCASTD, 64)
	var place [chunk / 8]reg.VecVirtual
	var there [chunk / 8]reg.OpmaskVirtual // words
	for i := range there {
		there[i] = K()
		KXNORQ(there[i], there[i], there[i])
	}
	const each = 8 * chunk // bytes of 32 words
	place[0] = numbers
	many := splat(VPBROADCASTB, 64)
	for i := 1; i < len(place); i++ {
		place[i] = ZMM()
		VPADDB(many, place[i-1], place[i])
	}

	dst, b, words, base := GP64(), frame.Parameter("b"), frame.Parameter("words"), GP32()
	XORL(base, base)
	// The first times there is nothing behind: it would be in front of b.
	const behind = slots - 1
	ADDQ(I32(behind*chunk), words)
	SUBL(U32(64*behind*chunk), base)
	SUBQ(I32(int32(behind*each)), b)
	ahead, now, first := GP64(), GP64(), GP64()
	// On one page, or from its front on: to store across two, again and again, takes half as long again as all else.
	LEAQ(buffer, first)
	MOVQ(first, now)
	ANDL(U32(memoryPage-1), now.As32())
	CMPL(now.As32(), U32(uint32(memoryPage-size)))
	JLE(LabelRef("onOnePage"))
	ADDQ(I32(memoryPage-1), first)
	ANDQ(I32(-memoryPage), first)
	Label("onOnePage")
	end := list(dst, Mem{Base: first, Disp: slots * slot})
	MOVQ(first, ahead)
	for i := 1; i < slots; i++ {
		LEAQ(Mem{Base: first, Disp: i * slot}, now)
		MOVQ(now, Mem{Base: first, Disp: i*slot + slotEnd})
	}

	var outOfLine []func()
	// words is what is left from those at b on, whose pieces are looked at now.
	Label("chunk")
	mark, p := GP64(), GP64()
	MOVQ(dst, mark)
	MOVQ(ahead, p)
	{
		some, ones := GP64(), GP64()
		MOVQ(words, some)
		SUBQ(Imm(behind*chunk), some)
		JLE(LabelRef("noneAhead"))
		CMPQ(some, Imm(chunk))
		JGE(LabelRef("allAhead"))
		MOVQ(I32(-1), ones)
		BZHIQ(some, ones, ones)
		for _, there := range there {
			KMOVW(ones.As32(), there)
			SHRQ(Imm(8), ones)
		}
		Label("allAhead")
		for i := range place {
			w, filled, bits, where, mask := ZMM(), K(), ZMM(), ZMM(), GP64()
			from := Mem{Base: b, Disp: behind*each + 64*i}
			PREFETCHT0(from.Offset(1024))
			VMOVDQU64_Z(from, there[i], w)
			VPTESTMB(w, w, filled)
			frame.CompressBytes(place[i], filled, where)
			VPERMB(w, where, bits) // by the lowest six bits
			KMOVQ(filled, mask)
			POPCNTQ(mask, mask)
			VMOVDQU64(bits.AsY(), Mem{Base: p})
			VMOVDQU64(where.AsY(), Mem{Base: p, Disp: room})
			CMPQ(mask, Imm(32))
			whole := fmt.Sprint("whole", i)
			JA(LabelRef(whole))
			Label(whole + "Stored")
			ADDQ(mask, p)
			outOfLine = append(outOfLine, func() {
				Label(whole)
				VMOVDQU64(bits, Mem{Base: p})
				VMOVDQU64(where, Mem{Base: p, Disp: room})
				JMP(LabelRef(whole + "Stored"))
			})
		}
		VMOVDQU64(zero.AsY(), Mem{Base: p})
		Label("noneAhead")
		MOVQ(p, Mem{Base: ahead, Disp: slotEnd})
	}
	LEAQ(Mem{Base: ahead, Disp: slot}, now)
	LEAQ(Mem{Base: first, Disp: slots * slot}, p)
	CMPQ(now, p)
	CMOVQEQ(first, now)
	MOVQ(Mem{Base: now, Disp: slotEnd}, p)
	bases, i := ZMM(), GP64()
	VPBROADCASTD(base, bases)
	MOVQ(now, i)
	JMP(LabelRef("groupsEnd"))
	Label("groups")
	CMPQ(dst, end)
	JA(LabelRef("stop"))
	{
		piece, where, which, found := YMM(), ZMM(), ZMM(), [2]reg.VecVirtual{ZMM(), ZMM()}
		VMOVDQU64(Mem{Base: i}, piece)
		VMOVDQU64(Mem{Base: i, Disp: room}, where.AsY())
		for _, f := range found {
			less, below := YMM(), YMM()
			VPADDB(minusOne.AsY(), piece, less)
			VPANDNQ(less, piece, below)
			frame.CountBytes(below, f.AsY()) // 8 if there is none
			VPANDQ(less, piece, piece)
		}
		more := K()
		VPTESTMB(piece, piece, more)
		KORTESTD(more, more)
		JNZ(LabelRef("dense"))
		is, mask, bits, places := K(), GP64(), ZMM(), ZMM()
		VPERMB(where, twice, which)
		VPERMT2B(found[1], inTurn, found[0])
		VPCMPUB(Imm(1), eight, found[0], is) // less
		frame.CompressBytes(found[0], is, bits)
		frame.CompressBytes(which, is, places)
		KMOVQ(is, mask)
		POPCNTQ(mask, mask)
		half := func(disp int) {
			low, high, t := ZMM(), ZMM(), ZMM()
			VPMOVZXBW(places.AsY(), t)
			VPSLLW(Imm(3), t, t)
			VPMOVZXBW(bits.AsY(), low)
			VPADDW(low, t, t)
			VPMOVZXWD(t.AsY(), low)
			VEXTRACTI64X4(Imm(1), t, high.AsY())
			VPMOVZXWD(high.AsY(), high)
			VPADDD(bases, low, low)
			VPADDD(bases, high, high)
			VMOVDQU32(low, Mem{Base: dst, Disp: disp})
			VMOVDQU32(high, Mem{Base: dst, Disp: disp + 64})
		}
		half(0)
		CMPQ(mask, Imm(32))
		JLE(LabelRef("group"))
		VEXTRACTI64X4(Imm(1), bits, bits.AsY())
		VEXTRACTI64X4(Imm(1), places, places.AsY())
		half(128)
		Label("group")
		LEAQ(Mem{Base: dst, Index: mask, Scale: 4}, dst)
		ADDQ(Imm(group), i)
	}
	Label("groupsEnd")
	CMPQ(i, p)
	JLT(LabelRef("groups"))
	Label("next")
	ADDL(U32(64*chunk), base)
	ADDQ(U32(uint32(each)), b)
	MOVQ(now, ahead)
	SUBQ(Imm(chunk), words)
	JLE(LabelRef("all"))
	next(dst)
	JMP(LabelRef("chunk"))
	Label("all")
	XORL(words.As32(), words.As32())
	Label("done")
	done(dst, words)

	for _, rare := range outOfLine {
		rare()
	}

	Label("stop")
	MOVQ(mark, dst)
	JMP(LabelRef("done"))

	Label("dense")
	MOVQ(mark, dst)
	at, count := GP64(), GP64()
	MOVQ(b, at)
	MOVQ(U32(chunk), i)
	CMPQ(words, i)
	CMOVQLT(words, i)
	Label("word")
	CMPQ(dst, end)
	JA(LabelRef("stop"))
	{
		wanted, v, low := K(), ZMM(), ZMM()
		KMOVQ(Mem{Base: at}, wanted)
		POPCNTQ(Mem{Base: at}, count)
		frame.CompressBytes(numbers, wanted, v)
		quarter := func(from reg.Register, disp int) {
			VPMOVZXBD(from, low)
			VPADDD(bases, low, low)
			VMOVDQU32(low, Mem{Base: dst, Disp: disp})
		}
		quarter(v.AsX(), 0)
		CMPQ(count, Imm(16))
		JLE(LabelRef("wordEnd"))
		for q := 1; q < 4; q++ {
			x := ZMM()
			VEXTRACTI32X4(Imm(uint64(q)), v, x.AsX())
			quarter(x.AsX(), 64*q)
		}
		Label("wordEnd")
		VPADDD(step, bases, bases)
		LEAQ(Mem{Base: dst, Index: count, Scale: 4}, dst)
		ADDQ(Imm(8), at)
		DECQ(i)
		JNZ(LabelRef("word"))
		JMP(LabelRef("next"))
	}
}
