package zstd

import (
	"encoding/binary"
	"unsafe"
)

// fastGo runs sequences, and reads the states after each, until none is left, or one
// violates a bound or has more bits than a load contains. The bits start at src[at:].
func fastGo(c *cursor, b *bounds, tables *[3][mostStates]state, dst, src []byte, at int, lits []byte) {
	sequencesReach(c, b, dst, src, at, lits)
	out, in := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(lits))
	ll, of, ml := &tables[tableLL], &tables[tableOF], &tables[tableML]
	iL, iO, iM := state(c.state[tableLL]), state(c.state[tableOF]), state(c.state[tableML])
	r0, r1, r2 := c.last[0], c.last[1], c.last[2]
	left, d, lit, n := c.left, c.d, c.lit, c.n
	for ; n > 0; n-- {
		eL, eO, eM := ll[iL%mostStates], of[iO%mostStates], ml[iM%mostStates]
		sum := eL + eO + eM
		after := left - int(sum>>16&255)
		if left-after > mostOfLoad || after < 0 {
			break
		}
		w := binary.LittleEndian.Uint64(src[at+left>>3-leastHeadroom:])
		p := uint(left|56) - uint(eO&63)
		above := state(1) << (eO & 63)
		v := int(above | w>>(p&63)&(above-1))
		p -= uint(eM & 63)
		size := int(eM>>48) + int(w>>(p&63)&(1<<(eM&63)-1))
		p -= uint(eL & 63)
		plain := int(eL>>48) + int(w>>(p&63)&(1<<(eL&63)-1))
		n0, n1, n2 := v-3, r0, r1
		if v <= 3 {
			if plain == 0 {
				v++
			}
			switch v {
			case 1:
				n0, n1, n2 = r0, r1, r2
			case 2:
				n0, n1, n2 = r1, r0, r2
			case 3:
				n0 = r2
			default:
				n0 = max(r0-1, 1)
			}
		}
		if plain > b.lit-lit || plain+size > b.d-d || n0 > d+plain-b.from {
			break
		}
		r0, r1, r2 = n0, n1, n2
		left = after
		k := uint(eL >> 8 & 63)
		p -= k
		iL = eL>>32&0xffff + w>>(p&63)&(1<<k-1)
		k = uint(eM >> 8 & 63)
		p -= k
		iM = eM>>32&0xffff + w>>(p&63)&(1<<k-1)
		k = uint(eO >> 8 & 63)
		p -= k
		iO = eO>>32&0xffff + w>>(p&63)&(1<<k-1)

		to, from := unsafe.Add(out, d), unsafe.Add(in, lit)
		move(to, from)
		for i := 16; i < plain; i += 16 {
			move(unsafe.Add(to, i), unsafe.Add(from, i))
		}
		d += plain
		lit += plain
		to, from = unsafe.Add(out, d), unsafe.Add(out, d-n0)
		d += size
		switch {
		case n0 >= 16:
			for i := 0; i < size; i += 16 {
				move(unsafe.Add(to, i), unsafe.Add(from, i))
			}
		case n0 >= 8:
			for i := 0; i < size; i += 8 {
				*(*[8]byte)(unsafe.Add(to, i)) = *(*[8]byte)(unsafe.Add(from, i))
			}
		default:
			repeat(dst[d-size:d], dst[d-size-n0:d-size])
		}
	}
	c.state = [3]int{tableLL: int(iL), tableOF: int(iO), tableML: int(iM)}
	c.last = [3]int{r0, r1, r2}
	c.left, c.d, c.lit, c.n = left, d, lit, n
}

func move(to, from unsafe.Pointer) { *(*[16]byte)(to) = *(*[16]byte)(from) }

// repeatEntries sets entries of a table from number at on, n for each symbol, where n is a
// power of two that divides at. It returns the number of the next entry.
func repeatEntries(table *[1 << mostBits]uint16, at, n uint, width uint16, symbols []byte) uint {
	for _, s := range symbols {
		e := width | uint16(s)<<8
		end := at + n
		if n < 4 {
			for ; at < end; at++ {
				table[at%(1<<mostBits)] = e
			}
			continue
		}
		for ; at < end; at += 4 {
			*(*uint64)(unsafe.Pointer(&table[at%(1<<mostBits)])) = uint64(e) * 0x0001000100010001
		}
	}
	return at
}
