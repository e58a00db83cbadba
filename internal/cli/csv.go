package cli

import (
	"bytes"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
)

// delimited writes rows as RFC 4180 has them, with a header, and with \n at the
// end of lines as programs here want it. Nested values are JSON.
//
//	id,name,tags
//	1,"Smith, J.","[""a"",null]"
//	2,,[]            name is NULL
//	3,"",            name is empty, tags is NULL
type delimited struct {
	out       lines
	separator byte
	first     string // the file that the header is of
	names     []string
	header    bool
	cells     []*vector.Slots
	free      []bool // texts of the column never need quotes
}

func (w *delimited) columns(file string, fields []vector.Field) error {
	if w.header {
		if err := sameColumns(w.first, w.names, fields); err != nil {
			return err
		}
	} else {
		w.header, w.first, w.names = true, file, namesOf(fields)
		for i, name := range w.names {
			if i > 0 {
				w.out.buf = append(w.out.buf, w.separator)
			}
			w.out.buf = w.quote(append(w.out.buf, name...), len(name))
		}
		w.out.buf = append(w.out.buf, '\n')
	}
	w.cells, w.free = nil, nil
	for i := range fields {
		w.cells = append(w.cells, fields[i].Text())
		w.free = append(w.free, fields[i].Layout == vector.Leaf && !mayHoldAnything(fields[i].Type))
	}
	return nil
}

// mayHoldAnything says whether texts of type t may be empty or hold characters
// that mean something in a table of text.
func mayHoldAnything(t vector.Type) bool {
	return t.Physical == vector.ByteArray || t.Physical == vector.FixedLenByteArray
}

func (w *delimited) rows(b *vector.Batch, from, to int) error {
	for c, v := range b.Columns {
		w.cells[c].Use(v)
	}
	for i := from; i < to; i++ {
		start := len(w.out.buf)
		for c, v := range b.Columns {
			if c > 0 {
				w.out.buf = append(w.out.buf, w.separator)
			}
			if v.IsNull(i) {
				continue
			}
			before := len(w.out.buf)
			var err error
			if w.out.buf, err = w.cells[c].Append(w.out.buf, i); err != nil {
				w.out.buf = w.out.buf[:start]
				return err
			}
			if !w.free[c] {
				w.out.buf = w.quote(w.out.buf, len(w.out.buf)-before)
			}
		}
		w.out.buf = append(w.out.buf, '\n')
		if err := w.out.flush(linesAtOnce); err != nil {
			return err
		}
	}
	return w.out.flush(0)
}

func (w *delimited) end() error { return w.out.flush(0) }

// quote puts the last n bytes of buf in quotes if they need them.
func (w *delimited) quote(buf []byte, n int) []byte {
	text := buf[len(buf)-n:]
	if !w.needsQuotes(text) {
		return buf
	}
	quotes := bytes.Count(text, []byte{'"'})
	from := len(buf) - n
	buf = slices.Grow(buf, quotes+2)[:len(buf)+quotes+2]
	// From the back, so that nothing is overwritten before it has moved.
	to := len(buf) - 1
	buf[to] = '"'
	for i := from + n - 1; i >= from; i-- {
		to--
		if buf[to] = buf[i]; buf[i] == '"' {
			to--
			buf[to] = '"'
		}
	}
	buf[from] = '"'
	return buf
}

// needsQuotes says whether a reader would take text, as it is, for something
// else. Spaces at the start some readers drop.
func (w *delimited) needsQuotes(text []byte) bool {
	if len(text) == 0 || text[0] == ' ' || text[0] == '\t' {
		return true
	}
	for _, c := range text {
		if c == w.separator || c == '"' || c == '\n' || c == '\r' {
			return true
		}
	}
	return false
}
