package table

import "strings"

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
