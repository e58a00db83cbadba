package assemble

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// block is the number of levels that are compared in one go; a mask has a bit for
// each of them.
const block = 1024

type mask [block / 64]uint64

// slots says which entries of a leaf are slots of a node: those with a repetition
// level of at most rep and a definition level of at least def.
type slots struct{ rep, def uint8 }

// setMask sets the bits of m to which entries of a block are slots. rep is empty
// where every entry's repetition level is low enough.
func (s slots) setMask(m *mask, rep, def []uint8) {
	bits.AtLeast(m[:], def, s.def)
	if s.rep < 255 && len(rep) > 0 {
		var above mask
		bits.AtLeast(above[:], rep, s.rep+1)
		bits.AndNot(m[:bits.Words(len(def))], above[:])
	}
}

// makeValidity sets the validity bitmap of a node: a slot is valid if its
// definition level is at least present. It returns the number of valid slots.
// validity has room for all slots.
func makeValidity(validity []uint64, rep, def []uint8, s slots, present uint8) (set int) {
	var slot, there mask
	at := 0
	for len(def) > 0 {
		n := min(block, len(def))
		s.setMask(&slot, head(rep, n), def[:n])
		bits.AtLeast(there[:], def[:n], present)
		at += bits.Compress(validity, at, there[:], slot[:], n)
		rep, def = tail(rep, n), def[n:]
	}
	return bits.Count(validity, 0, at)
}

// makeOffsets sets the offsets of a list, and its validity where that is not nil.
// items says which entries are slots of its child. It returns how many slots
// are not NULL. offsets has one element more than there are slots. deeper says
// that a list lies below the items: then not every entry is a slot of the child.
//
//	slot        1 0 0 1 1 1 0
//	item        1 1 1 0 1 1 1
//	offsets     0     3 3 4   6
func makeOffsets(offsets []int32, validity []uint64, rep, def []uint8, s, items slots, deeper bool, present uint8) (set int) {
	var slot, item, there mask
	at, count := 0, 0
	itemRep := rep
	if !deeper {
		itemRep = nil
	}
	for len(def) > 0 {
		n := min(block, len(def))
		s.setMask(&slot, head(rep, n), def[:n])
		items.setMask(&item, head(itemRep, n), def[:n])
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
		rep, itemRep, def = tail(rep, n), tail(itemRep, n), def[n:]
	}
	offsets[at] = int32(count)
	if validity == nil {
		return 0
	}
	return bits.Count(validity, 0, at)
}

// count returns how many levels are at least c.
func count(levels []uint8, c uint8) (n int) {
	var m mask
	for len(levels) > 0 {
		part := head(levels, block)
		bits.AtLeast(m[:], part, c)
		n += bits.Count(m[:], 0, len(part))
		levels = levels[len(part):]
	}
	return n
}

// head returns the first n levels, tail the rest. Both return none if levels,
// whose maximum is then 0, is empty.
func head(levels []uint8, n int) []uint8 { return levels[:min(n, len(levels))] }

func tail(levels []uint8, n int) []uint8 { return levels[min(n, len(levels)):] }

// firstOrphan returns the first entry that continues a list although it, or the
// entry before it, is not an item; -1 if there is none. item is the definition
// level of the items, r their repetition level:
//
//	rep >= r  requires  def >= item, of this entry and of the one before
func firstOrphan(rep, def []uint8, r, item uint8) int {
	var items, goesOn mask
	var before uint64 // 1 if the last entry of the word before is an item
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
