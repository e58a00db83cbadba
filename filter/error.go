package filter

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/schema"
)

// Error is what is wrong with an expression: with its text, or with what it
// asks of a file's columns.
type Error struct {
	Offset int // the byte of the text that it is about; -1 if there is no text
	Msg    string

	noColumn bool // it names a column that the file lacks
}

// Is makes errors.Is match schema.ErrNoColumn where a column is named that the file lacks.
func (e *Error) Is(target error) bool { return e.noColumn && target == schema.ErrNoColumn }

func (e *Error) Error() string {
	if e.Offset < 0 {
		return "filter: " + e.Msg
	}
	return "filter, byte " + strconv.Itoa(e.Offset+1) + ": " + e.Msg
}

// Caret returns the line of the text that the error is about, at most so many
// characters of it, and below it a mark:
//
//	price < 'ten' AND id = 5
//	        ^
//
// It is empty for an error without an Offset.
func (e *Error) Caret(text string) string {
	const before, behind = 50, 26
	if e.Offset < 0 || e.Offset > len(text) {
		return ""
	}
	start := strings.LastIndexByte(text[:e.Offset], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[e.Offset:], '\n'); i >= 0 {
		end = e.Offset + i
	}
	left, right := text[start:e.Offset], text[e.Offset:end]
	if n := utf8.RuneCountInString(left); n > before {
		left = "…" + skipRunes(left, n-before)
	}
	if n := utf8.RuneCountInString(right); n > behind {
		right = right[:len(right)-len(skipRunes(right, behind))] + "…"
	}
	return printable(left+right) + "\n" + strings.Repeat(" ", utf8.RuneCountInString(left)) + "^"
}

func skipRunes(s string, n int) string {
	for range n {
		_, size := utf8.DecodeRuneInString(s)
		s = s[size:]
	}
	return s
}

// printable keeps one character for each, so that the mark stays in its place.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}
