package picture

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// colours of classes in a drawing, which tell apart for people who see red and green as
// one, on white and in print.
var colours = map[string]string{
	"decoded": "#d55e00", "unpacked": "#e69f00", "header": "#f0e442", "dictionary": "#cc79a7",
	"statistics": "#0072b2", "index": "#56b4e9", "bloom": "#009e73", "proven": "#7a8793", "dropped": "#b9c1ca", "other": "#e8ebee",
	"none": "#0072b2", "open": "#e69f00", "all": "#009e73",
}

// Measures of a drawing, in pixels.
const (
	svgWidth  = 1200
	svgGutter = 210 // for names
	svgBand   = 30  // a column
	svgStrip  = 16  // a condition
	svgMargin = 12
)

// drawing writes an SVG, and keeps the first error.
type drawing struct {
	*bufio.Writer
	p       *Picture
	largest int64 // bytes of a page
}

// SVG writes the picture as a drawing: columns that the scan uses, or all if it uses none.
// Neighbouring pages too narrow to be seen become one cell.
func (p *Picture) SVG(w io.Writer) error {
	d := &drawing{Writer: bufio.NewWriter(w), p: p, largest: 1}
	var shown []*Column
	for i := range p.Columns {
		c := &p.Columns[i]
		if c.Use != "" {
			shown = append(shown, c)
		}
		for k := range c.Pages {
			if c.Pages[k].Kind == Data {
				d.largest = max(d.largest, c.Pages[k].Bytes)
			}
		}
	}
	if shown == nil {
		for i := range p.Columns {
			shown = append(shown, &p.Columns[i])
		}
	}
	legend := d.legend()
	top := 74 + len(p.Conditions)*svgStrip
	height := top + len(shown)*(svgBand+6) + 20*len(legend) + 2*svgMargin
	if len(p.Conditions) > 0 {
		height += 20
	}
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="system-ui, sans-serif" font-size="12">`+"\n", svgWidth, height)
	d.WriteString(`<rect width="100%" height="100%" fill="#ffffff"/>` + "\n")
	d.text(svgMargin, 22, "#1b1f24", p.File, svgWidth-2*svgMargin)
	d.text(svgMargin, 40, "#667080", p.Where, svgWidth-2*svgMargin)
	for i := range p.Groups {
		if g := &p.Groups[i]; g.Rows > 0 {
			x := d.x(g.Row)
			fmt.Fprintf(d, `<path d="M%.1f 52V%d" stroke="#d5dae0"/>`+"\n", x, top+len(shown)*(svgBand+6))
			if d.x(g.Row+g.Rows)-x > 90 {
				d.text(int(x)+4, 62, "#667080", "row group "+strconv.Itoa(i), 90)
			}
		}
	}
	for i := range p.Conditions {
		d.condition(&p.Conditions[i], 70+i*svgStrip)
	}
	for i, c := range shown {
		d.column(c, top+i*(svgBand+6))
	}
	for i, line := range legend {
		y := top + len(shown)*(svgBand+6) + 16 + 20*i
		fmt.Fprintf(d, `<rect x="%d" y="%d" width="12" height="12" fill="%s"/>`+"\n", svgGutter, y, colours[line.Class])
		d.text(svgGutter+20, y+10, "#1b1f24", line.Name+": "+strconv.FormatInt(line.Pages, 10)+" pages, "+strconv.FormatInt(line.Bytes, 10)+" bytes", svgWidth-svgGutter-20)
	}
	if len(p.Conditions) > 0 {
		y := top + len(shown)*(svgBand+6) + 16 + 20*len(legend)
		for i, c := range []struct{ class, text string }{{"none", "condition: no row passes"}, {"open", "must be tested"}, {"all", "all rows pass"}} {
			x := svgGutter + 220*i
			fmt.Fprintf(d, `<rect x="%d" y="%d" width="12" height="12" fill="%s"/>`+"\n", x, y, colours[c.class])
			d.text(x+20, y+10, "#1b1f24", c.text, 200)
		}
	}
	d.WriteString("</svg>\n")
	return d.Flush()
}

// legend returns the fates that pages have.
func (d *drawing) legend() (lines []fateData) {
	for f, t := range d.p.Totals() {
		if t.Bytes > 0 {
			lines = append(lines, fateData{fates[f].Name, fates[f].Class, t.Pages, t.Bytes})
		}
	}
	return lines
}

// x returns where a row is.
func (d *drawing) x(row int64) float64 {
	return svgGutter + float64(row)/float64(max(d.p.Rows, 1))*(svgWidth-svgGutter-svgMargin)
}

func (d *drawing) condition(c *Condition, y int) {
	d.text(svgMargin, y+11, "#1b1f24", c.Text, svgGutter-2*svgMargin)
	bar := func(r Range, class string) {
		fmt.Fprintf(d, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", d.x(r.From), y+2, max(d.x(r.To)-d.x(r.From), 0.3), svgStrip-6, colours[class])
	}
	bar(Range{0, d.p.Rows}, "open")
	for _, r := range c.None {
		bar(r, "none")
	}
	for _, r := range c.All {
		bar(r, "all")
	}
}

func (d *drawing) column(c *Column, y int) {
	d.text(svgMargin, y+svgBand-8, "#1b1f24", c.Name, svgGutter-2*svgMargin)
	fmt.Fprintf(d, `<path d="M%d %.1fH%d" stroke="#d5dae0"/>`+"\n", svgGutter, float64(y+svgBand)+0.5, svgWidth-svgMargin)
	for i := 0; i < len(c.Pages); i++ {
		p := c.Pages[i]
		if p.Kind == Between {
			continue
		}
		same := 0 // further pages that cannot be told from this one
		for i+1 < len(c.Pages) && p.Kind == Data && c.Pages[i+1].Kind == Data && c.Pages[i+1].Fate == p.Fate &&
			d.x(c.Pages[i+1].Row+c.Pages[i+1].Rows)-d.x(p.Row) < 0.5 {
			i++
			next := &c.Pages[i]
			p.Rows, p.Bytes = next.Row+next.Rows-p.Row, max(p.Bytes, next.Bytes)
			same++
		}
		left, wide := d.x(p.Row), d.x(p.Row+p.Rows)-d.x(p.Row)
		if wide > 3 {
			wide-- // a gap between neighbours
		}
		high := max(3, float64(svgBand-6)*float64(p.Bytes)/float64(d.largest))
		at, name := float64(y+svgBand)-high, c.Name+", page "+strconv.Itoa(p.Number)
		if p.Kind == Dictionary {
			at, high, name = float64(y), 3, c.Name+", dictionary"
		}
		if same > 0 {
			name += " and " + strconv.Itoa(same) + " more"
		}
		fmt.Fprintf(d, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"><title>`, left, at, max(wide, 0.3), high, colours[fates[p.Fate].Class])
		d.escaped(name + ": " + p.Fate.String() + ", rows " + strconv.FormatInt(p.Row, 10) + "–" + strconv.FormatInt(p.Row+max(p.Rows-1, 0), 10) + ", " + strconv.FormatInt(p.Bytes, 10) + " bytes")
		if p.Min != "" || p.Max != "" {
			d.escaped(", values " + p.Min + " … " + p.Max)
		}
		d.WriteString("</title></rect>\n")
	}
}

// text writes a line of text, cut to about width pixels.
func (d *drawing) text(x, y int, colour, text string, width int) {
	const letter = 7 // pixels, about
	if most := width / letter; utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:max(most-1, 0)]) + "…"
	}
	fmt.Fprintf(d, `<text x="%d" y="%d" fill="%s">`, x, y, colour)
	d.escaped(text)
	d.WriteString("</text>\n")
}

// escaped writes text that no reader of XML takes for markup, nor refuses.
func (d *drawing) escaped(text string) {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError || r == 0xfffe || r == 0xffff {
			return '�'
		}
		return r
	}, text)
	d.WriteString(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(text))
}
