package assemble

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// A block is so many levels, which are looked at together; a mask has a bit for
// each of them.
const block = 1024

type mask [block / 64]uint64

// slots says which entries of a leaf are slots of a node: rep at most rep and
// def at least def.
type slots struct{ rep, def uint8 }

// in sets m to which entries of a block are slots. rep is empty where every
// entry's is low enough.
func (s slots) in(m *mask, rep, def []uint8) {
	bits.AtLeast(m[:], def, s.def)
	if s.rep < 255 && len(rep) > 0 {
		var above mask
		bits.AtLeast(above[:], rep, s.rep+1)
		bits.AndNot(m[:bits.Words(len(def))], above[:])
	}
}

// mark makes the validity of a node: for each slot, whether its definition
// level is at least present. It returns how many are. validity has room for
// the slots that there are.
func mark(validity []uint64, rep, def []uint8, s slots, present uint8) (set int) {
	var slot, there mask
	at := 0
	for len(def) > 0 {
		n := min(block, len(def))
		s.in(&slot, cut(rep, n), def[:n])
		bits.AtLeast(there[:], def[:n], present)
		at += bits.Compress(validity, at, there[:], slot[:], n)
		rep, def = rest(rep, n), def[n:]
	}
	return bits.Count(validity, 0, at)
}

// divide makes the offsets of a list, and its validity where that is not nil.
// items says which entries are slots of its child. It returns how many slots
// are not NULL. offsets has one element more than there are slots.
//
//	slot        1 0 0 1 1 1 0
//	item        1 1 1 0 1 1 1
//	offsets     0     3 3 4   6
func divide(offsets []int32, validity []uint64, rep, def []uint8, s, items slots, deeper bool, present uint8) (set int) {
	var slot, item, there mask
	at, count := 0, 0
	itemRep := rep
	if !deeper {
		itemRep = nil
	}
	for len(def) > 0 {
		n := min(block, len(def))
		s.in(&slot, cut(rep, n), def[:n])
		items.in(&item, cut(itemRep, n), def[:n])
		if validity != nil {
			bits.AtLeast(there[:], def[:n], present)
			bits.Compress(validity, at, there[:], slot[:], n)
		}
		for i, starts := range slot[:bits.Words(n)] {
			out := offsets[at:][:mathbits.OnesCount64(starts)]
			for k := range out {
				before := starts&-starts - 1
				out[k] = int32(count + mathbits.OnesCount64(item[i]&before))
				starts &= starts - 1
			}
			at += len(out)
			count += mathbits.OnesCount64(item[i])
		}
		rep, itemRep, def = rest(rep, n), rest(itemRep, n), def[n:]
	}
	offsets[at] = int32(count)
	if validity == nil {
		return 0
	}
	return bits.Count(validity, 0, at)
}

// count returns how many of all levels are at least c.
func count(levels []uint8, c uint8) (n int) {
	var m mask
	for len(levels) > 0 {
		some := cut(levels, block)
		bits.AtLeast(m[:], some, c)
		n += bits.Count(m[:], 0, len(some))
		levels = levels[len(some):]
	}
	return n
}

// cut and rest return the first n levels and those behind, of levels that may
// be left out altogether.
func cut(levels []uint8, n int) []uint8 { return levels[:min(n, len(levels))] }

func rest(levels []uint8, n int) []uint8 { return levels[min(n, len(levels)):] }

// broken returns the first entry that goes on with a list which has no item
// before it, or which is no item itself; -1 if there is none. item is the
// definition level of the items, at repetition level r:
//
//	rep >= r  wants  def >= item, of this entry and of the one before
func broken(rep, def []uint8, r, item uint8) int {
	var items, goesOn mask
	var before uint64 // the last entry of the word before is an item
	for at := 0; at < len(def); at += block {
		n := min(block, len(def)-at)
		bits.AtLeast(items[:], def[at:at+n], item)
		bits.AtLeast(goesOn[:], rep[at:at+n], r)
		for i, m := range items[:bits.Words(n)] {
			if wrong := goesOn[i] &^ (m & (m<<1 | before)); wrong != 0 {
				return at + i*64 + mathbits.TrailingZeros64(wrong)
			}
			before = m >> 63
		}
	}
	return -1
}
