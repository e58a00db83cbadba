package table

import (
	"io"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
)

// RowTable writes rows of data as a table. The first rows decide how wide its
// columns are. On a terminal, texts that do not fit are cut; for numbers and
// moments, columns grow, and the titles are written again. In a pipe or a file
// nothing is cut: there a text may reach into the next column.
type RowTable struct {
	screen   Screen
	roomHint string
	out      Lines
	header   Header
	slots    []*vector.Slots // the values of each column as text
	table    Table           // its rows are those before the widths are known

	pendingBytes int   // of text in these rows
	wanted       []int // widths of columns on a screen without limit; nil before they are known
	widths       []int // widths of columns on this one
}

const (
	measuredRows  = 200
	measuredBytes = 1 << 20
	minTextWidth  = 10      // texts are not cut to less to make room for other columns
	maxCellBytes  = 4 << 10 // no column is wider, and on a terminal no text is longer
)

// NewRowTable returns a table that is written to w, for a screen. Where columns
// found no room, roomHint says what to do about it.
func NewRowTable(w io.Writer, screen Screen, roomHint string) *RowTable {
	return &RowTable{screen: screen, roomHint: roomHint, out: Lines{To: w}}
}

// Columns begins the rows of a file. All files must have the same columns.
func (w *RowTable) Columns(file string, fields []vector.Field) error {
	first, err := w.header.Add(file, fields)
	if err != nil {
		return err
	}
	w.slots = nil
	for i := range fields {
		w.slots = append(w.slots, fields[i].Text())
		if first {
			leaf := fields[i].Layout == vector.Leaf
			number := leaf && IsNumber(fields[i].Type)
			w.table.Columns = append(w.table.Columns, Column{
				Title: Printable(fields[i].Name), Right: number, MinWidth: minTextWidth, Optional: i > 0,
				KeepMin: number || leaf && IsMoment(fields[i].Type),
			})
		}
	}
	return nil
}

// Rows writes rows [from, to) of a batch.
func (w *RowTable) Rows(b *vector.Batch, from, to int) error {
	for c, v := range b.Columns {
		w.slots[c].Use(v)
	}
	for i := from; i < to; i++ {
		row, err := w.cells(b, i)
		if err != nil {
			return err
		}
		if w.widths == nil {
			w.table.Rows = append(w.table.Rows, row)
			if len(w.table.Rows) == measuredRows || w.pendingBytes >= measuredBytes {
				err = w.start()
			}
		} else if err = w.widen(row); err == nil {
			err = w.line(row)
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
		if text, err = w.slots[c].Append(text[:0], i); err != nil {
			return nil, err
		}
		if w.table.Columns[c].KeepMin {
			row[c].Cut = NeverCut
		} else if w.screen.Width > 0 {
			text = text[:min(len(text), maxCellBytes)]
		}
		row[c].Text = Printable(string(text))
		w.pendingBytes += len(row[c].Text)
	}
	return row, nil
}

// start settles the widths of the columns by the rows so far, and writes these
// below their titles.
func (w *RowTable) start() error {
	w.table.overflow = w.screen.Width == 0
	w.wanted = w.table.textWidths()
	for i := range w.table.Columns {
		c := &w.table.Columns[i]
		w.wanted[i] = min(w.wanted[i], maxCellBytes)
		if c.KeepMin {
			c.MinWidth = max(w.wanted[i], 4) // a title may be cut, digits may not
		}
		w.wanted[i] = max(w.wanted[i], Width(c.Title), 1)
	}
	w.fit()
	if err := w.titles(); err != nil {
		return err
	}
	for _, row := range w.table.Rows {
		if err := w.line(row); err != nil {
			return err
		}
	}
	w.table.Rows = nil
	return nil
}

// fit gives the columns the widths that they want, as far as there is room.
func (w *RowTable) fit() {
	w.widths = slices.Clone(w.wanted)
	if w.screen.Width > 0 {
		w.table.shrink(w.widths, w.screen.Width)
	}
}

func (w *RowTable) titles() error {
	titles := make([]Cell, len(w.table.Columns))
	for i, c := range w.table.Columns {
		titles[i] = Bold.Cell(c.Title)
	}
	return w.line(titles)
}

// widen makes room for the numbers and moments of a row. On a terminal the
// titles are written again, since the columns have moved.
func (w *RowTable) widen(row []Cell) error {
	wider := false
	for i := range w.table.Columns {
		c := &w.table.Columns[i]
		if !c.KeepMin || w.widths[i] == 0 || len(row[i].Text) <= w.widths[i] {
			continue
		}
		if width := min(Width(row[i].Text), maxCellBytes); width > w.widths[i] {
			c.MinWidth, w.wanted[i], wider = width, max(w.wanted[i], width), true
		}
	}
	if !wider {
		return nil
	}
	w.fit()
	if w.screen.Width == 0 {
		return nil
	}
	return w.titles()
}

func (w *RowTable) line(row []Cell) error {
	var b strings.Builder
	w.table.line(&b, row, w.widths, w.screen)
	w.out.Buf = append(w.out.Buf, b.String()...)
	return w.out.Break()
}

// Finish writes the rows that were held back to be measured, and says how many
// columns found no room.
func (w *RowTable) Finish() error {
	if w.header.names != nil && w.widths == nil {
		if err := w.start(); err != nil {
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
		note := "… " + Plural(int64(hidden), "column") + " without room; " + w.roomHint
		if w.screen.Width > 0 {
			note = Cut(note, w.screen.Width)
		}
		w.out.Buf = append(w.out.Buf, w.screen.Paint(Dim, note)+"\n"...)
	}
	return w.out.Flush()
}
