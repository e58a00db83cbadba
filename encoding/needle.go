package encoding

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"strings"
)

// A Needle is a string to search for. It is immutable.
type Needle struct {
	text []byte
	// The positions of two of its bytes that are rare in texts: the needle may begin only
	// where both are found at their distance. first < second.
	first, second int
	rarest        int // one of them
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
	n.first, n.second, n.rarest = min(best, next), max(best, next), best
	return n
}

// byRank are the bytes that are common in texts, the most frequent ones last.
const byRank = "ZQXJKVYWUGBFHPLDONRMTSICAE~#@!;*()[]{}'+|<>$^\\\"`zqjxkvy98765432w%&?=:gbfhpld1_unrmsico,-\x00t0a.e /"

// rank is higher for more frequent bytes; -1 for all that are not in byRank.
func rank(c byte) int { return strings.IndexByte(byRank, c) }

// Index returns where the needle first occurs in body from byte at on, or -1. It searches for its
// rarest byte, where that is faster than a pair, then for the pair. If most candidates are wrong,
// another search is better.
func (n *Needle) Index(body []byte, at int) int {
	if len(n.text) < 2 {
		return offset(bytes.Index(body[at:], n.text), at)
	}
	end, start, wrong := len(body)-len(n.text)+1, at, 0 // it may begin at places at to end-1
	for ; !canPair() && at < end && wrong <= 2+(at-start)/64; wrong++ {
		i := bytes.IndexByte(body[at+n.rarest:end+n.rarest], n.text[n.rarest])
		if i < 0 {
			return -1
		}
		if at += i; bytes.Equal(body[at:at+len(n.text)], n.text) {
			return at
		}
		at++
	}
	start, wrong = at, 0
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
// stops at the first 64 with any: found has a bit for each, the first for place done, and may
// have some others. b is a later part of a.
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

// pairsGo is pairs for 64 places of each word; left is how many words there are from the first
// with a pair on. Eight places are looked at together: where both bytes are right, their
// differences from x and y are 0, and subtracting 1 borrows. The place behind a pair may be found
// wrongly, of which its caller makes sure.
func pairsGo(a, b []byte, words int, x, y byte) (found uint64, left int) {
	const ones, highs = math.MaxUint64 / 0xff, math.MaxUint64 / 0xff * 0x80
	first, second := uint64(x)*ones, uint64(y)*ones
	eight := func(p, q *[64]byte, at int) uint64 {
		differs := binary.LittleEndian.Uint64(p[at:]) ^ first | binary.LittleEndian.Uint64(q[at:]) ^ second
		return (differs - ones) &^ differs & highs
	}
	for left = words; left > 0; left-- {
		p, q := (*[64]byte)(a), (*[64]byte)(b)
		if eight(p, q, 0)|eight(p, q, 8)|eight(p, q, 16)|eight(p, q, 24)|eight(p, q, 32)|eight(p, q, 40)|eight(p, q, 48)|eight(p, q, 56) != 0 {
			for i := 0; i < 64; i += 8 {
				const gather = 0x0002040810204081 // moves the high bits of eight bytes to the highest byte
				found |= eight(p, q, i) * gather >> 56 << i
			}
			break
		}
		a, b = a[64:], b[64:]
	}
	return found, left
}

// search keeps the strings in which the needle, which is not empty, occurs.
//
// It searches the bytes of all strings at once, gaps included, and then finds the string
// that a hit is in. A hit that touches a gap does not count: the search continues one
// byte after its start.
//
//	body     03 00 00 00 f o o 04 00 00 00 o b a r
//	"oba"                              ^^^^^^^^^^^    searched: no length between
//	"oo"                   ^^^                        in string 0
func (t Texts) search(w uint64, needle *Needle) uint64 {
	size := len(needle.text)
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
