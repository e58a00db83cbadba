package table

import (
	"strconv"
	"strings"
	"unicode"
)

// Cut shortens text to width, with an ellipsis in place of its end.
func Cut(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	room := width - 1
	for i, r := range text {
		if room -= runeWidth(r); room < 0 {
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
	for i, r := range text {
		if w <= width-1 {
			return "…" + text[i:]
		}
		w -= runeWidth(r)
	}
	return "…"
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

// Width returns how many characters of a terminal a printable text takes.
func Width(text string) int {
	n := 0
	for _, r := range text {
		n += runeWidth(r)
	}
	return n
}

// runeWidth returns how many characters of a terminal a printable rune takes:
// none for combining marks, two in scripts that are set in full width.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 ||
		r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 ||
		r >= 0xffe0 && r <= 0xffe6 || r >= 0x1f300 && r <= 0x1faff || r >= 0x20000 && r <= 0x3fffd):
		return 2
	}
	return 1
}
