// Command asm writes the kernels of encoding/bss with avo.
//
// A kernel loads 32 bytes of each stream, which are one byte of 32 values, and
// interleaves them by pairs of registers: single bytes, then pairs of bytes,
// then fours. That happens within the halves of a register, so each result has
// some of the values 0 to 15 in its low half and the same of 16 to 31 in its
// high half. What belongs together is put together at the end:
//
//	values of 4 bytes   0 1 2 3 | 16 17 18 19     0 1 2 3 | 4 5 6 7
//	                    4 5 6 7 | 20 21 22 23  →  …
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/winnow-scan/winnow/internal/tools/frame"
)

func main() {
	ConstraintExpr("!purego")
	join("join2AVX2", 2)
	join("join4AVX2", 4)
	join("join8AVX2", 8)
	joinStrided()
	Generate()
}

// interleave interleaves the bytes of 2, 4 or 8 streams within the parts of 16 bytes of
// their registers, and returns as many: the first has the first values of each part.
func interleave(v []reg.VecVirtual) []reg.VecVirtual {
	levels := []struct{ low, high func(...Op) }{
		{VPUNPCKLBW, VPUNPCKHBW}, {VPUNPCKLWD, VPUNPCKHWD}, {VPUNPCKLDQ, VPUNPCKHDQ},
	}
	// After each level v[i] holds the values of piece i/rest of a part, of
	// stream group i%rest.
	for rest, level := len(v), 0; rest > 1; rest, level = rest/2, level+1 {
		pieces := len(v) / rest
		next := make([]reg.VecVirtual, len(v))
		for p := range pieces {
			for g := 0; g < rest; g += 2 {
				a, b := v[p*rest+g], v[p*rest+g+1]
				low, high := YMM(), YMM()
				levels[level].low(b, a, low)
				levels[level].high(b, a, high)
				next[2*p*rest/2+g/2] = low
				next[(2*p+1)*rest/2+g/2] = high
			}
		}
		v = next
	}
	return v
}

// mirror interleaves streams, and returns as many registers, with the values from 0 on
// in the first.
func mirror(v []reg.VecVirtual) []reg.VecVirtual {
	v = interleave(v)
	out := make([]reg.VecVirtual, len(v))
	for i := 0; i < len(v); i += 2 {
		out[i/2], out[len(v)/2+i/2] = YMM(), YMM()
		VPERM2I128(Imm(0x20), v[i+1], v[i], out[i/2])
		VPERM2I128(Imm(0x31), v[i+1], v[i], out[len(v)/2+i/2])
	}
	return out
}

// streams says where size streams stand, stride apart. base is the first of those from
// the fifth on.
type streams struct{ src, base, stride, three reg.GPVirtual }

func newStreams(size int, src, stride reg.GPVirtual) (s streams) {
	s = streams{src: src, stride: stride}
	if size > 2 {
		s.three = GP64()
		LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, s.three)
	}
	if size > 4 {
		s.base = GP64()
		LEAQ(Mem{Base: src, Index: stride, Scale: 4}, s.base)
	}
	return s
}

func (s streams) at(k int) Mem {
	m := Mem{Base: s.src}
	if k >= 4 {
		m.Base = s.base
	}
	switch k % 4 {
	case 1:
		m.Index, m.Scale = s.stride, 1
	case 2:
		m.Index, m.Scale = s.stride, 2
	case 3:
		m.Index, m.Scale = s.three, 1
	}
	return m
}

func (s streams) advance(bytes uint64) {
	ADDQ(Imm(bytes), s.src)
	if s.base != nil {
		ADDQ(Imm(bytes), s.base)
	}
}

func join(name string, size int) {
	typ := map[int]string{2: "byte", 4: "uint32", 8: "uint64"}[size]
	frame.Kernel(name, "func(dst *"+typ+", src *byte, stride, blocks int)",
		"puts blocks*32 > 0 values together, whose bytes are stride apart.")
	dst, src, stride, blocks := frame.Parameter("dst"), frame.Parameter("src"), frame.Parameter("stride"), frame.Parameter("blocks")
	s := newStreams(size, src, stride)
	Label("loop")
	v := make([]reg.VecVirtual, size)
	for k := range v {
		v[k] = YMM()
		VMOVDQU(s.at(k), v[k])
	}
	for i, r := range mirror(v) {
		VMOVDQU(r, Mem{Base: dst, Disp: 32 * i})
	}
	s.advance(32)
	ADDQ(U32(32*size), dst)
	DECQ(blocks)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

func joinStrided() {
	frame.Kernel("joinStridedAVX2", "func(dst *byte, size int, src *byte, stride, streams, blocks int)",
		"puts 8 bytes of each of blocks*32 > 0 values together and stores them size bytes apart, in order. "+
			"They come from 1 to 8 streams that are stride apart; where those are fewer than 8, the last bytes are rubbish.")
	dst, size, src, stride := frame.Parameter("dst"), frame.Parameter("size"), frame.Parameter("src"), frame.Parameter("stride")
	streams, blocks := frame.Parameter("streams"), frame.Parameter("blocks")
	none := GP64()
	XORQ(none, none)
	var at [8]reg.GPVirtual
	at[0] = src
	for k := 1; k < 8; k++ {
		CMPQ(streams, Imm(uint64(k)))
		CMOVQEQ(none, stride) // the last one again
		at[k] = GP64()
		MOVQ(at[k-1], at[k])
		ADDQ(stride, at[k])
	}
	Label("loop")
	v := make([]reg.VecVirtual, 8)
	for k := range v {
		v[k] = YMM()
		VMOVDQU(Mem{Base: at[k]}, v[k])
		ADDQ(Imm(32), at[k])
	}
	for _, r := range mirror(v) {
		for half := range 2 {
			x := r.AsX()
			if half == 1 {
				x = XMM()
				VEXTRACTI128(Imm(1), r, x)
			}
			VMOVQ(x, Mem{Base: dst})
			VPEXTRQ(Imm(1), x, Mem{Base: dst, Index: size, Scale: 1})
			LEAQ(Mem{Base: dst, Index: size, Scale: 2}, dst)
		}
	}
	DECQ(blocks)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
