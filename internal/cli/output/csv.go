package output

import (
	"bytes"
	"io"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/table"
)

// delimited writes rows as RFC 4180 has them, with a header, and with \n at the
// end of lines as programs here want it. Nested values are JSON.
//
//	id,name,tags
//	1,"Smith, J.","[""a"",null]"
//	2,,[]            name is NULL
//	3,"",            name is empty, tags is NULL
type delimited struct {
	separator  byte
	out        table.Lines
	header     table.Header
	slots      []*vector.Slots // the values of each column as text
	neverQuote []bool          // of each column: its texts need no quotes
}

func newDelimited(w io.Writer, separator byte) *delimited {
	return &delimited{separator: separator, out: table.Lines{To: w}}
}

func (w *delimited) Columns(file string, fields []vector.Field) error {
	first, err := w.header.Add(file, fields)
	if err != nil {
		return err
	}
	if first {
		for i := range fields {
			if i > 0 {
				w.out.Buf = append(w.out.Buf, w.separator)
			}
			name := fields[i].Name
			w.out.Buf = w.quote(append(w.out.Buf, name...), len(name))
		}
		w.out.Buf = append(w.out.Buf, '\n')
	}
	w.slots, w.neverQuote = nil, nil
	for i := range fields {
		w.slots = append(w.slots, fields[i].Text())
		stored := fields[i].Type.Physical // bytes may be empty, or hold characters that mean something in a table of text
		w.neverQuote = append(w.neverQuote, fields[i].Layout == vector.Leaf && stored != vector.ByteArray && stored != vector.FixedLenByteArray)
	}
	return nil
}

func (w *delimited) Rows(b *vector.Batch, from, to int) error {
	for c, v := range b.Columns {
		w.slots[c].Use(v)
	}
	for i := from; i < to; i++ {
		lineStart := len(w.out.Buf)
		for c, v := range b.Columns {
			if c > 0 {
				w.out.Buf = append(w.out.Buf, w.separator)
			}
			if v.IsNull(i) {
				continue
			}
			textStart := len(w.out.Buf)
			var err error
			if w.out.Buf, err = w.slots[c].Append(w.out.Buf, i); err != nil {
				w.out.Buf = w.out.Buf[:lineStart]
				return err
			}
			if !w.neverQuote[c] {
				w.out.Buf = w.quote(w.out.Buf, len(w.out.Buf)-textStart)
			}
		}
		w.out.Buf = append(w.out.Buf, '\n')
		if err := w.out.Break(); err != nil {
			return err
		}
	}
	return w.out.Flush()
}

func (w *delimited) Finish() error { return w.out.Flush() }

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

// needsQuotes reports whether a reader would take text without quotes for
// something else. Some readers drop spaces at the start.
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
