package pred

import (
	"bytes"
	"encoding/binary"
	mathbits "math/bits"
	"math/rand/v2"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// texts holds the strings of an IN. A string is looked up in one part after the
// other, until one rules it out:
//
//	heads     a sieve of lengths and first four bytes, both of which a view holds
//	sieve     a sieve of hashes
//	table     open addressing by hash: the ordinal of the string in strings, from 1 on; 0 is a free place
type texts struct {
	strings [][]byte
	seed    uint64 // of hashes; random, so that a file cannot hold strings chosen to collide

	heads     []uint64
	headShift uint
	sieve     []uint64
	keys      []uint64 // a sieve of the keys of values of a fixed size
	shift     uint     // of sieve and keys

	table      []uint32 // a power of two, at most half full
	tableShift uint
}

func newTexts(values [][]byte) *texts {
	s := &texts{seed: rand.Uint64()}
	s.heads, s.headShift = newSieve(len(values))
	s.sieve, s.shift = newSieve(len(values))
	s.keys = make([]uint64, len(s.sieve))
	size := tableBits(len(values))
	s.table, s.tableShift = make([]uint32, 1<<size), 64-size
	for _, x := range values {
		s.add(bytes.Clone(x))
	}
	return s
}

func (s *texts) add(text []byte) {
	head, h := hash(bits.Make(text, 0, 0).Head())>>s.headShift, s.hash(text)
	s.heads[head/64] |= 1 << (head % 64)
	s.sieve[h>>s.shift/64] |= 1 << (h >> s.shift % 64)
	if s.has(h, text) {
		return
	}
	s.addKey(text)
	i := h >> s.tableShift
	for s.table[i] != 0 {
		i = (i + 1) & uint64(len(s.table)-1)
	}
	s.strings = append(s.strings, text)
	s.table[i] = uint32(len(s.strings))
}

// has reports whether text, whose hash is h, is in the set.
func (s *texts) has(h uint64, text []byte) bool {
	for i := h >> s.tableShift; s.table[i] != 0; i = (i + 1) & uint64(len(s.table)-1) {
		if bytes.Equal(s.strings[s.table[i]-1], text) {
			return true
		}
	}
	return false
}

func (s *texts) hash(b []byte) uint64 {
	if len(b) <= bits.MaxInline {
		return s.hashShort(bits.MakeInline(b))
	}
	return s.hashLong(b)
}

// hashShort hashes a string that its view holds whole.
func (s *texts) hashShort(v bits.View) uint64 {
	head, rest := v.Words()
	return fold(head^s.seed, rest^multiplier)
}

// hashLong hashes a string of more than 12 bytes, 16 at a time. The last 16
// bytes may overlap the 16 before.
func (s *texts) hashLong(b []byte) uint64 {
	n := len(b)
	h := s.seed ^ uint64(n)
	for i := 0; i < n-16; i += 16 {
		h = fold(binary.LittleEndian.Uint64(b[i:])^h, binary.LittleEndian.Uint64(b[i+8:])^multiplier)
	}
	return fold(binary.LittleEndian.Uint64(b[max(0, n-16):])^h, binary.LittleEndian.Uint64(b[n-8:])^multiplier)
}

// fold multiplies, and XORs the two halves of the product.
func fold(x, y uint64) uint64 {
	high, low := mathbits.Mul64(x, y)
	return high ^ low
}

// filter is Test.filter for values in Views.
func (s *texts) filter(sel []uint64, v *vector.Vector) {
	var hashes [64]uint64
	for i := range bits.Words(v.Len) {
		from, to := i*64, min(i*64+64, v.Len)
		low := bits.Low(to - from)
		w := sel[i] & low
		if w == 0 {
			continue
		}
		w = s.siftViews(&hashes, v.Views[from:to], v.Buffers, w)
		for rest := w; rest != 0; rest &= rest - 1 {
			if b := mathbits.TrailingZeros64(rest); !s.has(hashes[b], v.Bytes(from+b)) {
				w &^= 1 << b
			}
		}
		sel[i] = sel[i]&^low | w
	}
}

// siftViews returns the bits of w whose strings, up to 64, may be in s. It stores the hashes of
// these strings.
func (s *texts) siftViews(hashes *[64]uint64, views []bits.View, buffers [][]byte, w uint64) (likely uint64) {
	if len(views) == 64 && mathbits.OnesCount64(w) >= dense {
		var heads [64]int64
		for i := range views {
			heads[i&63] = int64(views[i].Head())
		}
		w &= inSieve(&heads, s.heads, s.headShift)
	}
	for ; w != 0; w &= w - 1 {
		i := mathbits.TrailingZeros64(w)
		var h uint64
		if v := &views[i]; v.IsInline() {
			h = s.hashShort(*v)
		} else {
			h = s.hashLong(v.Bytes(buffers))
		}
		hashes[i] = h
		likely |= s.sift(h) << i
	}
	return likely
}

// sift returns 1 if the sieve lets a string with hash h through, else 0.
func (s *texts) sift(h uint64) uint64 {
	at := h >> (s.shift & 63)
	return s.sieve[at/64] >> (at % 64) & 1
}

// addKey adds a value of a fixed size to the sieve that likely tests.
func (s *texts) addKey(text []byte) {
	if len(text) == 0 {
		return
	}
	var room [vector.MaxFixed]byte
	copy(room[:], text)
	key := keyOf(room[:])
	h := fixedHash(key[0], key[1], len(text)) >> s.shift
	s.keys[h/64] |= 1 << (h % 64)
}

// fixedHash hashes the key of a value of width bytes. Its highest bits are well distributed.
func fixedHash(high, low uint64, width int) uint64 {
	if width <= 8 {
		return hash(high >> (uint(64-8*width) & 63))
	}
	return hash(low>>(uint(128-8*min(width, keyBytes))&63) ^ hash(high))
}
