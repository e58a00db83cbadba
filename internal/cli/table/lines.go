package table

import (
	"fmt"
	"io"

	"github.com/winnow-scan/winnow/column/vector"
)

// Lines collects whole lines of text and writes them in large pieces. Each
// piece ends where a line does, so an interrupted answer does not end in
// mid-line.
type Lines struct {
	To  io.Writer
	Buf []byte // to append lines to
}

const (
	pieceBytes = 64 << 10
	keptBytes  = 1 << 20 // a larger buffer held an unusual line, and is dropped
)

// Break is called after each line. It writes the lines if there are many.
func (l *Lines) Break() error {
	if len(l.Buf) < pieceBytes {
		return nil
	}
	return l.Flush()
}

// Flush writes the lines that there are.
func (l *Lines) Flush() error {
	_, err := l.To.Write(l.Buf)
	if l.Buf = l.Buf[:0]; cap(l.Buf) > keptBytes {
		l.Buf = nil
	}
	return err
}

// Header is the line of column names above the rows of several files, which
// must have the same columns.
type Header struct {
	file  string // the first one
	names []string
}

// Add takes the columns of a file, and reports whether it is the first. Columns
// whose names are not those of the first file are an error.
func (h *Header) Add(file string, fields []vector.Field) (first bool, err error) {
	if h.names == nil {
		h.file, h.names = file, make([]string, len(fields))
		for i := range fields {
			h.names[i] = fields[i].Name
		}
		return true, nil
	}
	differ := func(how string) error {
		return fmt.Errorf("schema: its columns are not those of %s, and this format has one header: %s", h.file, how)
	}
	for i := range min(len(h.names), len(fields)) {
		if h.names[i] != fields[i].Name {
			return false, differ(fmt.Sprintf("column %d is %q, not %q", i, fields[i].Name, h.names[i]))
		}
	}
	if len(h.names) != len(fields) {
		return false, differ(fmt.Sprintf("%d columns, not %d", len(fields), len(h.names)))
	}
	return false, nil
}
