package cli

import (
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
)

// rowTable writes rows as a table for people. How wide its columns are, the
// first rows say. On a terminal, texts that do not fit there, or later, are cut;
// for numbers and moments the columns get wider, below their titles once more.
// In a pipe or a file nothing is cut: there a text may reach into the next column.
type rowTable struct {
	out    lines
	first  string // the file that the titles are of
	names  []string
	titled bool
	cells  []*vector.Slots
	table  table
	held   int   // bytes of text in rows of the table that are not written yet
	wanted []int // the widths that columns would have if there was room; nil until they are known
	widths []int // those that they have
}

const (
	measuredRows  = 200
	measuredBytes = 1 << 20
	leastColumn   = 10      // a column of texts is cut no shorter to make room for others
	shownOfCell   = 4 << 10 // no column is wider, and on a terminal no text longer
)

func (w *rowTable) columns(file string, fields []vector.Field) error {
	if w.titled {
		if err := sameColumns(w.first, w.names, fields); err != nil {
			return err
		}
	} else {
		w.titled, w.first, w.names = true, file, namesOf(fields)
		for i := range fields {
			number := fields[i].Layout == vector.Leaf && isNumber(fields[i].Type)
			c := tableColumn{title: printable(fields[i].Name), right: number, least: leastColumn, spare: i > 0}
			c.whole = number || fields[i].Layout == vector.Leaf && isMoment(fields[i].Type)
			w.table.columns = append(w.table.columns, c)
		}
	}
	w.cells = nil
	for i := range fields {
		w.cells = append(w.cells, fields[i].Text())
	}
	return nil
}

// isNumber says whether values are read from their last digit.
func isNumber(t vector.Type) bool {
	switch t.Logical {
	case vector.None, vector.Unrecognised:
		switch t.Physical {
		case vector.Int32, vector.Int64, vector.Float, vector.Double:
			return true
		}
	case vector.Decimal, vector.Integer, vector.Float16:
		return true
	}
	return false
}

// isMoment says whether values are dates, times or both.
func isMoment(t vector.Type) bool {
	return t.Physical == vector.Int96 || t.Logical == vector.Date || t.Logical == vector.Time || t.Logical == vector.Timestamp
}

func (w *rowTable) rows(b *vector.Batch, from, to int) error {
	for c, v := range b.Columns {
		w.cells[c].Use(v)
	}
	var text []byte
	for i := from; i < to; i++ {
		row := make([]cell, len(b.Columns))
		for c, v := range b.Columns {
			if v.IsNull(i) {
				row[c] = cell{text: "NULL", style: dim}
				continue
			}
			var err error
			if text, err = w.cells[c].Append(text[:0], i); err != nil {
				return err
			}
			if w.table.columns[c].whole {
				row[c].ellipsis = nowhere
			} else if w.out.r.width > 0 {
				text = text[:min(len(text), shownOfCell)]
			}
			row[c].text = printable(string(text))
			w.held += len(row[c].text)
		}
		if w.widths != nil {
			if err := w.widen(row); err != nil {
				return err
			}
			if err := w.line(row); err != nil {
				return err
			}
		} else if w.table.rows = append(w.table.rows, row); len(w.table.rows) == measuredRows || w.held >= measuredBytes {
			if err := w.settle(); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle finds the widths, and writes the titles and the rows that there are.
func (w *rowTable) settle() error {
	w.table.uncut = w.out.r.width == 0
	w.wanted = w.table.contents()
	for i := range w.table.columns {
		c := &w.table.columns[i]
		w.wanted[i] = min(w.wanted[i], shownOfCell)
		if c.whole {
			c.least = max(w.wanted[i], 4) // a title may be cut, digits not
		}
		w.wanted[i] = max(w.wanted[i], textWidth(c.title), 1)
	}
	w.fit()
	if err := w.titles(); err != nil {
		return err
	}
	for _, row := range w.table.rows {
		if err := w.line(row); err != nil {
			return err
		}
	}
	w.table.rows = nil
	return nil
}

// fit gives the columns what they want, as far as there is room.
func (w *rowTable) fit() {
	w.widths = slices.Clone(w.wanted)
	if w.out.r.width > 0 {
		w.table.shrink(w.widths, w.out.r.width)
	}
}

func (w *rowTable) titles() error {
	titles := make([]cell, len(w.names))
	for i, c := range w.table.columns {
		titles[i] = cell{text: c.title, style: bold}
	}
	return w.line(titles)
}

// widen makes room for the numbers and moments of a row. On a terminal the
// titles come again, since they stand elsewhere then.
func (w *rowTable) widen(row []cell) error {
	wider := false
	for i := range w.table.columns {
		c := &w.table.columns[i]
		if !c.whole || w.widths[i] == 0 || len(row[i].text) <= w.widths[i] {
			continue
		}
		if width := min(textWidth(row[i].text), shownOfCell); width > w.widths[i] {
			c.least, w.wanted[i], wider = width, max(w.wanted[i], width), true
		}
	}
	if !wider {
		return nil
	}
	w.fit()
	if w.out.r.width == 0 {
		return nil
	}
	return w.titles()
}

func (w *rowTable) line(row []cell) error {
	var b strings.Builder
	w.table.line(&b, row, w.widths, w.out.r.colours)
	w.out.buf = append(w.out.buf, b.String()...)
	return w.out.flush(linesAtOnce)
}

// end writes what was held back, and which columns found no room.
func (w *rowTable) end() error {
	if w.titled && w.widths == nil {
		if err := w.settle(); err != nil {
			return err
		}
	}
	hidden := 0
	for _, width := range w.widths {
		if width == 0 {
			hidden++
		}
	}
	if hidden > 0 {
		note := "… " + plural(int64(hidden), "column") + " without room; -c chooses"
		if w.out.r.width > 0 {
			note = cut(note, w.out.r.width)
		}
		w.out.buf = append(w.out.buf, dim.paint(note, w.out.r.colours)+"\n"...)
	}
	return w.out.flush(0)
}
