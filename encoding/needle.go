package encoding

import (
	"bytes"
	"math/bits"
	"strings"
)

// A Needle is a string to search for. It is immutable.
type Needle struct {
	text []byte
	// The positions of two of its bytes that are rare in texts: the needle may begin only
	// where both are found at their distance. first < second.
	first, second int
}

// MakeNeedle prepares the search for text, which it keeps.
func MakeNeedle(text []byte) Needle {
	n := Needle{text: text}
	if len(text) < 2 {
		return n
	}
	best, next := 0, 1
	if rank(text[next]) < rank(text[best]) {
		best, next = next, best
	}
	for i := 2; i < len(text); i++ {
		switch r := rank(text[i]); {
		case r < rank(text[best]):
			best, next = i, best
		case r < rank(text[next]) && text[i] != text[best]:
			next = i
		}
	}
	n.first, n.second = min(best, next), max(best, next)
	return n
}

// byRank are the bytes that are common in texts, the most frequent ones last.
const byRank = "ZQXJKVYWUGBFHPLDONRMTSICAE~#@!;*()[]{}'+|<>$^\\\"`zqjxkvy98765432w%&?=:gbfhpld1_unrmsico,-\x00t0a.e /"

// rank is higher for more frequent bytes; -1 for all that are not in byRank.
func rank(c byte) int { return strings.IndexByte(byRank, c) }

// Index returns where the needle first occurs in body from byte at on, or -1.
func (n *Needle) Index(body []byte, at int) int {
	if len(n.text) < 2 || !canPair() {
		return offset(bytes.Index(body[at:], n.text), at)
	}
	// It may begin at places at to end-1. If most candidates are wrong, another search
	// is better.
	end, start, wrong := len(body)-len(n.text)+1, at, 0
	for at < end {
		found, done := pairs(body[at+n.first:], body[at+n.second:], end-at, n.text[n.first], n.text[n.second])
		for ; found != 0; found &= found - 1 {
			i := at + done + bits.TrailingZeros64(found)
			if bytes.Equal(body[i:i+len(n.text)], n.text) {
				return i
			}
			wrong++
		}
		if at += done + 64; wrong > 8+(at-start)/32 && at < end {
			return offset(bytes.Index(body[at:], n.text), at)
		}
	}
	return -1
}

func offset(index, by int) int {
	if index < 0 {
		return -1
	}
	return index + by
}

// pairs searches for places i < n at which a[i] is x and b[i] is y, 64 at a time, and
// stops at the first 64 with any: found has a bit for each, the first for place done. b
// is a later part of a.
func pairs(a, b []byte, n int, x, y byte) (found uint64, done int) {
	words := (n + 63) / 64
	if words*64 > cap(b) {
		words = n / 64
	}
	if words > 0 {
		found, done = vectorPairs(a[:cap(a)], b[:cap(b)], words, x, y)
		if left := n - done; left < 64 {
			found &= 1<<max(0, left) - 1 // places from n on do not count
		}
	}
	for ; found == 0 && done < n; done += 64 {
		others := b[done:min(done+64, n)]
		for i, c := range a[done:][:len(others)] {
			found |= oneIf(c == x) & oneIf(others[i] == y) << i
		}
		if found != 0 {
			break
		}
	}
	return found, done
}

// Contains keeps the strings in which the needle occurs.
//
// It searches the bytes of all strings at once, gaps included, and then finds the string
// that a hit is in. A hit that touches a gap does not count: the search continues one
// byte after its start.
//
//	body     03 00 00 00 f o o 04 00 00 00 o b a r
//	"oba"                              ^^^^^^^^^^^    searched: no length between
//	"oo"                   ^^^                        in string 0
func (t Texts) Contains(w uint64, needle *Needle) uint64 {
	size := len(needle.text)
	if bits.OnesCount64(w) <= few || size == 0 {
		for rest := w; rest != 0; rest &= rest - 1 {
			if i := bits.TrailingZeros64(rest); needle.Index(t.text(i), 0) < 0 {
				w &^= 1 << i
			}
		}
		return w
	}
	i := bits.TrailingZeros64(w)
	at := int(t.At[i] + t.Gap)
	body := t.Body[:t.At[bits.Len64(w)]]
	found := uint64(0)
	for {
		hit := needle.Index(body, at)
		if hit < 0 {
			return w & found
		}
		for int(t.At[i+1]) <= hit {
			i++
		}
		if hit >= int(t.At[i]+t.Gap) && hit+size <= int(t.At[i+1]) {
			found |= 1 << i
			at = int(t.At[i+1]) // the rest of the string can add nothing
		} else {
			at = hit + 1
		}
	}
}
