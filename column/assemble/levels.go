package assemble

import (
	"math/bits"
)

// slots says which entries of a leaf are slots of a node: rep at most rep and
// def at least def.
type slots struct{ rep, def uint8 }

// mask returns which of up to 64 entries are slots. rep is empty where every
// entry's is low enough.
func (s slots) mask(rep, def []uint8) uint64 {
	m := atLeast(def, s.def)
	if s.rep < 255 {
		m &^= atLeast(rep, s.rep+1)
	}
	return m
}

// mark makes the validity of a node: for each slot, whether its definition
// level is at least present. It returns how many are. validity has room for
// the slots that there are.
func mark(validity []uint64, rep, def []uint8, s slots, present uint8) (set int) {
	w := bitWriter{words: validity}
	for len(def) > 0 {
		n := min(block, len(def))
		m := s.mask(cut(rep, n), def[:n])
		p := atLeast(def[:n], present) & m
		set += bits.OnesCount64(p)
		if m == ^uint64(0) {
			w.put(p, 64)
		}
		// Else run by run: gaps are rare, for they are lists without items.
		for m != ^uint64(0) && m != 0 {
			skip := uint(bits.TrailingZeros64(m))
			m, p = m>>skip, p>>skip
			run := uint(bits.TrailingZeros64(^m))
			w.put(p&lowest(int(run)), run)
			m, p = m>>run, p>>run
		}
		rep, def = rest(rep, n), def[n:]
	}
	w.flush()
	return set
}

// divide makes the offsets of a list, and its validity where that is not nil.
// items says which entries are slots of its child. It returns how many slots
// are not NULL. offsets has one element more than there are slots.
func divide(offsets []int32, validity []uint64, rep, def []uint8, s, items slots, deeper bool, present uint8) (set int) {
	w := bitWriter{words: validity}
	count := 0
	itemRep := rep
	if !deeper {
		itemRep = nil
	}
	for len(def) > 0 {
		n := min(block, len(def))
		m := s.mask(cut(rep, n), def[:n])
		item := items.mask(cut(itemRep, n), def[:n])
		var p uint64
		if validity != nil {
			p = atLeast(def[:n], present) & m
			set += bits.OnesCount64(p)
		}
		out := offsets[:bits.OnesCount64(m)]
		offsets = offsets[len(out):]
		var there uint64
		for i := range out {
			at := uint(bits.TrailingZeros64(m))
			out[i] = int32(count + bits.OnesCount64(item&lowest(int(at))))
			there |= p >> at & 1 << i
			m &= m - 1
		}
		if validity != nil && len(out) > 0 {
			w.put(there, uint(len(out)))
		}
		count += bits.OnesCount64(item)
		rep, itemRep, def = rest(rep, n), rest(itemRep, n), def[n:]
	}
	offsets[0] = int32(count)
	w.flush()
	return set
}

// count returns how many of all levels are at least c.
func count(levels []uint8, c uint8) (n int) {
	for len(levels) > block {
		n += bits.OnesCount64(atLeast(levels[:block], c))
		levels = levels[block:]
	}
	return n + bits.OnesCount64(atLeast(levels, c)&lowest(len(levels)))
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
	var before uint64 // the last entry of the block before is an item
	for at := 0; at < len(def); at += block {
		n := min(block, len(def)-at)
		items := atLeast(def[at:at+n], item)
		m := atLeast(rep[at:at+n], r) &^ (items & (items<<1 | before))
		if m &= lowest(n); m != 0 {
			return at + bits.TrailingZeros64(m)
		}
		before = items >> 63
	}
	return -1
}
