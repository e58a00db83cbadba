package picture

import (
	_ "embed"
	"encoding/json"
	"io"
	"strings"
)

//go:embed page.html
var pageHTML string

// Style and Script are those of a page of HTML. The script is a function pageMap, which shows
// the JSON of a Picture in a page with the elements of page.html.
var (
	//go:embed page.css
	Style string
	//go:embed page.js
	Script string
)

// columns is a Column as lists, which are shorter than a list of pages.
type columns struct {
	Name, Type, Use   string
	Kind, Fate, Group []int
	Number, Nulls     []int64
	Row, Rows         []int64
	Offset, Bytes     []int64
	Guessed           []int
	Min, Max          []string
}

// data is what the program of the page gets.
type data struct {
	*Picture
	Columns []columns
	Fates   []fateData
}

type fateData struct {
	Name, Class string
	Total
}

// fates returns all fates, with the sums over their pages.
func (p *Picture) fates() (all []fateData) {
	for f, t := range p.Totals() {
		all = append(all, fateData{fates[f].Name, fates[f].Class, t})
	}
	return all
}

// HTML writes the picture as a page that needs nothing but itself.
func (p *Picture) HTML(w io.Writer) error {
	js, err := p.JSON() // which escapes <, > and &: no text of a file ends the script
	if err != nil {
		return err
	}
	_, err = strings.NewReplacer("/*CSS*/", Style, "/*JS*/", Script, "{}/*DATA*/", string(js)).WriteString(w, pageHTML)
	return err
}

// JSON returns the picture as the program of the page takes it.
func (p *Picture) JSON() ([]byte, error) { return json.Marshal(p.data()) }

func (p *Picture) data() *data {
	d := &data{Picture: p, Fates: p.fates()}
	for i := range p.Columns {
		c := &p.Columns[i]
		l := columns{Name: c.Name, Type: c.Type, Use: c.Use}
		for k := range c.Pages {
			g := &c.Pages[k]
			l.Kind, l.Fate, l.Group = append(l.Kind, int(g.Kind)), append(l.Fate, int(g.Fate)), append(l.Group, g.Group)
			l.Number, l.Nulls = append(l.Number, int64(g.Number)), append(l.Nulls, g.Nulls)
			l.Row, l.Rows = append(l.Row, g.Row), append(l.Rows, g.Rows)
			l.Offset, l.Bytes = append(l.Offset, g.Offset), append(l.Bytes, g.Bytes)
			l.Min, l.Max = append(l.Min, g.Min), append(l.Max, g.Max)
			if g.Guessed {
				l.Guessed = append(l.Guessed, k)
			}
		}
		d.Columns = append(d.Columns, l)
	}
	return d
}
