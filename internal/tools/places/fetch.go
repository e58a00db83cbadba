package places

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Fetch writes a kernel that stores those values whose bits are set in words. Places
// gather in a list, and when it has enough of them, the values are fetched: places that were just
// stored by parts would be waited for.
type Fetch struct {
	Name, Type, Parameters, Doc string
	Size                        int // bytes of a value

	// Those of Kernel.
	Runs    bool
	Check   func(i int, otherwise string)
	Checked func()

	// Slow values are on lines of memory that are waited for. They are fetched behind
	// each 32 words, those of the words before, so that places are found meanwhile.
	Slow bool

	// Prepare loads the other Parameters. Value moves the value at a place, or Values those at the
	// next each of the list.
	Prepare func()
	Value   func(place reg.GPVirtual, to Mem)
	Values  func(list, to Mem)

	// Keep is that of Kernel, Begin loads what it takes. There is room for as many numbers as places, Second bytes
	// behind those.
	Begin func()
	Keep  func(v reg.VecVirtual, to Mem)
}

const (
	enough = 128
	many   = 448 // where values are slow: a list is seldom fetched to its end
	each   = 8   // values that are fetched at a time
	atOnce = 2   // times that many, behind 32 words
	always = 118 // places for which there is room behind these
)

func (f *Fetch) enough() int {
	if f.Slow {
		return many
	}
	return enough
}

// most is how many places a list has room for.
func (f *Fetch) most() int { return f.enough() + always + 66 + each }

// Second is where numbers stand that belong to places.
func (f *Fetch) Second() int { return 4 * f.most() }

// Stops says where such a kernel stops.
var Stops = fmt.Sprintf("It may stop early, before %d words that have more than %d bits, or where dst has no room for %d values more.",
	chunk, always, 66+each)

// Write writes the kernel.
func (f *Fetch) Write() {
	var list, out Mem
	var next, behind Mem // of slow values: which place is next, and where the list ended 32 words ago
	// limit is up to where 66 more places may be, and values, and those fetched in vain.
	limit := func(out, end reg.GPVirtual) {
		room, few := GP64(), GP64()
		Load(Param("room"), room)
		Load(Param("dst"), end)
		LEAQ(Mem{Base: end, Index: room, Scale: uint8(f.Size)}, end)
		SUBQ(out, end)
		if f.Size == 8 {
			SHRQ(Imm(1), end)
		}
		MOVQ(U32(uint32(4*f.most())), few)
		CMPQ(few, end)
		CMOVQLT(few, end)
		LEAQ(list, few)
		LEAQ(Mem{Base: few, Index: end, Scale: 1, Disp: -4 * (66 + each)}, end)
	}
	var end reg.GPVirtual
	// one moves each values.
	one := func(at, to reg.GPVirtual) {
		if f.Values != nil {
			f.Values(Mem{Base: at}, Mem{Base: to})
		} else {
			for i := range each {
				place := GP64()
				MOVL(Mem{Base: at, Disp: 4 * i}, place.As32())
				f.Value(place, Mem{Base: to, Disp: f.Size * i})
			}
		}
		ADDQ(Imm(4*each), at)
		ADDQ(Imm(uint64(f.Size*each)), to)
	}
	// before fetches values of the words before the last 32, if there are so many that wait: to
	// go on to the last of them would be guessed wrong each time.
	before := func(last reg.GPVirtual) {
		at, to, end, upTo := GP64(), GP64(), GP64(), GP64()
		MOVQ(behind, end)
		MOVQ(last, behind)
		MOVQ(next, at)
		LEAQ(Mem{Base: at, Disp: 4 * each * atOnce}, upTo)
		CMPQ(upTo, end)
		JA(LabelRef("tooFew"))
		MOVQ(upTo, next)
		MOVQ(out, to)
		f.Prepare()
		for range atOnce {
			one(at, to)
		}
		MOVQ(to, out)
		Label("tooFew")
	}
	// all fetches values to the end of the list.
	all := func(label string, last reg.GPVirtual) {
		zero, at, to, end := YMM(), GP64(), GP64(), GP64()
		VPXORD(zero, zero, zero)
		VMOVDQU32(zero, Mem{Base: last}) // places that there are, for those fetched in vain
		MOVQ(out, to)
		if f.Slow {
			MOVQ(next, at)
		} else {
			LEAQ(list, at)
		}
		MOVQ(last, end)
		SUBQ(at, end)
		if f.Size == 8 {
			ADDQ(end, end)
		}
		ADDQ(to, end)
		MOVQ(end, out)
		f.Prepare()
		JMP(LabelRef(label + "End"))
		Label(label)
		one(at, to)
		Label(label + "End")
		CMPQ(at, last)
		JB(LabelRef(label))
	}
	begin := func(dst reg.GPVirtual) {
		LEAQ(list, dst)
		if f.Slow {
			MOVQ(dst, next)
			MOVQ(dst, behind)
		}
	}
	words := "uint64"
	if f.Runs {
		words = "byte" // they may begin anywhere
	}
	k := Kernel{
		Name: f.Name, Doc: f.Doc, Keep: f.Keep, Runs: f.Runs, Check: f.Check, Checked: f.Checked,
		Signature: "func(dst *" + f.Type + ", room int, b *" + words + ", words int, " + f.Parameters + ") (n, left int)",
		Own:       f.most(),
		List: func(from reg.GPVirtual, own Mem) reg.GPVirtual {
			list, out = own, AllocLocal(8)
			if f.Slow {
				next, behind = AllocLocal(8), AllocLocal(8)
			}
			if f.Begin != nil {
				f.Begin()
			}
			dst := GP64()
			end = GP64()
			Load(Param("dst"), dst)
			MOVQ(dst, out)
			limit(dst, end)
			begin(from)
			return end
		},
		Next: func(dst reg.GPVirtual) {
			if f.Slow {
				before(dst)
			}
			full, to := GP64(), GP64()
			LEAQ(list.Offset(4*f.enough()), full)
			CMPQ(dst, full)
			JB(LabelRef("chunk"))
			all("some", dst)
			MOVQ(out, to)
			limit(to, end)
			begin(dst)
		},
		Done: func(last, left reg.GPVirtual) {
			all("rest", last)
			n, dst := GP64(), GP64()
			MOVQ(out, n)
			Load(Param("dst"), dst)
			SUBQ(dst, n)
			SHRQ(Imm(map[int]uint64{4: 2, 8: 3}[f.Size]), n)
			Store(n, ReturnIndex(0))
			Store(left, ReturnIndex(1))
		},
	}
	if f.Keep != nil {
		k.Own *= 2
	}
	k.Write()
}
