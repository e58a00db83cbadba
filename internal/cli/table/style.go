package table

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
