package function

import (
	"bytes"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// bound returns what binds a function of strings without constants.
func bound(r run) func([]*value.Literal) run { return func([]*value.Literal) run { return r } }

func folded(upper bool) func([]*value.Literal) run {
	return bound(ofTexts(func(dst, b []byte) []byte { return value.AppendFolded(dst, b, upper) }))
}

func sizes(of func(b []byte) int) func([]*value.Literal) run {
	return bound(ofNumbers(func(dst []int64, v *vector.Vector, sel []uint64) {
		for i := bits.Next(sel, 0, v.Len); i < v.Len; i = bits.Next(sel, i+1, v.Len) {
			dst[i] = int64(of(v.Bytes(i)))
		}
	}))
}

// position is the place of a text in code points, from 1 on; 0 where there is none.
func position(constants []*value.Literal) run {
	text := []byte(constants[0].Text)
	return sizes(func(b []byte) int {
		if at := bytes.Index(b, text); at >= 0 {
			return utf8.RuneCount(b[:at]) + 1
		}
		return 0
	})(nil)
}

// characters returns the code points of b from one on up to another, where b has them.
func characters(b []byte, from, to int64) []byte {
	start := skipped(b, from)
	return b[start : start+skipped(b[start:], to-max(from, 0))]
}

// skipped returns the length in bytes of n code points, or of all if there are fewer.
func skipped(b []byte, n int64) (length int) {
	if n >= int64(len(b)) {
		return len(b)
	}
	for ; n > 0 && length < len(b); n-- {
		if length++; b[length-1] >= utf8.RuneSelf {
			_, size := utf8.DecodeRune(b[length-1:])
			length += size - 1
		}
	}
	return length
}

// substr is that of SQL: the first code point is 1, a start below 0 counts from the end. A length below 0 is of the
// code points in front of the start.
func substr(constants []*value.Literal) run {
	const far = 1 << 61
	from, _ := integer(constants[0])
	length := int64(far)
	if len(constants) > 1 {
		length, _ = integer(constants[1])
		length = min(max(length, -far), far)
	}
	return ofTexts(func(dst, b []byte) []byte {
		start := from - 1
		if from < 0 {
			start = int64(utf8.RuneCount(b)) + max(from, -2*far)
		}
		return append(dst, characters(b, start+min(length, 0), start+max(length, 0))...)
	})
}

// left is the first n code points, or without the last -n.
func left(constants []*value.Literal) run {
	n, _ := integer(constants[0])
	return ofTexts(func(dst, b []byte) []byte {
		if n < 0 {
			return append(dst, characters(b, 0, int64(utf8.RuneCount(b))+n)...)
		}
		return append(dst, characters(b, 0, n)...)
	})
}

// right is the last n code points, or without the first -n.
func right(constants []*value.Literal) run {
	n, _ := integer(constants[0])
	return ofTexts(func(dst, b []byte) []byte {
		from := -max(n, -1<<62)
		if n >= 0 {
			from = max(int64(utf8.RuneCount(b))-n, 0)
		}
		return append(dst, b[skipped(b, from):]...)
	})
}

// spaces are those of Unicode, of its category Zs.
const spaces = " \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"

// trimmed takes spaces, or all characters of a text, off at the front, the back or both. A byte that is part of no code
// point is a character.
func trimmed(front, back bool) func([]*value.Literal) run {
	return func(constants []*value.Literal) run {
		cut := spaces
		if len(constants) > 0 {
			cut = constants[0].Text
		}
		var ascii [utf8.RuneSelf]bool
		others := map[string]bool{}
		for size := 0; len(cut) > 0; cut = cut[size:] {
			if _, size = utf8.DecodeRuneInString(cut); cut[0] < utf8.RuneSelf {
				ascii[cut[0]] = true
			}
			others[cut[:size]] = true
		}
		isCut := func(c []byte) bool {
			return c[0] < utf8.RuneSelf && ascii[c[0]] || c[0] >= utf8.RuneSelf && others[string(c)]
		}
		return ofTexts(func(dst, b []byte) []byte {
			for front && len(b) > 0 {
				_, size := utf8.DecodeRune(b)
				if !isCut(b[:size]) {
					break
				}
				b = b[size:]
			}
			for back && len(b) > 0 {
				_, size := utf8.DecodeLastRune(b)
				if !isCut(b[len(b)-size:]) {
					break
				}
				b = b[:len(b)-size]
			}
			return append(dst, b...)
		})
	}
}

// replaced has one text in place of another. An empty one is found nowhere.
func replaced(constants []*value.Literal) run {
	from, to := []byte(constants[0].Text), constants[1].Text
	return ofTexts(func(dst, b []byte) []byte {
		for len(from) > 0 {
			i := bytes.Index(b, from)
			if i < 0 {
				break
			}
			dst = append(append(dst, b[:i]...), to...)
			b = b[i+len(from):]
		}
		return append(dst, b...)
	})
}

// longest bounds the results of functions of constants, in bytes.
const longest = 1 << 20

// replacedGrowth is the growth of replaced.
func replacedGrowth(constants []*value.Literal) int {
	from, to := len(constants[0].Text), len(constants[1].Text)
	if from == 0 {
		return 1
	}
	return (to + from - 1) / from
}

// joined has a text in front, and one behind.
func joined(constants []*value.Literal) run {
	front, back := constants[0].Text, constants[1].Text
	return ofTexts(func(dst, b []byte) []byte { return append(append(append(dst, front...), b...), back...) })
}

// joinedGrowth is the growth of joined, for values of a byte.
func joinedGrowth(constants []*value.Literal) int {
	return 1 + len(constants[0].Text) + len(constants[1].Text)
}

// Growth returns how many times as long as a value the result may be, at least 1.
func (c *Call) Growth() int {
	if c.growth == nil {
		return 1
	}
	return max(1, c.growth(c.Constants))
}

// splitPart returns the n-th of the parts between separators, from 1 on, or from the back below 0. Parts between empty
// ones are code points.
func splitPart(constants []*value.Literal) run {
	separator := []byte(constants[0].Text)
	n, _ := integer(constants[1])
	return ofTexts(func(dst, b []byte) []byte {
		at, parts := n, int64(bytes.Count(b, separator))+1
		if len(separator) == 0 { // Count has one in front of each code point, and one at the end
			parts -= 2
		}
		if at < 0 {
			at += parts + 1
		}
		switch {
		case at < 1 || at > parts:
			return dst
		case len(separator) == 0:
			return append(dst, characters(b, at-1, at)...)
		}
		for ; at > 1; at-- {
			b = b[bytes.Index(b, separator)+len(separator):]
		}
		if end := bytes.Index(b, separator); end >= 0 {
			b = b[:end]
		}
		return append(dst, b...)
	})
}
