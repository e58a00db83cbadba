package table

import (
	"strconv"
	"strings"
)

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
