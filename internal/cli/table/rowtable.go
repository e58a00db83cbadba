package table

import (
	"io"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
)

// RowTable writes rows of data as a table. The first rows decide how wide its
// columns are. On a terminal, texts that do not fit are cut, and columns that do
// not fit are named below; for numbers and moments, columns grow, and the titles
// are written again. In a pipe or a file nothing is cut: there a text may reach
// into the next column.
//
// Where not even two columns fit, or where it is asked for, the columns of a row
// stand one below the other: see records.
type RowTable struct {
	// Counts says to write the number of rows below each table. Of is the number of
	// rows that there are to choose from, which is written too if it is larger. Passing
	// says that a filter chose them: all that pass, or if there are Limit, the first.
	Counts  bool
	Of      int64
	Passing bool
	Limit   int64
	// Hint says there how to see columns that found no room.
	Hint string

	screen Screen
	shape  Shape
	out    Lines
	tables int   // begun so far
	rows   int64 // of this table

	fields   []vector.Field
	values   []*values
	sums     []*sum // nil: none are asked for; a column without numbers has none
	columns  []*rowColumn
	shown    int      // columns that have room
	pending  [][]Cell // rows before the widths are known
	bytes    int      // of text in them
	started  bool     // the widths are known, and the titles are written
	vertical bool     // the columns of a row stand one below the other
	records  int64    // written so, in all tables
}

// Shape is how rows are laid out on a screen.
type Shape struct {
	Vertical   bool // a row's columns one below the other
	AllColumns bool // the same where not all columns fit side by side
	PerFile    bool // each file has a table of its own, below its name
	Sums       bool // below the rows, the sum of each column of numbers
}

const (
	measuredRows  = 200
	measuredBytes = 1 << 20
	maxCellBytes  = 4 << 10 // no column is wider, and on a terminal no text is longer
)

// NewRowTable returns a table that is written to w, for a screen.
func NewRowTable(w io.Writer, screen Screen, shape Shape) *RowTable {
	return &RowTable{screen: screen, shape: shape, out: Lines{To: w}}
}

// Columns begins the rows of a file. If its columns are not those of the file
// before, or each file has a table of its own, a new table begins, below the
// name of the file.
func (w *RowTable) Columns(file string, fields []vector.Field) error {
	same := slices.EqualFunc(fields, w.fields, func(a, b vector.Field) bool {
		return a.Name == b.Name && (!w.shape.Sums || addsTo(&a, &b))
	})
	if w.fields == nil || !same || w.shape.PerFile {
		if err := w.begin(file, fields); err != nil {
			return err
		}
	}
	w.values = nil
	for i := range fields {
		w.values = append(w.values, newValues(&fields[i]))
		c := w.columns[i]
		leaf, t := fields[i].Layout == vector.Leaf, fields[i].Type
		c.right = leaf && IsNumber(t)
		c.whole = c.right || leaf && (IsMoment(t) || t.Physical == vector.Boolean || t.Logical == vector.UUID)
	}
	return nil
}

// Drop forgets the table that Columns began, if it has no row: below an error it would say
// that there is none.
func (w *RowTable) Drop() {
	if w.rows == 0 && !w.started {
		w.fields, w.columns = nil, nil
	}
}

// begin ends the table before, and begins one.
func (w *RowTable) begin(file string, fields []vector.Field) error {
	if err := w.end(); err != nil {
		return err
	}
	if w.tables > 0 {
		w.out.Buf = append(w.out.Buf, '\n')
	}
	if w.tables++; w.tables > 1 || w.shape.PerFile {
		w.out.Buf = append(w.out.Buf, w.screen.Paint(Bold, Printable(file))+"\n"...)
	}
	w.rows, w.Of = 0, 0
	w.fields, w.columns, w.sums = fields, nil, nil
	for i := range fields {
		w.columns = append(w.columns, &rowColumn{title: Printable(fields[i].Name)})
		if w.shape.Sums {
			w.sums = append(w.sums, newSum(&fields[i]))
		}
	}
	w.started, w.vertical = false, false
	return nil
}

// Rows writes rows [from, to) of a batch.
func (w *RowTable) Rows(b *vector.Batch, from, to int) error {
	for c, v := range b.Columns {
		w.values[c].use(v, from, to)
	}
	for i := from; i < to; i++ {
		w.rows++
		row, err := w.cells(b, i)
		if err != nil {
			return err
		}
		for c, sum := range w.sums {
			if sum != nil {
				sum.add(b.Columns[c], i)
			}
		}
		switch {
		case !w.started:
			w.pending = append(w.pending, row)
			if len(w.pending) == measuredRows || w.bytes >= measuredBytes {
				err = w.start()
			}
		case w.vertical:
			err = w.record(row)
		default:
			if err = w.widen(row); err == nil {
				err = w.line(row)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// cells returns the cells of one row.
func (w *RowTable) cells(b *vector.Batch, i int) ([]Cell, error) {
	row := make([]Cell, len(b.Columns))
	var text []byte
	for c, v := range b.Columns {
		if v.IsNull(i) {
			row[c] = Dim.Cell("NULL")
			continue
		}
		var err error
		if text, err = w.values[c].append(text[:0], i); err != nil {
			return nil, err
		}
		switch column := w.columns[c]; {
		case column.whole:
			row[c].Cut = NeverCut
		case w.fields[c].Layout == vector.Leaf && !slices.Contains(text, ' '):
			row[c].Cut = CutMiddleOf
		}
		if row[c].Cut != NeverCut && w.screen.Width > 0 {
			text = text[:min(len(text), maxCellBytes)]
		}
		row[c].Text = Printable(string(text))
		w.bytes += len(row[c].Text)
	}
	return row, nil
}

// start settles the widths of the columns by the rows so far, and writes these
// below their titles.
func (w *RowTable) start() error {
	for _, row := range w.pending {
		w.measure(row)
	}
	w.started = true
	w.shown = fit(w.columns, w.screen.Width)
	if hidden := len(w.columns) - w.shown; w.shape.Vertical || hidden > 0 && (w.shape.AllColumns || w.shown < 2) {
		w.vertical = true
	} else if err := w.titles(); err != nil {
		return err
	}
	for _, row := range w.pending {
		write := w.line
		if w.vertical {
			write = w.record
		}
		if err := write(row); err != nil {
			return err
		}
	}
	w.pending, w.bytes = nil, 0
	return nil
}

// measure makes the columns' content at least as wide as that of a row.
func (w *RowTable) measure(row []Cell) (wider bool) {
	for i, c := range w.columns {
		if width := min(Width(row[i].Text), maxCellBytes); width > c.content {
			c.content = width
			wider = wider || c.whole && width > c.width && c.width > 0
		}
	}
	return wider
}

// widen makes room for the numbers and moments of a row. On a terminal the
// titles are written again, since the columns have moved.
func (w *RowTable) widen(row []Cell) error {
	if !w.measure(row) {
		return nil
	}
	if w.screen.Width == 0 {
		for _, c := range w.columns {
			if c.whole {
				c.width = max(c.width, c.content)
			}
		}
		return nil
	}
	w.shown = fit(w.columns[:w.shown], w.screen.Width)
	return w.titles()
}

// titles writes the titles, those that are wider than their columns on two lines.
func (w *RowTable) titles() error {
	tops, bottoms := make([]Cell, len(w.columns)), make([]Cell, len(w.columns))
	two := false
	for i, c := range w.columns {
		top, bottom := "", c.title
		if Width(c.title) > c.width {
			top, bottom = twoLines(c.title)
		}
		two = two || top != "" && c.width > 0
		tops[i] = Cell{Text: CutMiddle(top, c.width), Style: Bold}
		bottoms[i] = Cell{Text: CutMiddle(bottom, c.width), Style: Bold}
	}
	if two {
		if err := w.line(tops); err != nil {
			return err
		}
	}
	return w.line(bottoms)
}

// line writes one row.
func (w *RowTable) line(row []Cell) error {
	line := aligned{text: w.out.Buf}
	for i, c := range w.columns {
		if c.width == 0 {
			continue
		}
		text := row[i].Text
		if w.screen.Width > 0 {
			text = row[i].cut(c.width)
		}
		line.add(text, row[i].Style, w.screen, c.width, c.right)
	}
	w.out.Buf = append(line.text, '\n')
	return w.out.Break()
}

// end writes what has been held back to be measured, names the columns that found
// no room, and counts the rows.
func (w *RowTable) end() error {
	if w.fields == nil {
		return nil
	}
	sums, err := w.sumCells()
	if err != nil {
		return err
	}
	if sums != nil && !w.started {
		w.measure(sums)
	}
	if !w.started {
		if err := w.start(); err != nil {
			return err
		}
	}
	if sums != nil {
		if err := w.writeSums(sums); err != nil {
			return err
		}
	}
	if hidden := w.columns[w.shown:]; len(hidden) > 0 && !w.vertical {
		names := make([]string, len(hidden))
		for i, c := range hidden {
			names[i] = c.title
		}
		w.note("… " + Number(int64(len(hidden))) + " more: " + strings.Join(names, ", "))
	}
	if count := w.count(sums != nil); count != "" {
		w.note(count)
	}
	return nil
}

// count returns what is said below a table of its number of rows and, if there are
// any, of which of them the sums are.
func (w *RowTable) count(sums bool) string {
	if !w.Counts && !w.shape.Sums {
		return ""
	}
	count := Plural(w.rows, "row")
	switch {
	case w.Of > w.rows && w.Passing && w.rows == w.Limit && w.rows > 0:
		count = "the first " + strings.TrimPrefix(count, "1 ") + " to pass, of " + Number(w.Of)
	case w.Of > w.rows:
		count = Number(w.rows) + " of " + Plural(w.Of, "row")
		if w.Passing && w.rows < w.Limit {
			count += " pass"
		}
	}
	switch {
	case sums && w.Of == w.rows:
		count += "; sums of all"
	case sums:
		count += "; sums of the rows shown"
	case w.shape.Sums:
		count += "; no column of numbers to sum"
	}
	if w.Counts && w.shown < len(w.columns) && !w.vertical {
		count += "; " + w.Hint
	}
	return count
}

// note writes a line below the rows.
func (w *RowTable) note(text string) {
	if w.screen.Width > 0 {
		text = Cut(text, w.screen.Width)
	}
	w.out.Buf = append(w.out.Buf, w.screen.Paint(Dim, text)+"\n"...)
}

// Finish writes the rows that were held back to be measured, and the notes below.
func (w *RowTable) Finish() error {
	if err := w.end(); err != nil {
		return err
	}
	return w.out.Flush()
}
