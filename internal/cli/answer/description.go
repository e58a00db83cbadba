package answer

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/summary"
	"github.com/winnow-scan/winnow/internal/cli/table"
)

func (d *description) finish() error {
	for i, t := range d.tables {
		if d.r.Tables() {
			if i > 0 {
				d.r.Blank()
			}
			d.print(t)
			continue
		}
		d.r.Record("kind", "table", "files", t.files, "rows", t.Rows, "columns", len(t.Columns))
		for _, c := range t.Columns {
			d.r.Record(recordOf(c)...)
		}
	}
	return nil
}

const (
	topValues  = 5  // in JSON records
	shownTop   = 3  // in tables
	parts      = 32 // of a histogram in JSON records, at most
	shownParts = 12 // in tables
	minTop     = 0.01
	maxTopText = 24
)

// typeName returns the type of a column, with what its file's Arrow schema adds.
func typeName(c *summary.Column) string { return cmp.Or(c.Stored.Annotation(c.Type), c.Type.String()) }

// recordOf is the record of a column. help names its keys, and tests hold each against rows.
func recordOf(c *summary.Column) output.Members {
	v := output.NewValuer(c.Type)
	negative, positive := c.Infinite()
	distinct, exact := c.Distinct()
	rec := output.Members{"kind", "column", "column", schema.FormatPath(c.Path), "type", typeName(c), "slots", c.Slots, "nulls", c.Nulls, "nans", output.OmitZero(c.NaNs),
		"negative_infinities", output.OmitZero(negative), "infinities", output.OmitZero(positive), "distinct", distinct, "exact", exact}
	if least, most, ok := c.Extremes(); ok {
		rec = append(rec, "min", v.JSON(least), "max", v.JSON(most))
	}
	if mean, plain := meanOf(c); plain != nil {
		rec = append(rec, "mean", v.JSON(plain))
	} else if mean != "" {
		rec = append(rec, "mean", json.RawMessage(mean))
	}
	var top []output.Members
	for _, f := range c.Top(topValues) {
		top = append(top, output.Members{"value", v.JSON(f.Plain), "count", f.Count})
	}
	rec = append(rec, "top", output.If(top != nil, top))
	if h := c.Histogram(parts); h != nil {
		var counts []int64
		for _, n := range h.Counts {
			counts = append(counts, int64(math.Round(n)))
		}
		var bounds []json.RawMessage
		for _, plain := range h.Bounds {
			bounds = append(bounds, v.JSON(plain))
		}
		rec = append(rec, "histogram", counts, "histogram_bounds", output.If(bounds != nil, bounds))
	}
	return rec
}

// meanOf returns the mean as a number or, of moments, as a value in the PLAIN encoding.
func meanOf(c *summary.Column) (number string, plain []byte) {
	if table.IsMoment(c.Type) {
		return "", c.WholeMean()
	}
	mean, ok := c.Mean()
	if !ok {
		return "", nil
	}
	if c.Type.Logical == vector.Decimal {
		mean /= math.Pow(10, float64(c.Type.Scale))
	}
	return formatMean(mean), nil
}

// formatMean writes a number with eight digits, and without an exponent where that is not long.
func formatMean(x float64) string {
	size := math.Abs(x)
	if size < 1e-4 && x != 0 || size >= 1e15 {
		return strconv.FormatFloat(x, 'g', 8, 64)
	}
	digits := 7
	for ; size >= 10 && digits > 0; size /= 10 {
		digits--
	}
	text := strconv.FormatFloat(x, 'f', digits, 64)
	if digits > 0 {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

func (d *description) print(t *described) {
	name := t.first
	if t.files > 1 {
		name = table.Plural(int64(t.files), "file")
	}
	d.r.Heading(name, table.Plural(t.Rows, "row")+", "+table.Plural(int64(len(t.Columns)), "column"))
	out := &table.Table{Columns: []table.Column{
		{Title: "column", MinWidth: 12, CutFront: true}, {Title: "type", MinWidth: 8, Optional: true}, {Title: "nulls", Right: true}, {Title: "NaN", Right: true},
		{Title: "infinite", Right: true}, {Title: "distinct", Right: true}, {Title: "min", MinWidth: 11}, {Title: "mean", MinWidth: 11, Optional: true},
		{Title: "max", MinWidth: 11}, {Title: "values", MinWidth: shownParts},
	}}
	minColumn, maxColumn := &out.Columns[6], &out.Columns[8]
	for _, c := range t.Columns {
		nulls := "0"
		if c.Nulls > 0 {
			nulls = shareOf(c.Nulls, c)
		}
		distinct, exact := c.Distinct()
		different := table.Number(distinct)
		if !exact {
			different = "~" + table.Number(threeDigits(distinct))
		}
		var least, most table.Cell
		if low, high, ok := c.Extremes(); ok {
			least, most = extremeCell(c, low), extremeCell(c, high)
		}
		mean, plain := meanOf(c)
		if plain != nil {
			mean = output.NewValuer(c.Type).Text(plain)
		}
		if table.IsMoment(c.Type) {
			const toTheSecond = 19 // 2024-01-31T10:00:00, which the screen has more need of than of types
			extremes := min(max(len(least.Text), len(most.Text)), toTheSecond)
			minColumn.MinWidth = max(minColumn.MinWidth, extremes)
			maxColumn.MinWidth = minColumn.MinWidth
		}
		negative, positive := c.Infinite()
		out.Add(schema.FormatPath(c.Path), table.Cyan.Cell(typeName(c)), nulls, shareOf(c.NaNs, c), table.NumberIf(negative+positive > 0, negative+positive),
			different, least, mean, most, valuesCell(c))
	}
	d.r.Print(out)
}

// shareOf is the share that some slots have of a column's, "" for none.
func shareOf(slots int64, c *summary.Column) string {
	if slots == 0 {
		return ""
	}
	return table.Percent(float64(slots) / float64(c.Slots))
}

// extremeCell shows the least or the greatest value.
func extremeCell(c *summary.Column, plain []byte) table.Cell {
	cell := table.Cell{Text: shownValue(c, plain)}
	if table.IsNumber(c.Type) {
		cell.Cut = table.CutDigits
	}
	return cell
}

// shownValue is a value as tables of rows show it, but in quotes where blanks would not be seen.
func shownValue(c *summary.Column, plain []byte) string {
	least, most, _ := c.Extremes()
	text, ok := table.AppendPlain(nil, c.Type, plain, table.IsText(least) && table.IsText(most))
	if !ok {
		return table.QuotedIfBlank(output.NewValuer(c.Type).Text(plain))
	}
	return table.QuotedIfBlank(string(text))
}

// threeDigits returns n with three digits, which are more than an estimate is worth.
func threeDigits(n int64) int64 {
	unit := int64(1)
	for n/unit >= 1000 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

// valuesCell shows how the values are distributed: bars of numbers, and the most
// frequent values where these are few, or come far more often than others.
func valuesCell(c *summary.Column) table.Cell {
	different, _ := c.Distinct()
	var shown []string
	for _, f := range c.Top(shownTop) {
		share := float64(f.Count) / float64(c.Slots)
		if usual := 1 / float64(different); different > shownParts && share < max(minTop, 3*usual) {
			break
		}
		shown = append(shown, table.Cut(table.Printable(shownValue(c, f.Plain)), maxTopText)+" "+table.Percent(share))
	}
	top := strings.Join(shown, ", ")
	if h := c.Histogram(int(min(different, shownParts))); h != nil {
		if different > shownParts {
			top = ""
		}
		return table.Cell{Text: strings.TrimSpace(table.Histogram(h.Heights()) + "  " + top), Cut: table.CutItems}
	}
	return table.Cell{Text: top, Cut: table.CutItems}
}

// description is what is known of the values of files.
type description struct {
	o      *command.Options
	r      *output.Report
	tables []*described
}

// described is files that have the same columns.
type described struct {
	columns string // their names and types
	first   string // the name of the first file
	files   int
	*summary.Table
}
