package bloom

import "math/bits"

// Words is a Bloom filter of 64-bit values that is built and tested in memory, in
// batches. It is never written to a file, so it need not have the format's layout:
// a look-up reads a single word of 64 bits, where a Filter reads eight of 32. It is
// safe for concurrent use while nothing is inserted.
//
//	hash    | upper 32 bits       | … | 6 bits each: five bits of the word |
//	          × words, >> 32            b4   b3   b2   b1   b0
//	          = index of the word
//
// At two bytes for each value, the rate of false positives is about one in 200.
type Words []uint64

// MaxWords is how many words half of a hash can address.
const MaxWords = 1<<32 - 1

// NewWords returns an empty filter for n values: it takes 2 n bytes.
func NewWords(n int) Words {
	return make(Words, min(int64(max(n, 0))/4+1, MaxWords))
}

// mix returns the hash of a value: the XOR of both halves of a 128-bit product.
func mix(x uint64) uint64 {
	high, low := bits.Mul64(x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return high ^ low
}

// fiveBits returns the bits of a word that a hash sets.
func fiveBits(hash uint64) uint64 {
	var b uint64
	b |= 1 << (hash & 63)
	b |= 1 << (hash >> 6 & 63)
	b |= 1 << (hash >> 12 & 63)
	b |= 1 << (hash >> 18 & 63)
	b |= 1 << (hash >> 24 & 63)
	return b
}

// Insert adds a value.
func (w Words) Insert(x uint64) {
	hash := mix(x)
	w[hash>>32*uint64(len(w))>>32] |= fiveBits(hash)
}

// Merge adds all values of another filter. Between filters of one size nothing else
// changes; otherwise the rate of false positives rises.
func (w Words) Merge(o Words) {
	if len(w) == len(o) {
		for i, b := range o {
			w[i] |= b
		}
		return
	}
	// Word i of n has the values whose upper halves of hashes are in
	// [i << 32 / n, (i+1) << 32 / n), rounded up. These are in a range of words here.
	n := uint64(len(o))
	first := func(i uint64) uint64 { return (i<<32 + n - 1) / n }
	for i, b := range o {
		if b == 0 {
			continue
		}
		last := (first(uint64(i)+1) - 1) * uint64(len(w)) >> 32
		for j := first(uint64(i)) * uint64(len(w)) >> 32; j <= last; j++ {
			w[j] |= b
		}
	}
}

// Keep clears the bits of sel for values that were not inserted, except for false
// positives. A value matches the one that was inserted as uint64(value), which
// extends its sign.
func Keep[T int32 | int64](w Words, sel []uint64, values []T) {
	const dense = 40 // of 64 bits: from here on, testing all 64 takes no longer
	for i := range sel[:(len(values)+63)/64] {
		switch all := values[i*64:]; {
		case len(all) < 64:
			last := uint64(1)<<uint(len(all)) - 1
			sel[i] = sel[i]&^last | keepSelected(w, sel[i]&last, all)
		case bits.OnesCount64(sel[i]) >= dense:
			sel[i] &= keepAll64(w, (*[64]T)(all))
		default:
			sel[i] = keepSelected(w, sel[i], all)
		}
	}
}

// keepAll64 returns a bitmap of the values that may have been inserted. It has no
// branch on the result, which would be mispredicted where about half are present.
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

// keepSelected returns the bits of sel whose values may have been inserted.
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
