package encoding

import (
	"bytes"
	"math"
	"math/bits"
	"slices"
)

// A Chain tests strings one after the other. Each comes as the number of bytes that it shares with the one before, and
// its rest. What the shared bytes settle is known from the string before, so a test looks at the rest:
//
//	contains      a needle that ends within the shared bytes is found; one that begins there ends in the rest
//	bounds        if the string before differs from a bound within the shared bytes, so does this one
//	other tests   look at the whole string
//
//	https://a.example/one/1          "/one" ends at byte 21
//	https://a.example/one/23         22 bytes are shared: it is found
//	https://a.example/on|ce          20 bytes are shared: "/on|ce" is searched, and then the rest
type Chain struct {
	Last []byte // the string before the next, in memory that is reused

	m      *Match
	lo, hi bound  // of equal, prefix and range
	end    int    // contains: where the first needle of the string before ends; MaxInt if there is none
	body   []byte // holds the rests of the next strings, one after the other,
	at     int    // from byte at on
	hit    int    // contains: where in body the first needle begins that was not passed; len(body) if there is none

	places [256]uint64 // contains: the places of a byte in the needle, modulo 64
}

// bound is how the string before compares to one of the bounds.
type bound struct {
	text   []byte
	common int // how many bytes they share
	order  int // the sign of bytes.Compare
}

// follow moves on to the next string.
func (b *bound) follow(shared int, rest []byte) {
	text := b.text[shared:]
	n := min(len(rest), len(text))
	i := 0
	for i < n && rest[i] == text[i] {
		i++
	}
	b.common = shared + i
	if b.order = len(rest) - len(text); i < n {
		b.order = int(rest[i]) - int(text[i])
	}
}

// Start begins with the strings after last.
func (c *Chain) Start(m *Match, last []byte) {
	*c = Chain{Last: last, m: m, lo: bound{text: m.text}, hi: bound{text: m.hi}, end: math.MaxInt}
	c.lo.follow(0, last)
	c.hi.follow(0, last)
	for i, b := range m.needle.text {
		c.places[b] |= 1 << (i % 64)
	}
	if m.kind == contains {
		c.find(last, 0)
	}
}

// Enter says that body holds the rests of the next strings, one after the other, from byte at on.
func (c *Chain) Enter(body []byte, at int) { c.body, c.at, c.hit = body, at, -1 }

// At returns where the rest of the next string begins.
func (c *Chain) At() int { return c.at }

// Matching returns the bits of those of the next strings, up to 64, that match. None shares more bytes than the string
// before has.
func (c *Chain) Matching(shared, rest []int32) uint64 {
	switch c.m.kind {
	case isEqual, hasPrefix, inRange:
		return c.bounded(shared, rest)
	}
	w, last, at := uint64(0), c.Last, c.at
	padded := c.body[:len(c.body)+min(cap(c.body)-len(c.body), Padding)]
	for i, n := range shared {
		n, size := int(n), int(rest[i])
		if size <= easy && n+easy <= cap(last) && at+easy <= len(padded) {
			from, to := (*[easy]byte)(padded[at:]), (*[easy]byte)(last[n:n+easy])
			*(*[16]byte)(to[:16]) = *(*[16]byte)(from[:16])
			*(*[16]byte)(to[16:]) = *(*[16]byte)(from[16:])
			*(*[16]byte)(to[32:]) = *(*[16]byte)(from[32:])
			*(*[16]byte)(to[48:]) = *(*[16]byte)(from[48:])
			last = last[:n+size]
		} else {
			last = append(slices.Grow(last[:n], size+easy), c.body[at:at+size]...)
		}
		var pass bool
		if c.m.kind == contains {
			pass = c.end <= n || c.contains(last, n, at)
		} else {
			pass = c.m.passes(last)
		}
		w |= oneIf(pass) << i
		at += size
	}
	c.Last, c.at = last, at
	return w
}

// easy is how many bytes are copied where rests are no longer: a call of memmove would look at lengths, which cannot be
// predicted. With 32, rests of 10 to 50 bytes take twice as long.
const easy = 64

// bounded is Matching for bounds.
func (c *Chain) bounded(shared, rest []int32) (w uint64) {
	kind, unbound, at := c.m.kind, c.hi.text == nil, c.at
	for i, n := range shared {
		n, size := int(n), int(rest[i])
		if n <= c.lo.common {
			c.lo.follow(n, c.body[at:][:size])
		}
		pass := oneIf(c.lo.order == 0)
		switch kind {
		case hasPrefix:
			pass = oneIf(c.lo.common == len(c.lo.text))
		case inRange:
			if n <= c.hi.common && !unbound {
				c.hi.follow(n, c.body[at:][:size])
			}
			pass = oneIf(c.lo.order >= 0) & (oneIf(unbound) | oneIf(c.hi.order < 0))
		}
		at += size
		w |= pass << i
	}
	c.at = at
	c.makeLast(shared, rest)
	return w
}

// makeLast makes the last of some strings, which end at c.at: from its end on, the bytes that each string before it added.
func (c *Chain) makeLast(shared, rest []int32) {
	at, i := c.at, len(shared)-1
	if i < 0 {
		return
	}
	length := int(shared[i] + rest[i])
	last := slices.Grow(c.Last, max(0, length-len(c.Last)))
	c.Last = last[:length]
	last = last[:cap(last)]
	for to := length; i >= 0 && to > 0; i-- {
		at -= int(rest[i])
		if from := int(shared[i]); from < to {
			copy(last[from:to], c.body[at:])
			to = from
		}
	}
}

// contains searches for a needle that ends behind the shared bytes.
func (c *Chain) contains(s []byte, shared, at int) bool {
	size := len(c.m.needle.text)
	c.end = math.MaxInt
	if 0 < shared && shared < len(s) && bits.RotateLeft64(c.places[s[shared-1]], 1)&c.places[s[shared]] != 0 &&
		c.find(s[:min(len(s), shared+size-1)], max(0, shared-size+1)) {
		return true
	}
	if c.hit < at {
		if c.hit = c.m.needle.Index(c.body, at); c.hit < 0 {
			c.hit = len(c.body)
		}
	}
	if end := c.hit - at + shared + size; end <= len(s) {
		c.end = end
		return true
	}
	return false
}

// find searches for the needle from byte at of s on.
func (c *Chain) find(s []byte, at int) bool {
	i := bytes.Index(s[at:], c.m.needle.text)
	if i >= 0 {
		c.end = at + i + len(c.m.needle.text)
	}
	return i >= 0
}
