package cli

import (
	"fmt"

	"github.com/winnow-scan/winnow/column/vector"
)

// rowWriter writes the rows of files in one of the forms. Its methods are
// called once a file or once a batch.
type rowWriter interface {
	// columns comes before the rows of each file.
	columns(file string, fields []vector.Field) error
	rows(b *vector.Batch, from, to int) error
	// end comes behind the last row of all files.
	end() error
}

func newRowWriter(r *report) rowWriter {
	out := lines{r: r}
	switch r.format {
	case "csv":
		return &delimited{out: out, separator: ','}
	case "tsv":
		return &delimited{out: out, separator: '\t'}
	case "table":
		return &rowTable{out: out}
	}
	return &jsonRows{out: out}
}

// lines gathers whole lines, so that what is handed on is large, and ends where
// a line does whatever happens next.
type lines struct {
	r   *report
	buf []byte
}

const (
	linesAtOnce = 64 << 10
	linesKept   = 1 << 20 // more memory than this served an odd line, and is let go
)

// flush hands on what there is, if it is enough.
func (l *lines) flush(enough int) error {
	if len(l.buf) < enough {
		return nil
	}
	err := l.r.write(l.buf)
	if l.buf = l.buf[:0]; cap(l.buf) > linesKept {
		l.buf = nil
	}
	return err
}

// jsonRows writes an object a row: a line each, or all of them as one array.
type jsonRows struct {
	out lines
	row *vector.Rows
}

func (w *jsonRows) columns(_ string, fields []vector.Field) error {
	w.row = vector.JSONRows(fields)
	return nil
}

func (w *jsonRows) rows(b *vector.Batch, from, to int) error {
	w.row.Use(b)
	array := w.out.r.format == "json"
	for i := from; i < to; i++ {
		if array {
			w.out.buf = append(w.out.buf, w.out.r.before()...)
		}
		var err error
		if w.out.buf, err = w.row.Append(w.out.buf, i); err != nil {
			return err
		}
		if !array {
			w.out.buf = append(w.out.buf, '\n')
		}
		if err := w.out.flush(linesAtOnce); err != nil {
			return err
		}
	}
	return w.out.flush(0)
}

func (w *jsonRows) end() error { return nil }

// sameColumns returns an error if columns cannot stand below others.
func sameColumns(first string, names []string, fields []vector.Field) error {
	differ := func(what string) error {
		return fmt.Errorf("schema: its columns are not those of %s, and this format has one header: %s", first, what)
	}
	for i := range min(len(names), len(fields)) {
		if names[i] != fields[i].Name {
			return differ(fmt.Sprintf("column %d is %q, not %q", i, fields[i].Name, names[i]))
		}
	}
	if len(names) != len(fields) {
		return differ(fmt.Sprintf("%d columns, not %d", len(fields), len(names)))
	}
	return nil
}

func namesOf(fields []vector.Field) []string {
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = fields[i].Name
	}
	return names
}
