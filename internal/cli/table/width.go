package table

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	joiner       = '\u200d' // between the parts of an emoji such as a family
	nonJoiner    = '\u200c'
	emojiVariant = '\ufe0f' // asks for the picture of a character that is text by itself
)

// Width returns how many columns of a terminal a printable text takes.
func Width(text string) int {
	n := 0
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf && (i+1 == len(text) || text[i+1] < utf8.RuneSelf) {
			n++ // most texts have no other characters
			i++
			continue
		}
		size, width := cluster(text[i:])
		n += width
		i += size
	}
	return n
}

// cluster returns the bytes and the columns of the first thing that a terminal
// draws as one, and that a text is never cut in: a character with its accents, an
// emoji with its skin tone and all that joiners tie to it, a flag.
//
//	"e\u0301x"                  3 bytes, 1 column
//	"👩\u200d🚀!"               11 bytes, 2 columns
func cluster(text string) (size, width int) {
	if text[0] < utf8.RuneSelf && (len(text) == 1 || text[1] < utf8.RuneSelf) {
		return 1, 1
	}
	base, size := utf8.DecodeRuneInString(text)
	width = runeWidth(base)
	for size < len(text) {
		r, n := utf8.DecodeRuneInString(text[size:])
		switch {
		case r == emojiVariant:
			width = max(width, 2)
		case isFlagLetter(base) && isFlagLetter(r) && size == utf8.UTFMax:
			width = 2
		case isSkinTone(r) && isPicture(base):
		case r == joiner && isPicture(base):
			next, m := utf8.DecodeRuneInString(text[size+n:])
			if isPicture(next) {
				n += m
			}
		case runeWidth(r) == 0:
		default:
			return size, width
		}
		size += n
	}
	return size, width
}

// runeWidth returns how many columns a printable rune takes by itself: none for
// accents, two in scripts that are set in full width and for most pictures.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1160 && r <= 0x11ff || r >= 0xd7b0 && r <= 0xd7ff: // they complete a Hangul syllable
		return 0
	case r >= 0x1100 && unicode.Is(wide, r):
		return 2
	}
	return 1
}

func isFlagLetter(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }
func isSkinTone(r rune) bool   { return r >= 0x1f3fb && r <= 0x1f3ff }

// isPicture reports whether r may be a part of a joined emoji. Some of them, such
// as ♂ and ❤, are text by themselves.
func isPicture(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff || r == 0x3030 || r == 0x303d
}

// wide has the characters of East Asian Width W and F of Unicode 16, and ranges
// that it keeps free for more of them.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1}, {0x231a, 0x231b, 1}, {0x2329, 0x232a, 1}, {0x23e9, 0x23ec, 1}, {0x23f0, 0x23f3, 3},
		{0x25fd, 0x25fe, 1}, {0x2614, 0x2615, 1}, {0x2630, 0x2637, 1}, {0x2648, 0x2653, 1}, {0x267f, 0x267f, 1},
		{0x268a, 0x268f, 1}, {0x2693, 0x26a1, 14}, {0x26aa, 0x26ab, 1}, {0x26bd, 0x26be, 1}, {0x26c4, 0x26c5, 1},
		{0x26ce, 0x26d4, 6}, {0x26ea, 0x26ea, 1}, {0x26f2, 0x26f3, 1}, {0x26f5, 0x26fa, 5}, {0x26fd, 0x26fd, 1},
		{0x2705, 0x2705, 1}, {0x270a, 0x270b, 1}, {0x2728, 0x2728, 1}, {0x274c, 0x274e, 2}, {0x2753, 0x2755, 1},
		{0x2757, 0x2757, 1}, {0x2795, 0x2797, 1}, {0x27b0, 0x27bf, 15}, {0x2b1b, 0x2b1c, 1}, {0x2b50, 0x2b55, 5},
		{0x2e80, 0x303e, 1}, {0x3041, 0x3247, 1}, {0x3250, 0xa4cf, 1}, {0xa960, 0xa97f, 1}, {0xac00, 0xd7a3, 1},
		{0xf900, 0xfaff, 1}, {0xfe10, 0xfe19, 1}, {0xfe30, 0xfe6f, 1}, {0xff01, 0xff60, 1}, {0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{
		{0x16fe0, 0x16ff1, 1}, {0x17000, 0x18dff, 1}, {0x1aff0, 0x1b2ff, 1}, {0x1d300, 0x1d356, 1}, {0x1d360, 0x1d376, 1},
		{0x1f004, 0x1f004, 1}, {0x1f0cf, 0x1f0cf, 1}, {0x1f18e, 0x1f18e, 1}, {0x1f191, 0x1f19a, 1}, {0x1f200, 0x1f320, 1},
		{0x1f32d, 0x1f335, 1}, {0x1f337, 0x1f37c, 1}, {0x1f37e, 0x1f393, 1}, {0x1f3a0, 0x1f3ca, 1}, {0x1f3cf, 0x1f3d3, 1},
		{0x1f3e0, 0x1f3f0, 1}, {0x1f3f4, 0x1f3f4, 1}, {0x1f3f8, 0x1f43e, 1}, {0x1f440, 0x1f440, 1}, {0x1f442, 0x1f4fc, 1},
		{0x1f4ff, 0x1f53d, 1}, {0x1f54b, 0x1f54e, 1}, {0x1f550, 0x1f567, 1}, {0x1f57a, 0x1f57a, 1}, {0x1f595, 0x1f596, 1},
		{0x1f5a4, 0x1f5a4, 1}, {0x1f5fb, 0x1f64f, 1}, {0x1f680, 0x1f6c5, 1}, {0x1f6cc, 0x1f6cc, 1}, {0x1f6d0, 0x1f6d2, 1},
		{0x1f6d5, 0x1f6d7, 1}, {0x1f6dc, 0x1f6df, 1}, {0x1f6eb, 0x1f6ec, 1}, {0x1f6f4, 0x1f6fc, 1}, {0x1f7e0, 0x1f7eb, 1},
		{0x1f7f0, 0x1f7f0, 1}, {0x1f90c, 0x1f93a, 1}, {0x1f93c, 0x1f945, 1}, {0x1f947, 0x1f9ff, 1}, {0x1fa70, 0x1faff, 1},
		{0x20000, 0x2fffd, 1}, {0x30000, 0x3fffd, 1},
	},
}

// Cut shortens text to width, with an ellipsis in place of its end.
func Cut(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	front, _ := split(text, width-1)
	return front + "…"
}

// First returns the first characters of text, at most most of them, with an ellipsis if there are more.
func First(text string, most int) string {
	n := 0
	for i := range text {
		if n++; n > most {
			return text[:i] + "…"
		}
	}
	return text
}

// CutFront shortens text to width, with an ellipsis in place of its start.
func CutFront(text string, width int) string {
	w := Width(text)
	if w <= width {
		return text
	}
	return "…" + behind(text, w-(width-1))
}

// CutMiddle shortens text to width, with an ellipsis in its middle: of addresses
// and identifiers, the end says as much as the start.
func CutMiddle(text string, width int) string {
	w := Width(text)
	if w <= width {
		return text
	}
	room := max(width-1, 0)
	front, rest := split(text, (room+1)/2)
	return front + "…" + behind(rest, Width(rest)-room/2)
}

// cutItems shortens parts of text, which two spaces or a comma divide, to the whole ones that
// have room in width, or else the first one as Cut does.
func cutItems(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	for end := len(text); end > 0; {
		end = max(strings.LastIndex(text[:end], "  "), strings.LastIndex(text[:end], ", "))
		if end > 0 && Width(text[:end])+2 <= width {
			return text[:end] + " …"
		}
	}
	return Cut(text, width)
}

// split divides text behind the last thing drawn that ends within width.
func split(text string, width int) (front, rest string) {
	for i := 0; i < len(text); {
		size, w := cluster(text[i:])
		if width -= w; width < 0 {
			return text[:i], text[i:]
		}
		i += size
	}
	return text, ""
}

// wrapped divides text, which is wider than width, where a line of this width ends: at its last
// space, or in a word that fills the line.
func wrapped(text string, width int) (line, below string) {
	line, below = split(text, max(width, 2)) // no character is wider
	if space := strings.LastIndexByte(line, ' '); space > 0 && !strings.HasPrefix(below, " ") {
		line, below = line[:space], line[space:]+below
	}
	return line, strings.TrimLeft(below, " ")
}

// behind returns what is left of text without its first width columns, or one
// more where a character of two columns stands there.
func behind(text string, width int) string {
	for width > 0 && text != "" {
		size, w := cluster(text)
		text = text[size:]
		width -= w
	}
	return text
}

// cutNumber shortens a number to one of the same size with fewer digits. Where
// not even one digit has room, only "…" is left, which nobody takes for a number.
//
//	3.14159      in 5   3.14…
//	-1.25e+300   in 9   -1.…e+300
//	1234567890   in 8   1.234…e9
//	(1234567~)   in 8   (1.…e6~)
func cutNumber(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	digits := strings.TrimLeft(text, "(-")
	prefix := text[:len(text)-len(digits)]
	digits = strings.TrimRight(digits, "~)")
	suffix := text[len(prefix)+len(digits):]
	mantissa, exponent, hasExponent := strings.Cut(digits, "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return Cut(text, width) // NaN, or bytes that are no number
	}
	room := width - len(prefix) - len(suffix) - 1
	switch {
	case hasExponent:
		exponent = "e" + exponent
	case room > len(whole):
	default:
		exponent = "e" + strconv.Itoa(len(whole)-1)
		mantissa = whole[:1] + "." + whole[1:] + fraction
		whole = whole[:1]
	}
	if room -= len(exponent); room < len(whole) || whole == "0" && room < len(mantissa) && strings.Trim(mantissa[:room], "0.") == "" {
		return "…"
	}
	return prefix + mantissa[:min(room, len(mantissa))] + "…" + exponent + suffix
}
