package picture

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"

	"github.com/winnow-scan/winnow/internal/cli/table"
)

// colours are those of page.css on white, by name. They tell classes of pages apart for people
// who see red and green as one, and in print.
var colours = coloursOf(Style)

// coloursOf returns the variables of a style sheet that are colours. Of those that it has twice,
// the first counts: the other is for dark screens.
func coloursOf(css string) map[string]string {
	found := map[string]string{}
	for _, m := range regexp.MustCompile(`--([a-z]+): (#[0-9a-f]{6});`).FindAllStringSubmatch(css, -1) {
		if _, before := found[m[1]]; !before {
			found[m[1]] = m[2]
		}
	}
	return found
}

// Measures of a drawing, in pixels.
const (
	svgWidth  = 1200
	svgGutter = 210 // for names
	svgBand   = 26  // the pages of a column
	svgPitch  = 38  // from one column to the next: its pages, its dictionaries, a gap
	svgStrip  = 16  // a condition
	svgMargin = 12
)

// Colours of texts, in quotes.
var ink, quiet = `"` + colours["text"] + `"`, `"` + colours["quiet"] + `"`

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
	legend := slices.DeleteFunc(p.fates(), func(f fateData) bool { return f.Bytes == 0 })
	top := 94 + len(p.Conditions)*svgStrip
	bottom := top + len(shown)*svgPitch
	height := bottom + 20*len(legend) + 2*svgMargin
	if len(p.Conditions) > 0 {
		height += 20
	}
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="system-ui, sans-serif" font-size="12">`+"\n", svgWidth, height)
	d.WriteString(`<rect width="100%" height="100%" fill="` + colours["back"] + `"/>` + "\n")
	d.text(svgMargin, 22, ink+` font-size="16" font-weight="600"`, p.File, (svgWidth-2*svgMargin)*3/4)
	facts := table.Plural(p.Rows, "row") + ", " + table.Number(p.MayPass) + " may pass by metadata"
	if p.Returned != NotRun {
		facts += ", " + table.Number(p.Returned) + " returned"
	}
	facts += "; " + table.Plural(int64(len(p.Groups)), "row group") + ", " + table.Size(p.Size)
	y := 40
	if p.Where != "" {
		d.text(svgMargin, y, ink, "WHERE "+p.Where, svgWidth-2*svgMargin)
		y += 18
	}
	d.text(svgMargin, y, quiet, facts, svgWidth-2*svgMargin)
	for i := range p.Groups {
		if g := &p.Groups[i]; g.Rows > 0 {
			x := d.x(g.Row)
			fmt.Fprintf(d, `<path d="M%.1f 72V%d" stroke="%s"/>`+"\n", x, bottom, colours["line"])
			if wide := d.x(g.Row+g.Rows) - x; wide > 90 {
				d.text(int(x)+4, 82, quiet, "row group "+strconv.Itoa(i), 90)
			} else if wide > 30 {
				d.text(int(x)+4, 82, quiet, strconv.Itoa(i), 30)
			}
		}
	}
	for i := range p.Conditions {
		d.condition(&p.Conditions[i], 88+i*svgStrip)
	}
	for i, c := range shown {
		d.column(c, top+i*svgPitch)
	}
	for i, line := range legend {
		y := bottom + 16 + 20*i
		d.legend(svgGutter, y, line.Class, line.Name+": "+line.String(), svgWidth-svgGutter-20)
	}
	if len(p.Conditions) > 0 {
		y := bottom + 16 + 20*len(legend)
		d.legend(svgGutter, y, "none", "condition, by metadata: no row passes", 290)
		d.legend(svgGutter+270, y, "open", "must be tested", 290)
		d.legend(svgGutter+400, y, "all", "all rows pass", 290)
	}
	d.WriteString("</svg>\n")
	return d.Flush()
}

// legend writes what the colour of a class means.
func (d *drawing) legend(x, y int, class, text string, width int) {
	fmt.Fprintf(d, `<rect x="%d" y="%d" width="12" height="12" fill="%s"/>`+"\n", x, y, colours[class])
	d.text(x+20, y+10, ink, text, width)
}

// x returns where a row is.
func (d *drawing) x(row int64) float64 {
	return svgGutter + float64(row)/float64(max(d.p.Rows, 1))*(svgWidth-svgGutter-svgMargin)
}

func (d *drawing) condition(c *Condition, y int) {
	d.text(svgMargin, y+11, ink, c.Text, svgGutter-2*svgMargin)
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
	const room = svgGutter - 2*svgMargin
	d.text(svgMargin, y+svgBand-4, ink, table.CutFront(c.Name, letters(room)), room)
	fmt.Fprintf(d, `<path d="M%d %.1fH%d" stroke="%s"/>`+"\n", svgGutter, float64(y+svgBand)+0.5, svgWidth-svgMargin, colours["line"])
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
		high := max(3, float64(svgBand)*float64(p.Bytes)/float64(d.largest))
		at, name := float64(y+svgBand)-high, c.Name+", page "+strconv.Itoa(p.Number)
		if p.Number == WholeChunk {
			name = c.Name + ", all pages"
		}
		if p.Kind == Dictionary {
			at, high, name = float64(y+svgBand+2), 3, c.Name+", dictionary"
		}
		if same > 0 {
			name += " and " + strconv.Itoa(same) + " more"
		}
		fmt.Fprintf(d, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"><title>`, left, at, max(wide, 0.3), high, colours[fates[p.Fate].Class])
		d.escaped(name + ": " + p.Fate.String() + ", rows " + table.Number(p.Row) + "–" + table.Number(p.Row+max(p.Rows-1, 0)) + ", " + table.Size(p.Bytes))
		if p.Min != "" || p.Max != "" {
			d.escaped(", values " + p.Min + " … " + p.Max)
		}
		d.WriteString("</title></rect>\n")
	}
}

// letters returns about how many letters a width of pixels has room for.
func letters(width int) int { return width / 7 }

// text writes a line of text, cut to about width pixels. fill is the colour, in quotes, and
// further attributes.
func (d *drawing) text(x, y int, fill, text string, width int) {
	fmt.Fprintf(d, `<text x="%d" y="%d" fill=%s>`, x, y, fill)
	d.escaped(table.Cut(text, letters(width)))
	d.WriteString("</text>\n")
}

// escaped writes text that no reader of XML takes for markup, nor refuses.
func (d *drawing) escaped(text string) { _ = xml.EscapeText(d, []byte(text)) } // Flush returns the error
