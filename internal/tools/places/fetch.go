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

	// Prepare loads the other Parameters. Value moves the value at a place.
	Prepare func()
	Value   func(place reg.GPVirtual, to Mem)
}

const (
	enough = 128
	each   = 8   // values that are fetched at a time
	always = 118 // places for which there is room behind these
)

// most is how many places a list has room for.
const most = enough + always + 66 + each

// Stops says where such a kernel stops.
var Stops = fmt.Sprintf("It may stop early, before %d words that have more than %d bits, or where dst has no room for %d values more.",
	chunk, always, 66+each)

// Write writes the kernel.
func (f *Fetch) Write() {
	var list, out Mem
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
		MOVQ(U32(uint32(4*most)), few)
		CMPQ(few, end)
		CMOVQLT(few, end)
		LEAQ(list, few)
		LEAQ(Mem{Base: few, Index: end, Scale: 1, Disp: -4 * (66 + each)}, end)
	}
	var end reg.GPVirtual
	// one moves each values.
	one := func(at, to reg.GPVirtual) {
		for i := range each {
			place := GP64()
			MOVL(Mem{Base: at, Disp: 4 * i}, place.As32())
			f.Value(place, Mem{Base: to, Disp: f.Size * i})
		}
		ADDQ(Imm(4*each), at)
		ADDQ(Imm(uint64(f.Size*each)), to)
	}
	// all fetches values to the end of the list.
	all := func(label string, last reg.GPVirtual) {
		zero, at, to, end := YMM(), GP64(), GP64(), GP64()
		VPXORD(zero, zero, zero)
		VMOVDQU32(zero, Mem{Base: last}) // places that there are, for those fetched in vain
		MOVQ(out, to)
		LEAQ(list, at)
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
	k := Kernel{
		Name: f.Name, Doc: f.Doc,
		Signature: "func(dst *" + f.Type + ", room int, b *uint64, words int, " + f.Parameters + ") (n, left int)",
		Own:       most,
		List: func(from reg.GPVirtual, own Mem) reg.GPVirtual {
			list, out = own, AllocLocal(8)
			dst := GP64()
			end = GP64()
			Load(Param("dst"), dst)
			MOVQ(dst, out)
			limit(dst, end)
			LEAQ(list, from)
			return end
		},
		Next: func(dst reg.GPVirtual) {
			full, to := GP64(), GP64()
			LEAQ(list.Offset(4*enough), full)
			CMPQ(dst, full)
			JB(LabelRef("chunk"))
			all("some", dst)
			MOVQ(out, to)
			limit(to, end)
			LEAQ(list, dst)
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
	k.Write()
}
