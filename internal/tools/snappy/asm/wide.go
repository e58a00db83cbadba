package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

// The wide kernel has no branch on what a tag is. It takes windows of 64 bytes,
// and treats each byte as if a tag began there:
//
//	byte      0  1  2  3  4  5  6  7  8  9
//	input     08 61 62 63 11 03 04 64 65 11 …
//	1 step    4  …        6     9        …      where the tag behind it begins
//	2 steps   6           9     …               1 step of 1 step
//	4 steps   …                                 2 steps of 2 steps, and so on
//
// A step that leads out of the window stays where it led to. Tag number k is as many steps
// from the first one as the bits of k say, in at most 5 looks at these tables;
// a window has at most 32 tags, for which that and all that follows is done at once:
//
//	tag       0    1    2    3
//	byte      0    4    6    9
//	length    3    8    2    …
//	to        0    3    11   13      sums of the lengths
//	from      in+1 out  in+7         out is to - offset
//
// That is a list of moves. Those of some windows are listed, then made, 32 bytes
// each; what is longer, or repeats what it writes, is marked and made with more
// care, where there is one in a group of 8. Two windows take turns instruction by instruction,
// since most instructions wait for the one before.
const (
	window = 64
	most   = 32 // tags in a window
	pair   = 2  // windows that take turns
	group  = 8
	batch  = 96 // moves that are listed before they are made; a pair may add some
	listed = batch + pair*most

	// wideRoom is what the moves of a pair may fill, wideSlack how far behind its
	// start a pair may read, but for the 80 bytes that all kernels may read.
	wideRoom  = pair*most*64 + 64
	wideSlack = pair * window
	// careful are the bits of a move's mark, its length less 1, that say so.
	longer, repeated = 0x20, 0x80 // variable repeats has 64 of the latter
	careful          = (longer | repeated) * 0x0101010101010101
)

type (
	views [pair]reg.VecVirtual
	masks [pair]reg.OpmaskVirtual
)

// each emits an instruction, or some, for one window and for the other.
func each(f func(w int)) {
	for w := range pair {
		f(w)
	}
}

func newViews() (v views) {
	each(func(w int) { v[w] = ZMM() })
	return v
}

func newMasks() (k masks) {
	each(func(w int) { k[w] = K() })
	return k
}

// y is the half of a register that has one byte of each tag.
func (v views) y(w int) reg.Register { return v[w].AsY() }

// wide has in registers what its parts share.
type wide struct {
	d, dLimit, room reg.GPVirtual // pointers
	p, sLimit       reg.GPVirtual
	count, last     reg.GPVirtual // of moves; where a batch ends
	t               reg.GPVirtual
	// The first tag's byte of the next window; the sum of the lengths so far;
	// d; and how many bytes are in front of it, 65,535 at most.
	first, sum, dBase, before reg.VecVirtual
	behind, zero              reg.VecVirtual

	in, at                views // the windows; the tags' bytes, from 64 on if there is none
	steps                 [pair][6]reg.VecVirtual
	inside, literal, odd  masks // which are tags, literals, and not for this kernel
	until                 [pair]reg.GPVirtual
	low, high             views // of the offsets
	n, lengths, to, place views // lengths as bytes and words; what goes before a tag
	from, sums            Mem   // the list: pointers, words
	marks, places         Mem   // bytes
}

func decodeWide() {
	TEXT("decodeVBMI2", 0, "func(dst *byte, d, dLimit, room int, src *byte, s, sLimit int) (d2, s2 int)")
	Pragma("noescape")
	Doc("decodeVBMI2 is decodeAVX2 for tags that come as they like. It goes on until d is dLimit or more, writes nothing from room on, " +
		"and leaves what is nearer than 4,160 to room, or 128 to sLimit, to others. It knows literals of up to 60 bytes.")
	k := &wide{}
	k.begin()

	Label("batch")
	k.beginBatch()
	Label("window")
	k.step()
	k.locate()
	k.fields()
	k.add()
	k.check()
	k.list()
	KORTESTD(k.odd[0], k.odd[1])
	JNZ(LabelRef("odd"))
	MOVQ(k.until[pair-1], k.count)
	ADDQ(U32(pair*window), k.p)
	CMPQ(k.count, k.last)
	JGE(LabelRef("move"))
	CMPQ(k.p, k.sLimit)
	JLT(LabelRef("window"))

	Label("move")
	k.move()

	// The tags in front of the first odd one are moved; then it is over.
	Label("odd")
	tag := GP64()
	each(func(w int) { VMOVDQU64(k.at[w], k.places.Offset(w*window)) })
	KMOVD(k.odd[0], tag.As32())
	TZCNTL(tag.As32(), tag.As32())
	JCC(LabelRef("found"))
	KMOVD(k.odd[1], tag.As32())
	TZCNTL(tag.As32(), tag.As32())
	MOVQ(k.until[0], k.count)
	ADDQ(Imm(window), k.p)
	ADDQ(Imm(window), tag)
	Label("found")
	MOVBQZX(k.places.Idx(tag, 1), k.t)
	ADDQ(k.t, k.p)
	ANDL(Imm(window-1), tag.As32())
	ADDQ(tag, k.count)
	VPXORQ(k.first, k.first, k.first)
	XORL(k.dLimit.As32(), k.dLimit.As32())
	JMP(LabelRef("move"))

	Label("done")
	VMOVQ(k.first.AsX(), k.t)
	VZEROUPPER()
	ANDL(Imm(window-1), k.t.As32())
	ADDQ(k.t, k.p)
	SUBQ(NewParamAddr("dst", 0), k.d)
	Store(k.d, ReturnIndex(0))
	SUBQ(NewParamAddr("src", 32), k.p)
	Store(k.p, ReturnIndex(1))
	RET()
}

func (k *wide) begin() {
	k.from, k.sums = AllocLocal(8*(listed+group)), AllocLocal(2*(listed+most))
	k.marks, k.places = AllocLocal(listed+window), AllocLocal(pair*window)
	k.d, k.dLimit, k.room = frame.Parameter("dst"), frame.Parameter("dLimit"), frame.Parameter("room")
	k.p, k.sLimit, k.t = frame.Parameter("src"), frame.Parameter("sLimit"), GP64()
	k.count, k.last = GP64(), GP64()
	ADDQ(k.p, k.sLimit)
	SUBQ(U32(wideSlack), k.sLimit)
	Load(Param("s"), k.t)
	ADDQ(k.t, k.p)
	ADDQ(k.d, k.dLimit)
	ADDQ(k.d, k.room)
	SUBQ(U32(wideRoom), k.room)
	Load(Param("d"), k.t)
	ADDQ(k.t, k.d)

	k.first, k.sum, k.dBase, k.before, k.behind, k.zero = ZMM(), ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
	VPXORQ(k.first, k.first, k.first)
	VPXORQ(k.zero, k.zero, k.zero)
	VMOVDQU64(frame.Variable("behind"), k.behind)
	MOVW(U16(0), k.sums)
}

func (k *wide) beginBatch() {
	CMPQ(k.d, k.dLimit)
	JGE(LabelRef("done"))
	CMPQ(k.p, k.sLimit)
	JGE(LabelRef("done"))
	MOVQ(k.room, k.last)
	SUBQ(k.d, k.last)
	JBE(LabelRef("done"))
	SHRQ(Imm(6), k.last) // moves that fit
	MOVL(U32(batch), k.t.As32())
	CMPQ(k.last, k.t)
	CMOVQGT(k.t, k.last)

	VPBROADCASTQ(k.d, k.dBase)
	limit := GP64()
	MOVQ(k.d, k.t)
	SUBQ(NewParamAddr("dst", 0), k.t)
	MOVL(U32(65535), limit.As32())
	CMPQ(k.t, limit)
	CMOVQGT(limit, k.t)
	VPBROADCASTW(k.t.As32(), k.before)
	VPXORQ(k.sum, k.sum, k.sum)
	XORL(k.count.As32(), k.count.As32())
}

// step makes the tables of 1, 2, 4, 8, 16 and 32 steps.
func (k *wide) step() {
	// By kind, 16 bytes for each lane: whether the length counts, and what else a tag takes.
	ofLiterals, others := ZMM(), ZMM()
	VMOVDQU64(frame.Variable("ofLiterals"), ofLiterals)
	VMOVDQU64(frame.Variable("otherBytes"), others)
	k.in = newViews()
	kind, size, t := newViews(), newViews(), newViews()
	each(func(w int) { VMOVDQU64(Mem{Base: k.p, Disp: w * window}, k.in[w]) })
	each(func(w int) { VPANDQ(frame.Variable("threes"), k.in[w], kind[w]) })
	each(func(w int) { VPSRLW(Imm(2), k.in[w], size[w]) })
	each(func(w int) { VPANDQ(frame.Variable("sixBits"), size[w], size[w]) })
	each(func(w int) { VPSHUFB(kind[w], ofLiterals, t[w]) })
	each(func(w int) { VPANDQ(t[w], size[w], size[w]) })
	each(func(w int) { VPSHUFB(kind[w], others, t[w]) })
	each(func(w int) { VPADDB(t[w], size[w], size[w]) })
	each(func(w int) {
		k.steps[w][0] = ZMM()
		VPADDB(frame.Variable("numbers"), size[w], k.steps[w][0])
	})
	for i := range 5 {
		each(func(w int) {
			k.steps[w][i+1] = ZMM()
			VMOVDQA64(k.steps[w][i], k.steps[w][i+1])
		})
		each(func(w int) { VPERMI2B(k.behind, k.steps[w][i], k.steps[w][i+1]) })
	}
}

// locate finds the bytes of the tags, and how many moves are listed with them.
func (k *wide) locate() {
	k.at, k.inside = newViews(), newMasks()
	each(func(w int) {
		VPANDQ(frame.Variable("sixBits"), k.first, k.at[w])
		VPERMB(k.steps[w][5], k.first, k.first)
	})
	for i := range 5 {
		which := K()
		KMOVQ(frame.Variable("numbersWithBit").Offset(8*i), which)
		each(func(w int) { VPERMI2B(k.behind, k.steps[w][i], which, k.at[w]) })
	}
	each(func(w int) { VPTESTNMB(frame.Variable("outside"), k.at.y(w), k.inside[w]) })
	before := k.count
	each(func(w int) {
		k.until[w] = GP64()
		KMOVD(k.inside[w], k.until[w].As32())
		POPCNTL(k.until[w].As32(), k.until[w].As32())
		ADDQ(before, k.until[w])
		before = k.until[w]
	})
}

// row returns where a window's moves begin in the list.
func (k *wide) row(w int) reg.GPVirtual {
	if w == 0 {
		return k.count
	}
	return k.until[w-1]
}

// fields takes lengths and offsets from the tags, and sees which are odd.
func (k *wide) fields() {
	tag, t := newViews(), newViews()
	k.low, k.high, k.n = newViews(), newViews(), newViews()
	k.literal, k.odd = newMasks(), newMasks()
	each(func(w int) { VPERMB(k.in[w], k.at[w], tag[w]) })
	each(func(w int) { VPERMB(Mem{Base: k.p, Disp: w*window + 1}, k.at[w], k.low[w]) })
	each(func(w int) { VPERMB(Mem{Base: k.p, Disp: w*window + 2}, k.at[w], k.high[w]) })
	each(func(w int) {
		VPTESTNMB(frame.Variable("threes"), tag.y(w), k.inside[w], k.literal[w])
		VPANDD(frame.Variable("threes"), tag.y(w), t.y(w))
		VPCMPEQB(frame.Variable("threes"), t.y(w), k.inside[w], k.odd[w])
		near := K()
		VPCMPEQB(frame.Variable("ones"), t.y(w), near)
		VPSRLW(Imm(2), tag.y(w), k.n.y(w))
		VPANDD(frame.Variable("sixBits"), k.n.y(w), k.n.y(w))
		VPSRLW(Imm(5), tag.y(w), t.y(w))
		VPANDD(frame.Variable("threeBits"), t.y(w), t.y(w))
		VMOVDQU8(t.y(w), near, k.high.y(w))
		VPANDD(frame.Variable("threeBits"), k.n.y(w), t.y(w))
		VPADDB(frame.Variable("threes"), t.y(w), near, k.n.y(w))
		long := K()
		VPCMPUB(Imm(5), frame.Variable("sixties"), k.n.y(w), k.literal[w], long) // not less
		KORD(long, k.odd[w], k.odd[w])
	})
}

// add sums the lengths: of 2 words, of 4, of 8 and of all.
func (k *wide) add() {
	k.lengths, k.to = newViews(), newViews()
	t := newViews()
	each(func(w int) { VPMOVZXBW(k.n.y(w), k.lengths[w]) })
	each(func(w int) { VPADDW_Z(frame.Variable("oneWords"), k.lengths[w], k.inside[w], k.lengths[w]) })
	each(func(w int) { VPSLLQ(Imm(16), k.lengths[w], t[w]) })
	each(func(w int) { VPADDW(t[w], k.lengths[w], k.to[w]) })
	each(func(w int) { VPSLLQ(Imm(32), k.to[w], t[w]) })
	each(func(w int) { VPADDW(t[w], k.to[w], k.to[w]) })
	each(func(w int) { VPSHUFB(frame.Variable("fourthWords"), k.to[w], t[w]) })
	each(func(w int) { VPADDW(t[w], k.to[w], k.to[w]) })
	each(func(w int) { VPSHUFB(frame.Variable("eighthWords"), k.to[w], t[w]) })
	for lanes := 1; lanes < 4; lanes++ {
		u := newViews()
		each(func(w int) { VALIGNQ(Imm(uint64(8-2*lanes)), k.zero, t[w], u[w]) })
		each(func(w int) { VPADDW(u[w], k.to[w], k.to[w]) })
	}
	last := ZMM()
	VMOVDQU64(frame.Variable("lastWords"), last)
	each(func(w int) {
		VPADDW(k.sum, k.to[w], k.to[w])
		VPERMW(k.to[w], last, k.sum)
		VMOVDQU64(k.to[w], k.sums.Offset(2).Idx(k.row(w), 2))
	})
	each(func(w int) { VPSUBW(k.lengths[w], k.to[w], k.to[w]) })
}

// check sees to copies: one from 0 bytes before, or before all output, is odd; one that
// is longer than its offset gets a mark.
func (k *wide) check() {
	k.place = newViews() // the offsets, for now
	t := newViews()
	each(func(w int) { VPMOVZXBW(k.low.y(w), k.place[w]) })
	each(func(w int) { VPMOVZXBW(k.high.y(w), t[w]) })
	each(func(w int) { VPSLLW(Imm(8), t[w], t[w]) })
	each(func(w int) { VPORQ(t[w], k.place[w], k.place[w]) })
	each(func(w int) {
		all, copies, is := ZMM(), K(), K()
		KANDND(k.inside[w], k.literal[w], copies)
		VPADDUSW(k.before, k.to[w], all)
		VPSUBW(frame.Variable("oneWords"), k.place[w], t[w])
		VPCMPUW(Imm(5), all, t[w], copies, is) // not less: 0 less 1 is the most of all
		KORD(is, k.odd[w], k.odd[w])
		VPCMPUW(Imm(1), k.lengths[w], k.place[w], copies, is) // less
		VPORD(frame.Variable("repeats"), k.n.y(w), t.y(w))
		VMOVDQU8(t.y(w), is, k.n.y(w))
		VMOVDQU64(k.n.y(w), k.marks.Idx(k.row(w), 1))
	})
}

// list writes where moves come from: d + to - offset, or the window + byte + 1.
func (k *wide) list() {
	t, offset := newViews(), k.place
	each(func(w int) { VPMOVZXBW(k.at.y(w), t[w]) })
	each(func(w int) { VPADDW(frame.Variable("oneWords"), t[w], k.literal[w], k.to[w]) })
	each(func(w int) { VMOVDQU16(k.zero, k.literal[w], offset[w]) })
	each(func(w int) {
		base := ZMM()
		LEAQ(Mem{Base: k.p, Disp: w * window}, k.t)
		VPBROADCASTQ(k.t, base)
		for half := range 2 {
			to, o := ZMM(), ZMM()
			if half == 0 {
				VPMOVZXWD(k.to.y(w), to)
				VPMOVZXWD(offset.y(w), o)
			} else {
				VSHUFI64X2(Imm(0x4e), k.to[w], k.to[w], to)
				VPMOVZXWD(to.AsY(), to)
				VSHUFI64X2(Imm(0x4e), offset[w], offset[w], o)
				VPMOVZXWD(o.AsY(), o)
			}
			VPSUBD(o, to, to)
			for quarter := range 2 {
				x, from := ZMM(), ZMM()
				if quarter == 0 {
					VPMOVSXDQ(to.AsY(), x)
				} else {
					VSHUFI64X2(Imm(0x4e), to, to, x)
					VPMOVSXDQ(x.AsY(), x)
				}
				if half+quarter > 0 {
					KSHIFTRD(Imm(8), k.literal[w], k.literal[w])
				}
				VPADDQ(k.dBase, x, from)
				VPADDQ(base, x, k.literal[w], from)
				VMOVDQU64(from, k.from.Offset(64*(2*half+quarter)).Idx(k.row(w), 8))
			}
		}
	})
}

// move makes the moves of the list, and some at its end that do no harm.
func (k *wide) move() {
	total, i, fill := GP64(), GP64(), ZMM()
	MOVWQZX(k.sums.Idx(k.count, 2), total)
	VMOVDQU64(k.dBase, k.from.Idx(k.count, 8))
	VPBROADCASTW(total.As32(), fill)
	VMOVDQU64(fill, k.sums.Idx(k.count, 2))
	VMOVDQU64(k.zero, k.marks.Idx(k.count, 1))
	XORL(i.As32(), i.As32())

	Label("moves")
	MOVQ(U64(careful), k.t)
	TESTQ(k.t, k.marks.Idx(i, 1))
	JNZ(LabelRef("careful"))
	from, to, y := GP64(), GP64(), YMM()
	for j := range group {
		MOVQ(k.from.Offset(8*j).Idx(i, 8), from)
		VMOVDQU64(Mem{Base: from}, y)
		MOVWQZX(k.sums.Offset(2*j).Idx(i, 2), to)
		VMOVDQU64(y, Mem{Base: k.d, Index: to, Scale: 1})
	}
	ADDQ(Imm(group), i)
	Label("moved")
	CMPQ(i, k.count)
	JLT(LabelRef("moves"))
	ADDQ(total, k.d)
	JMP(LabelRef("batch"))

	Label("careful")
	apart := GP64()
	MOVQ(k.from.Idx(i, 8), from)
	MOVWQZX(k.sums.Idx(i, 2), to)
	ADDQ(k.d, to)
	MOVQ(to, apart)
	SUBQ(from, apart)
	CMPQ(apart, Imm(32))
	JB(LabelRef("pattern"))
	// The second half may read what the first wrote.
	for half := range 2 {
		VMOVDQU64(Mem{Base: from, Disp: 32 * half}, y)
		VMOVDQU64(y, Mem{Base: to, Disp: 32 * half})
	}
	Label("next")
	INCQ(i)
	TESTL(U32(group-1), i.As32())
	JNZ(LabelRef("careful"))
	JMP(LabelRef("moved"))

	Label("pattern")
	repeat(Mem{Base: from}, apart, k.t, func(half int) Mem { return Mem{Base: to, Disp: 32 * half} })
	JMP(LabelRef("next"))
}
