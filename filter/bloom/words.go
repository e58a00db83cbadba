package bloom

import "math/bits"

// Words is a filter of 64-bit words that is made and asked in memory, many
// words in a row. It never leaves the program, so it need not be the format's:
// where a Filter has eight words of 32 bits to look at for each value, this one
// has a single word of 64.
//
//	hash    | upper 32 bits       | … | 6 bits each: five bits of the word |
//	          × words, >> 32            b4   b3   b2   b1   b0
//	          = index of the word
//
// At two bytes for each value, it answers yes to about one of 200 others.
type Words []uint64

// NewWords returns an empty filter with room for n words.
func NewWords(n int) Words {
	const most = 1<<32 - 1 // that half of a hash tells apart
	return make(Words, min(int64(max(n, 0))/4+1, most))
}

// mix returns the hash of a word: the halves of a product of 128 bits, one over
// the other.
func mix(x uint64) uint64 {
	high, low := bits.Mul64(x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return high ^ low
}

// fiveBits returns the bits of a word that stand for a hash.
func fiveBits(hash uint64) uint64 {
	var b uint64
	b |= 1 << (hash & 63)
	b |= 1 << (hash >> 6 & 63)
	b |= 1 << (hash >> 12 & 63)
	b |= 1 << (hash >> 18 & 63)
	b |= 1 << (hash >> 24 & 63)
	return b
}

// Insert adds a word.
func (w Words) Insert(x uint64) {
	hash := mix(x)
	w[hash>>32*uint64(len(w))>>32] |= fiveBits(hash)
}

// Keep clears in sel the bits of those values that were not inserted; it leaves
// a few of them. A value is inserted as the word that it is converted to, with
// its sign.
func Keep[T int32 | int64](w Words, sel []uint64, values []T) {
	const many = 40 // of 64: then testing all of them takes no longer
	for i := range sel[:(len(values)+63)/64] {
		switch all := values[i*64:]; {
		case len(all) < 64:
			last := uint64(1)<<uint(len(all)) - 1
			sel[i] = sel[i]&^last | keepSelected(w, sel[i]&last, all)
		case bits.OnesCount64(sel[i]) >= many:
			sel[i] &= keepAll64(w, (*[64]T)(all))
		default:
			sel[i] = keepSelected(w, sel[i], all)
		}
	}
}

// keepAll64 does not branch on what is found: half of the values may be there.
func keepAll64[T int32 | int64](w Words, values *[64]T) uint64 {
	var found uint64
	n := uint64(len(w))
	for _, x := range values {
		hash := mix(uint64(x))
		mask := fiveBits(hash)
		found >>= 1
		if w[hash>>32*n>>32]&mask == mask {
			found |= 1 << 63
		}
	}
	return found
}

func keepSelected[T int32 | int64](w Words, sel uint64, values []T) uint64 {
	var found uint64
	n := uint64(len(w))
	for ; sel != 0; sel &= sel - 1 {
		i := bits.TrailingZeros64(sel)
		hash := mix(uint64(values[i]))
		mask := fiveBits(hash)
		if w[hash>>32*n>>32]&mask == mask {
			found |= 1 << uint(i)
		}
	}
	return found
}
