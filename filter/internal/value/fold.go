package value

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

// Folded returns s in lower or upper case: each code point by Unicode's simple mapping. A byte
// that is part of none stays.
func Folded(s string, upper bool) string { return string(AppendFolded(nil, []byte(s), upper)) }

// AppendFolded appends s in lower or upper case: each code point by Unicode's simple mapping. A
// byte that is part of none stays.
func AppendFolded(dst, s []byte, upper bool) []byte {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	first := uint64('A')
	if upper {
		first = 'a'
	}
	from, behind := (0x80-first)*ones, (0x80-first-26)*ones
	n := len(dst)
	dst = append(dst, s...)
	at := dst[n:]
	done := 0
	for ; len(at)-done >= 8; done += 8 { // ASCII
		w := binary.LittleEndian.Uint64(at[done:])
		if w&high != 0 {
			break
		}
		letters := (w + from) &^ (w + behind) & high // 0x80 in bytes from first to the 26th behind it
		binary.LittleEndian.PutUint64(at[done:], w^letters>>2)
	}
	for ; done < len(at) && at[done] < utf8.RuneSelf; done++ {
		if c := at[done]; c-byte(first) < 26 {
			at[done] = c ^ 0x20
		}
	}
	if done == len(at) {
		return dst
	}
	dst = dst[:n+done]
	for rest := s[done:]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(dst, rest[0])
		case upper:
			dst = utf8.AppendRune(dst, unicode.ToUpper(r))
		default:
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
		rest = rest[size:]
	}
	return dst
}
