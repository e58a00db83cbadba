package filter

import (
	"strconv"
	"strings"
)

// Error is an error of an expression: in its text, or in how it uses a file's
// columns.
type Error struct {
	Offset int // byte offset in the text; -1 if the expression was not parsed from text
	Msg    string
	Err    error // schema.ErrNoColumn where the expression names a column that the file lacks, else nil
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

func (e *Error) Error() string {
	if e.Offset < 0 {
		return "filter: " + e.Msg
	}
	return "filter, byte " + strconv.Itoa(e.Offset+1) + ": " + e.Msg
}

// Caret returns the line of the text with the error, cut to at most 76 characters,
// and below it a mark at the error:
//
//	price < 'ten' AND id = 5
//	        ^
//
// It is empty for an error without an Offset.
func (e *Error) Caret(text string) string {
	const most, before = 76, 50
	if e.Offset < 0 || e.Offset > len(text) {
		return ""
	}
	start := strings.LastIndexByte(text[:e.Offset], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[e.Offset:], '\n'); i >= 0 {
		end = e.Offset + i
	}
	left, right := []rune(text[start:e.Offset]), []rune(text[e.Offset:end])
	shown, behind := len(left), len(right)
	if room := max(before, most-behind); shown > room {
		left = append([]rune("…"), left[shown-room:]...)
	}
	if room := most - min(shown, before); behind > room {
		right = append(right[:room], '…')
	}
	line := strings.Map(func(r rune) rune { // with control characters as spaces, so that the mark stays in its place
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, string(left)+string(right))
	return line + "\n" + strings.Repeat(" ", len(left)) + "^"
}
