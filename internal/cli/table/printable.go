package table

import (
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable escapes what would not show, or would steer the terminal: names
// and values come from files that anyone may have made.
func Printable(s string) string {
	clean := true
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	before := rune(0)
	for i, r := range s {
		switch {
		case (r == joiner || r == nonJoiner) && joins(before, s[i+utf8.RuneLen(r):]):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"), r < 0x80 && !unicode.IsPrint(r):
			b.WriteString(`\x` + hex.EncodeToString([]byte{s[i]}))
		case !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r):
			b.WriteString(`\u{` + strconv.FormatInt(int64(r), 16) + `}`)
		default:
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

// joins reports whether a joiner between a rune and a text is part of an emoji or
// of a word, as in Persian and Hindi. Elsewhere it would hide that names differ.
func joins(before rune, behind string) bool {
	next, _ := utf8.DecodeRuneInString(behind)
	picture := before == emojiVariant || isSkinTone(before) || isPicture(before)
	inWord := func(r rune) bool {
		return r >= 0x600 && r < 0x1000 && (unicode.IsLetter(r) || unicode.IsMark(r))
	}
	return picture && isPicture(next) || inWord(before) && inWord(next)
}

// Hex0x returns at most most bytes as 0x….
func Hex0x(b []byte, most int) string {
	if len(b) > most {
		return "0x" + hex.EncodeToString(b[:most]) + "…"
	}
	return "0x" + hex.EncodeToString(b)
}

// QuotedIfBlank returns a text in quotes where blanks at its ends, or nothing, would not be seen.
func QuotedIfBlank(text string) string {
	if text == "" || strings.TrimSpace(text) != text {
		return strconv.Quote(text)
	}
	return text
}
