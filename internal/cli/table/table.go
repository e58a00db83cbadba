package table

import (
	"io"
	"slices"
	"strings"
)

// Table is rows of text in aligned columns.
type Table struct {
	Indent  string
	Columns []Column
	Rows    [][]Cell
}

// Column is the title of a column, and what happens to it where a table is too
// wide for the screen.
type Column struct {
	Title    string
	Right    bool // aligned to the right, as numbers are
	MinWidth int  // the column may shrink to this; 0: it never shrinks
	CutFront bool // texts lose their start: their end says more
	Optional bool // left out where shrinking the others is not enough
	Wrap     bool // texts are not cut: they go on below, from word to word
}

// Cell is one text of a row.
type Cell struct {
	Text  string
	Style Style
	Cut   CutRule
}

// CutRule says how the text of a cell is cut to the width of its column.
type CutRule uint8

const (
	CutText     CutRule = iota // at its end, or as its column says
	CutDigits                  // to a number of the same size: see cutNumber
	CutMiddleOf                // in its middle
	CutItems                   // behind the last of its parts that has room: see cutItems
	NeverCut
)

// cut returns the text of a cell, cut to a width.
func (c *Cell) cut(width int) string {
	switch c.Cut {
	case NeverCut:
		return c.Text
	case CutDigits:
		return cutNumber(c.Text, width)
	case CutMiddleOf:
		return CutMiddle(c.Text, width)
	case CutItems:
		return cutItems(c.Text, width)
	}
	return Cut(c.Text, width)
}

// Add appends a row. Its values are strings or cells.
func (t *Table) Add(values ...any) {
	row := make([]Cell, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case string:
			row[i] = Cell{Text: Printable(v)}
		case Cell:
			row[i] = Cell{Printable(v.Text), v.Style, v.Cut}
		}
	}
	t.Rows = append(t.Rows, row)
}

// Total appends a row that adds up others.
func (t *Table) Total(texts ...string) {
	row := make([]Cell, len(texts))
	for i, text := range texts {
		row[i] = Bold.Cell(Printable(text))
	}
	t.Rows = append(t.Rows, row)
}

// Heading appends a line of text above the rows that follow, as wide as it is.
func (t *Table) Heading(text string) { t.Rows = append(t.Rows, []Cell{{Text: Printable(text)}}) }

// isHeading reports whether a row is one text across the columns.
func (t *Table) isHeading(row []Cell) bool { return len(row) < len(t.Columns) }

// Fits reports whether the screen has room for all columns at their MinWidth.
func (t *Table) Fits(screen Screen) bool {
	widths := t.widths()
	return screen.Width == 0 || t.lineWidth(func(i int) int { return t.minWidth(i, widths) }) <= screen.Width
}

// Render writes the table, cut to the width of the screen, and below it the titles of
// columns that found no room. Columns without any text are left out, and so is a table
// without rows. The writer keeps errors to itself, as bufio.Writer and strings.Builder do.
func (t *Table) Render(w io.StringWriter, screen Screen) {
	if len(t.Rows) == 0 {
		return
	}
	widths := t.widths()
	var hidden []string
	if screen.Width > 0 {
		hidden = t.shrink(widths, screen.Width)
	}
	titles := make([]Cell, len(t.Columns))
	titled := false
	for i, c := range t.Columns {
		titles[i] = Bold.Cell(c.Title)
		titled = titled || c.Title != ""
	}
	if titled {
		t.line(w, titles, widths, screen)
	}
	for _, row := range t.Rows {
		if t.isHeading(row) {
			w.WriteString(t.Indent + screen.Paint(row[0].Style, row[0].Text) + "\n")
			continue
		}
		for row != nil {
			row = t.line(w, row, widths, screen)
		}
	}
	if len(hidden) > 0 {
		w.WriteString(t.Indent + screen.Paint(Dim, "… "+Plural(int64(len(hidden)), "more column")+", with --wide: "+strings.Join(hidden, ", ")) + "\n")
	}
}

// widths returns the width of the widest cell of each column, and 0 for one that has
// nothing but a title.
func (t *Table) widths() []int {
	widths := make([]int, len(t.Columns))
	for _, row := range t.Rows {
		if t.isHeading(row) {
			continue
		}
		for i, c := range row {
			widths[i] = max(widths[i], Width(c.Text))
		}
	}
	for i, c := range t.Columns {
		if widths[i] > 0 {
			widths[i] = max(widths[i], Width(c.Title))
		}
	}
	return widths
}

// minWidth returns how far a column of this width may shrink.
func (t *Table) minWidth(column int, widths []int) int {
	if m := t.Columns[column].MinWidth; m > 0 {
		return min(m, widths[column])
	}
	return widths[column]
}

// shrink reduces widths until the table fits, if that is possible. First,
// optional columns go, from the right, while the others would not fit at their
// MinWidth; their titles are returned. Then the widest column loses a character at a
// time, down to its MinWidth, then below it.
func (t *Table) shrink(widths []int, width int) (hidden []string) {
	minWidth := func(i int) int { return t.minWidth(i, widths) }
	for i := len(widths) - 1; i >= 0 && t.lineWidth(minWidth) > width; i-- {
		if t.Columns[i].Optional && widths[i] > 0 {
			widths[i] = 0
			hidden = append(hidden, t.Columns[i].Title)
		}
	}
	slices.Reverse(hidden)
	current := func(i int) int { return widths[i] }
	belowMin := func(i int) int {
		if t.Columns[i].Wrap {
			return min(minWidth(i), 16) // for whole words
		}
		return min(minWidth(i), 4)
	}
	for _, floor := range [...]func(i int) int{minWidth, belowMin} {
		for excess := t.lineWidth(current) - width; excess > 0; excess-- {
			widest := -1
			for i, c := range t.Columns {
				if c.MinWidth > 0 && widths[i] > floor(i) && (widest < 0 || widths[i] > widths[widest]) {
					widest = i
				}
			}
			if widest < 0 {
				break
			}
			widths[widest]--
		}
	}
	return hidden
}

// lineWidth returns the width of a line whose columns have these widths.
func (t *Table) lineWidth(width func(i int) int) int {
	sum := Width(t.Indent) - 2
	for i := range t.Columns {
		if w := width(i); w > 0 {
			sum += w + 2
		}
	}
	return sum
}

// line writes a row, and returns what of it belongs below: nil, or the rest of texts that wrap.
func (t *Table) line(w io.StringWriter, row []Cell, widths []int, screen Screen) (below []Cell) {
	line := aligned{text: []byte(t.Indent)}
	for i, c := range row {
		if widths[i] == 0 {
			continue
		}
		if t.Columns[i].Wrap && widths[i] < Width(c.Text) {
			if below == nil {
				below = make([]Cell, len(row))
			}
			below[i] = c
			c.Text, below[i].Text = wrapped(c.Text, widths[i])
		}
		text := c.cut(widths[i])
		if c.Cut == CutText && t.Columns[i].CutFront {
			text = CutFront(c.Text, widths[i])
		}
		line.add(text, c.Style, screen, widths[i], t.Columns[i].Right)
	}
	w.WriteString(string(line.text) + "\n")
	return below
}

// aligned is a line of texts in columns.
type aligned struct {
	text   []byte
	spaces int // to write before the next text, so that no line ends in spaces
}

// add appends a text in a column of a width.
func (a *aligned) add(text string, style Style, screen Screen, width int, right bool) {
	padding := max(width-Width(text), 0)
	if right {
		a.spaces, padding = a.spaces+padding, 0
	}
	if text != "" {
		for range a.spaces {
			a.text = append(a.text, ' ')
		}
		a.text = append(a.text, screen.Paint(style, text)...)
		a.spaces = 0
	}
	a.spaces += padding + gap
}

// Style is how a text looks on a terminal that has colours: the code of its
// escape sequence.
type Style string

const (
	Plain  Style = ""
	Bold   Style = "1"
	Dim    Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
	Cyan   Style = "36"
)

// Cell returns a cell in this style.
func (s Style) Cell(text string) Cell { return Cell{Text: text, Style: s} }

// Screen is where tables are shown.
type Screen struct {
	Width   int // in characters; 0 for no limit, as in a pipe or a file
	Colours bool
}

// Paint returns text in a style, where there are colours.
func (s Screen) Paint(look Style, text string) string {
	if !s.Colours || look == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(look) + "m" + text + "\x1b[0m"
}
