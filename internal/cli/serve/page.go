package serve

import (
	_ "embed"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"strings"
)

// page writes the page with the rows of its address, so that it needs no program to be read. What
// its program shows beside them is in the page, too.
func (s *server) page(w http.ResponseWriter, r *http.Request) {
	query, err := servedQueryOf(r.URL.Query())
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
	}
	before, answer, _ := strings.Cut(servePage, "<!--answer-->")
	fields := strings.NewReplacer("{file}", html.EscapeString(query.file), "{where}", html.EscapeString(query.where), "{columns}", html.EscapeString(query.columns),
		"{name}", html.EscapeString(query.file), "{hidden}", "", "{files}", `<li><a href="?">all files</a></li>`)
	if query.file == "" {
		fields = strings.NewReplacer("{file}", "", "{where}", "", "{columns}", "", "{name}", "Choose a file", "{hidden}", "hidden", "{files}", s.links())
	}
	fields.WriteString(w, before)
	all := &message{}
	if err != nil || query.file != "" {
		http.NewResponseController(w).Flush() // a scan may take long
		s.tell(r.Context(), query, err, all.join)
	}
	rows := all.table()
	all.Columns, all.Rows = nil, nil // which the table has
	told, err := json.Marshal(all)
	if err != nil {
		return // no text of ours fails
	}
	strings.NewReplacer("{error}", html.EscapeString(all.Error), "{progress}", html.EscapeString(all.Progress), "{previous}", link(all.Previous), "{next}", link(all.Next),
		"{rows}", rows, "{told}", string(told)).WriteString(w, answer)
}

// links returns the first files of the folder, for browsers that run no program.
func (s *server) links() string {
	const most = 2000 // as many as the program shows
	names, err := s.list()
	if err != nil {
		return "<li>" + html.EscapeString(err.Error()) + "</li>"
	}
	var b strings.Builder
	for _, name := range names[:min(len(names), most)] {
		b.WriteString("<li><a " + link("?"+url.Values{"file": {name}}.Encode()) + ">" + html.EscapeString(name) + "</a></li>")
	}
	return b.String()
}

// link returns the attribute of a link to an address, or that which hides it.
func link(address string) string {
	if address == "" {
		return "hidden"
	}
	return `href="` + html.EscapeString(address) + `"`
}

//go:embed page.html
var servePage string

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
