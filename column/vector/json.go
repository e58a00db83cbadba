package vector

import (
	"encoding/binary"
	"unicode/utf8"
)

// appendQuoted appends s as a JSON string. Each byte that is not part of a
// valid UTF-8 sequence becomes U+FFFD.
func appendQuoted(dst, s []byte) []byte {
	dst = append(dst, '"')
	for len(s) > 0 {
		n := plainPrefix(s)
		dst = append(dst, s[:n]...)
		if s = s[n:]; len(s) == 0 {
			break
		}
		c := s[0]
		if c < utf8.RuneSelf {
			dst = appendEscape(dst, c)
			s = s[1:]
			continue
		}
		// A run of valid multi-byte characters is copied in one go.
		n = 0
		for n < len(s) && s[n] >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(s[n:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			n += size
		}
		dst = append(dst, s[:n]...)
		if s = s[n:]; n == 0 {
			dst = utf8.AppendRune(dst, utf8.RuneError)
			s = s[1:]
		}
	}
	return append(dst, '"')
}

// plainPrefix returns the number of bytes at the front of s that JSON does not
// escape: ASCII but controls, quote and backslash. It tests eight at a time.
func plainPrefix(s []byte) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	n := 0
	for ; len(s)-n >= 8; n += 8 {
		w := binary.LittleEndian.Uint64(s[n:])
		quote, slash := w^ones*'"', w^ones*'\\'
		// x-ones&^x has the high bit of the lowest zero byte of x set, and in
		// words without high bits w-ones*0x20 that of the lowest byte below 0x20.
		if (w|(w-ones*0x20)|((quote-ones)&^quote)|((slash-ones)&^slash))&highs != 0 {
			break
		}
	}
	for n < len(s) && s[n] >= 0x20 && s[n] < utf8.RuneSelf && s[n] != '"' && s[n] != '\\' {
		n++
	}
	return n
}

// appendEscape appends the escape of an ASCII character.
func appendEscape(dst []byte, c byte) []byte {
	const digits = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}
