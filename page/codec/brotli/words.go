package brotli

import (
	_ "embed"
	"strings"
)

// dictionary is that of RFC 7932, appendix A: words of 4 bytes, then those of 5, up to 24.
//
//go:embed dictionary.bin
var dictionary string

const leastWord, mostWord = 4, 24

// wordBits is, by the length of words, how many there are: 1<<wordBits.
var wordBits = [mostWord + 1]byte{leastWord: 10, 10, 11, 11, 10, 10, 10, 10, 10, 9, 9, 8, 7, 7, 8, 7, 7, 6, 6, 5, 5}

// transforms are those of RFC 7932, appendix B: what is put in front of a word, a sign, and what is put
// behind it. The sign says how many bytes are left out in front (0 to 9) or at the end (A for one, to I for
// nine), or that the first letter (U) or all (W) become upper case.
var transforms = strings.Split("0|0 | 0 |1|U |0 the | 0|s 0 |0 of |U|0 and |2|A|, 0 |0, | U |0 in |0 to |e 0 |0\"|0.|0\">|0\n|C|0]|0 for |3|"+
	"B|0 a |0 that | U|0. |.0| 0, |4|0 with |0'|0 from |0 by |5|6| the 0|D|0. The |W|0 on |0 as |0 is |G|Aing |"+
	"0\n\t|0:| 0. |0ed |9|7|F|0(|U, |H|0 at |0ly | the 0 of |E|I| U, |U\"|.0(|W |U\">|0=\"| 0.|.com/0|"+
	" the 0 of the |U'|0. This |0,|.0 |U(|U.|0 not | 0=\"|0er | W |0al | W|0='|W\"|U. | 0(|0ful | U. |0ive |"+
	"0less |W'|0est | U.|W\">| 0='|U,|0ize |W.|\u00a00| 0,|U=\"|W=\"|0ous |W, |U='| U,| W=\"| W, |W,|W(|W. | W.|"+
	"W='| W. | U=\"| W='| U='", "|")

const signs = "0123456789ABCDEFGHIUW"

// word writes the transformed word that a copy of a length stands for, whose distance is so far beyond
// all bytes, in a meta-block that ends at byte end.
func (d *Decoder) word(length, beyond, end int) error {
	if length < leastWord || length > mostWord || beyond>>wordBits[length] >= len(transforms) {
		return d.bad("a distance reaches in front of all bytes")
	}
	start := length * (beyond & (1<<wordBits[length] - 1))
	for l := leastWord; l < length; l++ {
		start += l << wordBits[l]
	}
	word := dictionary[start : start+length]
	transform := transforms[beyond>>wordBits[length]]
	at := strings.IndexAny(transform, signs)
	sign := transform[at]
	switch {
	case sign <= '9':
		word = word[min(int(sign-'0'), length):]
	case sign <= 'I':
		word = word[:max(length-1-int(sign-'A'), 0)]
	}
	var buffer [64]byte // longer than any of them
	out := append(append(buffer[:0], transform[:at]...), word...)
	if sign >= 'U' {
		upper := out[at:]
		for n := toUpper(upper); sign == 'W' && n < len(upper); {
			n += toUpper(upper[n:])
		}
	}
	out = append(out, transform[at+1:]...)
	if len(out) > end-d.made {
		return d.bad(tooLong)
	}
	d.made += copy(d.out[d.made:d.want], out)
	return nil
}

// toUpper changes the first letter of a word as RFC 7932 does, and returns its length.
func toUpper(word []byte) int {
	n, change := 1, byte('a'^'A')
	switch b := word[0]; {
	case b >= 0xe0:
		n, change = 3, 5
	case b >= 0xc0:
		n = 2
	case b < 'a' || 'z' < b:
		return 1
	}
	if n <= len(word) {
		word[n-1] ^= change
	}
	return n
}
