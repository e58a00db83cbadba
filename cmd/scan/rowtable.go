package main

import (
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
)

// rowTable writes rows as a table for people. How wide its columns are, the
// first rows say; what does not fit there, or later, is cut.
type rowTable struct {
	out    lines
	first  string // the file that the titles are of
	names  []string
	titled bool
	cells  []*vector.Slots
	table  table
	widths []int // nil until they are known
}

const (
	measuredRows = 200
	leastColumn  = 10      // a column of texts is cut no shorter to make room for others
	shownOfCell  = 4 << 10 // of longer texts the rest cannot be on a screen anyway
)

func (w *rowTable) columns(file string, fields []vector.Field) error {
	if w.titled {
		if err := sameColumns(w.first, w.names, fields); err != nil {
			return err
		}
	} else {
		w.titled, w.first, w.names = true, file, namesOf(fields)
		for i := range fields {
			c := tableColumn{title: printable(fields[i].Name), right: isNumber(&fields[i]), spare: i > 0}
			if !c.right {
				c.least = leastColumn
			}
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
func isNumber(f *vector.Field) bool {
	if f.Layout != vector.Leaf {
		return false
	}
	switch f.Type.Logical {
	case vector.None, vector.Unrecognised:
		switch f.Type.Physical {
		case vector.Int32, vector.Int64, vector.Float, vector.Double:
			return true
		}
	case vector.Decimal, vector.Integer, vector.Float16:
		return true
	}
	return false
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
				row[c] = cell{"NULL", dim}
				continue
			}
			var err error
			if text, err = w.cells[c].Append(text[:0], i); err != nil {
				return err
			}
			row[c].text = printable(string(text[:min(len(text), shownOfCell)]))
		}
		if w.widths != nil {
			if err := w.line(row); err != nil {
				return err
			}
		} else if w.table.rows = append(w.table.rows, row); len(w.table.rows) == measuredRows {
			if err := w.settle(); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle fixes the widths, and writes the titles and the rows that there are.
func (w *rowTable) settle() error {
	w.widths = w.table.contents()
	titles := make([]cell, len(w.names))
	for i := range w.table.columns {
		c := &w.table.columns[i]
		titles[i] = cell{c.title, bold}
		if c.right {
			c.least = max(w.widths[i], 4) // a title may be cut, digits not
		}
		w.widths[i] = max(w.widths[i], textWidth(c.title), 1)
	}
	if w.out.r.width > 0 {
		w.table.shrink(w.widths, w.out.r.width)
	}
	if err := w.line(titles); err != nil {
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
