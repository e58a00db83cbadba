package table

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/vector"
)

// values writes the values of one column for people: as vector.Slots does, but
// for bytes and intervals, whose form for programs is base64.
//
//	bytes, all of them text        spool         in the column's first rows
//	bytes, others                  X'00ff'       as WHERE takes it
//	interval                       14 months 3 days 04:05:06.007
type values struct {
	slots   *vector.Slots
	t       vector.Type
	form    form
	decided bool // whether bytes are text
	asText  bool // they are
	v       *vector.Vector
}

// form is how a column's values are written.
type form uint8

const (
	canonical   form = iota // as Slots does
	bytesOrText             // bytes, as text where they are text
	bytesAsHex
	intervalInWords
)

func newValues(f *vector.Field) *values {
	v := &values{slots: f.Text(), t: f.Type}
	if f.Layout == vector.Leaf {
		v.form = formOf(f.Type)
	}
	return v
}

// formOf returns the form of a leaf's values.
func formOf(t vector.Type) form {
	if t.Physical != vector.ByteArray && t.Physical != vector.FixedLenByteArray {
		return canonical
	}
	switch t.Logical {
	case vector.None, vector.Unrecognised:
		return bytesOrText
	case vector.BSON, vector.Geometry, vector.Geography:
		return bytesAsHex
	case vector.Interval:
		if t.Length == intervalBytes {
			return intervalInWords
		}
	}
	return canonical
}

// use makes v the vector whose values append writes. The rows from a to b decide,
// if nothing has yet, whether bytes are text.
func (c *values) use(v *vector.Vector, a, b int) {
	c.v = v
	c.slots.Use(v)
	for i := a; i < min(b, a+measuredRows) && c.form == bytesOrText && !c.decided; i++ {
		if !v.IsNull(i) {
			c.asText = IsText(v.Bytes(i))
			c.decided = !c.asText
		}
	}
	c.decided = c.decided || c.asText
}

// append writes the value in row i, which is not NULL.
func (c *values) append(dst []byte, i int) ([]byte, error) {
	if c.form == canonical {
		return c.slots.Append(dst, i)
	}
	dst, _ = AppendPlain(dst, c.t, c.v.Bytes(i), c.asText)
	return dst, nil
}

// AppendPlain writes a value in the PLAIN encoding as a table of rows shows it,
// if that is not its textual form: bytes, as text if asked for, and intervals.
func AppendPlain(dst []byte, t vector.Type, plain []byte, asText bool) (_ []byte, ok bool) {
	switch f := formOf(t); {
	case f == bytesOrText && asText && IsText(plain):
		return append(dst, plain...), true
	case f == bytesOrText || f == bytesAsHex:
		dst = hex.AppendEncode(append(dst, "X'"...), plain) // as WHERE takes them
		return append(dst, '\''), true
	case f == intervalInWords && len(plain) == intervalBytes:
		return appendInterval(dst, plain), true
	}
	return dst, false
}

// IsText reports whether bytes are readable text.
func IsText(b []byte) bool {
	return utf8.Valid(b) && !bytes.ContainsFunc(b, func(r rune) bool { return !unicode.IsPrint(r) && r != '\n' && r != '\t' && r != '\r' })
}

// intervalBytes are three little-endian numbers: months, days, milliseconds.
const intervalBytes = 12

// appendInterval writes an interval in words, without the parts that are 0.
func appendInterval(dst, b []byte) []byte {
	start := len(dst)
	for i, unit := range [...]string{"month", "day"} {
		if n := binary.LittleEndian.Uint32(b[4*i:]); n > 0 {
			dst = fmt.Appendf(dst, "%d %s", n, unit)
			if n > 1 {
				dst = append(dst, 's')
			}
			dst = append(dst, ' ')
		}
	}
	millis := binary.LittleEndian.Uint32(b[8:])
	if millis == 0 && len(dst) > start {
		return dst[:len(dst)-1]
	}
	dst = fmt.Appendf(dst, "%02d:%02d:%02d", millis/3_600_000, millis/60_000%60, millis/1000%60)
	if millis %= 1000; millis > 0 {
		dst = fmt.Appendf(dst, ".%03d", millis)
	}
	return dst
}

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
