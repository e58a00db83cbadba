package table

import (
	"strings"
)

// rowColumn is a column of a table of rows, and how wide it is.
type rowColumn struct {
	title   string
	right   bool // its values are numbers, read from their last digit
	whole   bool // its values are never cut: numbers, dates, times, keys
	content int  // the width of its widest value
	width   int  // on the screen; 0: the column has no room
}

const (
	usefulText  = 16 // texts are not cut to less to make room for other columns
	usefulTitle = 16 // nor a line of a title
	shortTitle  = 8  // titles up to this length stay on one line
)

// full returns the width that shows everything in one line.
func (c *rowColumn) full() int { return max(c.content, Width(c.title), 1) }

// useful returns the least width at which the column is worth its place: numbers
// are whole, texts and titles, on two lines, long enough to be told apart.
func (c *rowColumn) useful() int {
	content := c.content
	if !c.whole {
		content = min(content, usefulText)
	}
	title := Width(c.title)
	if title > shortTitle {
		top, bottom := twoLines(c.title)
		title = min(max(Width(top), Width(bottom)), usefulTitle)
	}
	return max(content, title, 1)
}

const gap = 2 // spaces between columns

// fit gives columns their widths on a screen, and returns how many of them have
// room, from the left. What is left of the screen goes to the titles, if it puts
// all of them on one line, then to the texts that are cut.
func fit(columns []*rowColumn, screen int) (shown int) {
	need := -gap
	for _, c := range columns {
		c.width = c.full()
		need += c.width + gap
	}
	if screen == 0 || need <= screen {
		return len(columns)
	}
	room := screen + gap
	for _, c := range columns {
		useful := c.useful() + gap
		if useful > room && shown > 0 {
			break
		}
		shown++
		room -= useful
		c.width = c.useful()
	}
	for _, c := range columns[shown:] {
		c.width = 0
	}
	if c := columns[0]; shown == 1 && room < 0 && !c.whole {
		c.width = max(screen, 1)
	}
	columns = columns[:shown]
	need = 0
	for _, c := range columns {
		need += max(Width(c.title)-c.width, 0)
	}
	if need <= room {
		room -= widenTitles(columns, room)
	}
	room -= widenTexts(columns, room)
	widenTitles(columns, room)
	return shown
}

// widenTitles gives room to titles that are wider than their columns, from the
// left, and returns how much of it.
func widenTitles(columns []*rowColumn, room int) (given int) {
	for _, c := range columns {
		if more := Width(c.title) - c.width; more > 0 && more <= room-given {
			c.width += more
			given += more
		}
	}
	return given
}

// widenTexts gives room to texts that are cut, a character at a time to the
// narrowest of them, and returns how much of it.
func widenTexts(columns []*rowColumn, room int) (given int) {
	for ; given < room; given++ {
		var narrowest *rowColumn
		for _, c := range columns {
			if c.width < c.content && (narrowest == nil || c.width < narrowest.width) {
				narrowest = c
			}
		}
		if narrowest == nil {
			break
		}
		narrowest.width++
	}
	return given
}

// twoLines divides a title where the longer of its two parts is the shortest:
// behind a separator, or before a capital letter that follows a small one. A title
// of one word has the empty string above it.
//
//	extended_    lineItem
//	price        Count
func twoLines(title string) (top, bottom string) {
	bottom = title
	longest := Width(title)
	for i := 1; i < len(title); i++ {
		separated := strings.IndexByte("_ .-/:", title[i-1]) >= 0
		capital := title[i-1] >= 'a' && title[i-1] <= 'z' && title[i] >= 'A' && title[i] <= 'Z'
		if !separated && !capital {
			continue
		}
		if longer := max(Width(title[:i]), Width(title[i:])); longer < longest {
			top, bottom, longest = title[:i], title[i:], longer
		}
	}
	return strings.TrimRight(top, " "), bottom
}

const (
	maxRecordTitle = 40 // longer titles are cut in their middle
	minRecordValue = 20 // columns of the screen that a value has at least
)

// record writes the columns of a row one below the other. A value that does not
// fit goes on in the lines below.
//
//	— row 2 —
//	order_id  1001
//	customer  {"name":"plain valve","address":{"city":"Turku",
//	          "zip":"93605"}}
func (w *RowTable) record(row []Cell) error {
	w.records++
	return w.below("row "+Number(w.records), w.columns, row)
}

// below writes cells, one for each of some columns, one below the other.
func (w *RowTable) below(heading string, columns []*rowColumn, row []Cell) error {
	w.out.Buf = append(w.out.Buf, w.screen.Paint(Dim, "— "+heading+" —")+"\n"...)
	titles := 0
	for _, c := range w.columns {
		titles = max(titles, min(Width(c.title), maxRecordTitle))
	}
	room := 0
	if w.screen.Width > 0 {
		titles = min(titles, max(w.screen.Width-gap-minRecordValue, 4))
		room = max(w.screen.Width-gap-titles, minRecordValue)
	}
	for i, c := range columns {
		title := c.title
		if room > 0 {
			title = CutMiddle(title, titles)
		}
		padding := strings.Repeat(" ", max(titles-Width(title), 0)+gap)
		if row[i].Text == "" {
			padding = ""
		}
		w.out.Buf = append(w.out.Buf, w.screen.Paint(Bold, title)+padding...)
		for rest, first := row[i].Text, true; first || rest != ""; first = false {
			part := rest
			if part, rest = rest, ""; room > 0 {
				part, rest = splitNicely(part, room)
			}
			if !first {
				w.out.Buf = append(w.out.Buf, strings.Repeat(" ", titles+gap)...)
			}
			w.out.Buf = append(w.out.Buf, w.screen.Paint(row[i].Style, strings.TrimRight(part, " "))+"\n"...)
		}
	}
	return w.out.Break()
}

// splitNicely divides text behind the last space or comma in the second half of
// the room, if it does not fit.
func splitNicely(text string, room int) (front, rest string) {
	front, rest = split(text, room)
	if front == "" && rest != "" { // one character wider than the room
		size, _ := cluster(text)
		return text[:size], text[size:]
	}
	if i := strings.LastIndexAny(front, " ,") + 1; rest != "" && i > len(front)/2 {
		return text[:i], text[i:]
	}
	return front, rest
}
