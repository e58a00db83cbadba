package cli

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// style is how a cell looks on a terminal that has colours.
type style string

const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	cyan   style = "36"
)

func (s style) paint(text string, colours bool) string {
	if !colours || s == plain || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// table is rows of text in aligned columns.
type table struct {
	indent  string
	columns []tableColumn
	rows    [][]cell
	uncut   bool // what is wider than its column stands in it all the same
}

type tableColumn struct {
	title string
	right bool // numbers
	least int  // if the table is too wide it is cut down to this; 0 for never
	front bool // cut at the front: the end says more
	spare bool // left out of a table that is too wide even so
	whole bool // never cut down to less than its least
}

type cell struct {
	text     string
	style    style
	ellipsis ellipsis
}

// ellipsis says where "…" stands for what has no room.
type ellipsis uint8

const (
	atTheEnd ellipsis = iota
	inNumber          // so that no other number is left: see cutNumber
	nowhere           // nothing is cut
)

// add appends a row. Its values are strings or cells.
func (t *table) add(values ...any) {
	row := make([]cell, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case string:
			row[i] = cell{text: printable(v)}
		case cell:
			row[i] = cell{printable(v.text), v.style, v.ellipsis}
		}
	}
	t.rows = append(t.rows, row)
}

// render writes the table, cut to width if that is not 0. Columns that hold
// nothing are left out.
func (t *table) render(b *strings.Builder, width int, colours bool) {
	if len(t.rows) == 0 {
		return
	}
	widths := t.contents()
	for i, c := range t.columns {
		if widths[i] > 0 {
			widths[i] = max(widths[i], textWidth(c.title))
		}
	}
	if width > 0 {
		t.shrink(widths, width)
	}
	titles := make([]cell, len(t.columns))
	titled := false
	for i, c := range t.columns {
		titles[i] = cell{text: c.title, style: bold}
		titled = titled || c.title != ""
	}
	if titled {
		t.line(b, titles, widths, colours)
	}
	for _, row := range t.rows {
		t.line(b, row, widths, colours)
	}
}

// contents returns how wide the cells of each column are, without its title.
func (t *table) contents() []int {
	widths := make([]int, len(t.columns))
	for _, row := range t.rows {
		for i, c := range row {
			widths[i] = max(widths[i], textWidth(c.text))
		}
	}
	return widths
}

// shrink makes the table fit, if it can: without its spare columns, from the
// right, where cutting the others to their least would not do; then by taking
// from the widest. In the end that may be less than their least, but for columns
// that are whole.
func (t *table) shrink(widths []int, width int) {
	least := func(i int) int {
		if l := t.columns[i].least; l > 0 {
			return min(l, widths[i])
		}
		return widths[i]
	}
	for i := len(widths) - 1; i >= 0 && t.total(least) > width; i-- {
		if t.columns[i].spare {
			widths[i] = 0
		}
	}
	now := func(i int) int { return widths[i] }
	narrow := func(i int) int {
		if t.columns[i].whole {
			return least(i)
		}
		return min(least(i), 4)
	}
	for _, floor := range [...]func(i int) int{least, narrow} {
		for excess := t.total(now) - width; excess > 0; excess-- {
			widest := -1
			for i, c := range t.columns {
				if c.least > 0 && widths[i] > floor(i) && (widest < 0 || widths[i] > widths[widest]) {
					widest = i
				}
			}
			if widest < 0 {
				break
			}
			widths[widest]--
		}
	}
}

// total is the width of a line whose columns have these widths.
func (t *table) total(width func(i int) int) int {
	sum := textWidth(t.indent) - 2
	for i := range t.columns {
		if w := width(i); w > 0 {
			sum += w + 2
		}
	}
	return sum
}

func (t *table) line(b *strings.Builder, row []cell, widths []int, colours bool) {
	b.WriteString(t.indent)
	space := 0 // owed before the next text, so that no line ends in spaces
	first := true
	for i, c := range row {
		if widths[i] == 0 {
			continue
		}
		if !first {
			space += 2
		}
		first = false
		text := c.text
		switch {
		case t.uncut || c.ellipsis == nowhere:
		case c.ellipsis == inNumber:
			text = cutNumber(text, widths[i])
		case t.columns[i].front:
			text = cutFront(text, widths[i])
		default:
			text = cut(text, widths[i])
		}
		fill := max(widths[i]-textWidth(text), 0)
		if t.columns[i].right {
			space += fill
			fill = 0
		}
		if text != "" {
			writeSpaces(b, space)
			b.WriteString(c.style.paint(text, colours))
			space = 0
		}
		space += fill
	}
	b.WriteByte('\n')
}

func writeSpaces(b *strings.Builder, n int) {
	for range n {
		b.WriteByte(' ')
	}
}

// cut shortens text to width, with an ellipsis where something is missing.
func cut(text string, width int) string {
	if textWidth(text) <= width {
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

// cutFront is cut at the front.
func cutFront(text string, width int) string {
	wide := textWidth(text)
	if wide <= width {
		return text
	}
	for i, r := range text {
		if wide <= width-1 {
			return "…" + text[i:]
		}
		wide -= runeWidth(r)
	}
	return "…"
}

// cutNumber shortens a number to one that is as large, to fewer digits. Where not
// even one has room, nothing is left that could be taken for a number.
//
//	3.14159      in 5   3.14…
//	-1.25e+300   in 9   -1.…e+300
//	1234567890   in 8   1.234…e9
//	(1234567~)   in 8   (1.…e6~)
func cutNumber(text string, width int) string {
	if textWidth(text) <= width {
		return text
	}
	digits := strings.TrimLeft(text, "(-")
	front := text[:len(text)-len(digits)]
	digits = strings.TrimRight(digits, "~)")
	behind := text[len(front)+len(digits):]
	mantissa, exponent, hasExponent := strings.Cut(digits, "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return cut(text, width) // NaN, or bytes that are no number
	}
	room := width - len(front) - len(behind) - 1
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
	return front + mantissa[:min(room, len(mantissa))] + "…" + exponent + behind
}

func textWidth(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// runeWidth is the number of terminal cells of a printable rune: none for
// marks that combine, two for the scripts that are set in full width.
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

// printable escapes what would not show, or would steer the terminal: names
// and values come from files that anyone may have made.
func printable(s string) string {
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
	for i, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			b.WriteString(`\x` + hexByte(s[i]))
		case r < 0x80 && !unicode.IsPrint(r):
			b.WriteString(`\x` + hexByte(byte(r)))
		case !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r):
			b.WriteString(`\u{` + hexRune(r) + `}`)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

const hexDigits = "0123456789abcdef"

func hexByte(c byte) string { return string([]byte{hexDigits[c>>4], hexDigits[c&15]}) }

func hexRune(r rune) string {
	s := ""
	for ; r > 0; r >>= 4 {
		s = string(hexDigits[r&15]) + s
	}
	return s
}
