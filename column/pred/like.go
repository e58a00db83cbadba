package pred

import (
	"bytes"
	"unicode/utf8"
)

// pattern is a LIKE: the segments between % signs, found one after the other. The
// first is anchored at the front unless the pattern begins with %, the last at
// the end unless it ends with %.
//
//	a_c%d%      front "a_c", then "d" anywhere
type pattern struct {
	segments    []segment
	front, back bool  // the first, the last segment is anchored
	needed      *Test // see Needed
}

// segment is a sequence of literal bytes and of _, which stands for one code point.
type segment []atom

// atom is skip code points of any value, then literal bytes.
type atom struct {
	skip int
	text []byte
}

// LikePattern returns the test of SQL's LIKE: % stands for any string, _ for
// one code point, or one byte that belongs to none. escape makes the code point
// after it a literal; 0 means that there is no escape. Simple patterns become
// Equal, Prefix, Suffix or Contains, which decoders have kernels for.
func LikePattern(text []byte, escape rune) *Test {
	p, plain := &pattern{front: true, back: true}, true
	var cur segment
	var here atom
	percents := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		b := text[i : i+size]
		i += size
		switch {
		case escape != 0 && r == escape && (r != utf8.RuneError || size > 1) && i < len(text):
			_, size = utf8.DecodeRune(text[i:])
			here.text = append(here.text, text[i:i+size]...)
			i += size
		case r == '%':
			percents++
			p.front = p.front && (len(p.segments) > 0 || !cur.empty(here))
			p.closeSegment(&cur, &here)
		case r == '_':
			plain = false
			if len(here.text) > 0 {
				cur = append(cur, here)
				here = atom{}
			}
			here.skip++
		default:
			here.text = append(here.text, b...)
		}
	}
	p.back = !cur.empty(here)
	p.closeSegment(&cur, &here)
	var literal []byte
	if len(p.segments) > 0 {
		literal = p.segments[0][0].text
	}
	switch {
	case !plain || len(p.segments) > 1:
		p.needed = p.longest()
		return &Test{Kind: Like, like: p}
	case percents == 0:
		return &Test{Kind: Equal, Text: literal}
	case p.front || literal == nil: // or only %
		return &Test{Kind: Prefix, Text: literal}
	case p.back:
		return &Test{Kind: Suffix, Text: literal}
	}
	return &Test{Kind: Contains, Text: literal}
}

// Prefix returns what all strings that match a LIKE begin with.
func (t *Test) Prefix() []byte {
	if p := t.like; p != nil && p.front && len(p.segments) > 0 && p.segments[0][0].skip == 0 {
		return p.segments[0][0].text
	}
	return nil
}

// longest returns a test for the longest literal of p, nil if p has none.
func (p *pattern) longest() *Test {
	var text []byte
	for _, segment := range p.segments {
		for _, atom := range segment {
			if len(atom.text) > len(text) {
				text = atom.text
			}
		}
	}
	if text == nil {
		return nil
	}
	return &Test{Kind: Contains, Text: text}
}

// empty reports whether neither c nor the atom after it holds anything.
func (c segment) empty(here atom) bool {
	return len(c) == 0 && here.skip == 0 && len(here.text) == 0
}

// closeSegment appends cur with its last atom to the pattern, unless it is empty.
func (p *pattern) closeSegment(cur *segment, here *atom) {
	if cur.empty(*here) {
		return
	}
	p.segments = append(p.segments, append(*cur, *here))
	*cur, *here = nil, atom{}
}

// Needed returns a weaker test that decoders have a kernel for: every value that passes
// t passes it, too. For a LIKE, it searches for the longest literal. nil if there is none.
func (t *Test) Needed() *Test {
	if t.Kind != Like || t.Negate {
		return nil
	}
	return t.like.needed
}

// match reports whether all of b matches the pattern.
func (p *pattern) match(b []byte) bool {
	segments := p.segments
	if p.front {
		n := segments[0].matchPrefix(b)
		if n < 0 {
			return false
		}
		if len(segments) == 1 && p.back {
			return n == len(b)
		}
		b, segments = b[n:], segments[1:]
	}
	for i, s := range segments {
		if b = s.cut(b, p.back && i == len(segments)-1); b == nil {
			return false
		}
	}
	return true
}

// matchPrefix returns the length of the prefix of b that matches the segment, -1 if none does.
func (c segment) matchPrefix(b []byte) int {
	n := 0
	for _, p := range c {
		for range p.skip {
			if n == len(b) {
				return -1
			}
			_, size := utf8.DecodeRune(b[n:])
			n += size
		}
		if !bytes.HasPrefix(b[n:], p.text) {
			return -1
		}
		n += len(p.text)
	}
	return n
}

// cut returns the bytes of b after the first match of the segment, or after the first that b ends
// with, nil if there is none.
func (c segment) cut(b []byte, atEnd bool) []byte {
	for at := 0; at <= len(b); {
		if c[0].skip == 0 {
			i := bytes.Index(b[at:], c[0].text)
			if i < 0 {
				return nil
			}
			at += i
		}
		if n := c.matchPrefix(b[at:]); n >= 0 && (!atEnd || at+n == len(b)) {
			return b[at+n:][:len(b)-at-n]
		}
		if at == len(b) {
			return nil
		}
		_, size := utf8.DecodeRune(b[at:])
		at += size
	}
	return nil
}
