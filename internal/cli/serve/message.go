package serve

import (
	"encoding/json"
	"html"
	"strings"
)

// join adds what a later message says, but for what becomes of pages meanwhile.
func (m *message) join(next *message) error {
	if next.Picture != nil {
		m.Picture = next.Picture
	}
	if next.Columns != nil {
		m.Columns = next.Columns
	}
	m.Rows = append(m.Rows, next.Rows...)
	m.Plan += next.Plan
	m.Error += next.Error
	m.Progress, m.Previous, m.Next = next.Progress, next.Previous, next.Next
	return nil
}

// table returns the rows as HTML, as the program of the page makes it.
func (m *message) table() string {
	if m.Columns == nil {
		return ""
	}
	var b strings.Builder
	cell := func(tag, class, text string) {
		b.WriteString("<" + tag)
		if class != "" {
			b.WriteString(` class="` + class + `"`)
		}
		b.WriteString(">" + html.EscapeString(text) + "</" + tag + ">")
	}
	class := func(c rowColumn) string {
		if c.Number {
			return "number"
		}
		return ""
	}
	b.WriteString("<tr>")
	for _, c := range m.Columns {
		cell("th", class(c), c.Name)
	}
	b.WriteString("</tr>\n")
	for _, row := range m.Rows {
		b.WriteString("<tr>")
		for i, text := range row {
			if text == nil {
				cell("td", "null", "NULL")
			} else {
				cell("td", class(m.Columns[i]), *text)
			}
		}
		b.WriteString("</tr>\n")
	}
	return b.String()
}

// message is a line of the answer of a run. Each has some of these.
type message struct {
	Plan     string          `json:"plan,omitempty"`
	Picture  json.RawMessage `json:"picture,omitempty"`
	Columns  []rowColumn     `json:"columns,omitempty"`
	Rows     [][]*string     `json:"rows,omitempty"`  // nil: NULL
	Pages    [][3]int        `json:"pages,omitempty"` // column, page of the column, fate
	Progress string          `json:"progress,omitempty"`
	Error    string          `json:"error,omitempty"`

	Previous string `json:"previous,omitempty"` // addresses of the pages of rows beside this one
	Next     string `json:"next,omitempty"`
}

type rowColumn struct {
	Name   string `json:"name"`
	Number bool   `json:"number"`
}
