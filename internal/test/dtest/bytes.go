package dtest

import (
	"fmt"
	"strings"
	"testing"
)

// A Dump prints bytes in the order in which they are accounted for:
//
//	0-3    06 00 00 00              levels: 6 bytes
//	4      03                       run of 1 group, packed
//	5-12   88 c6 fa 88 c6 fa 88 c6  values
//	13-14  fa 00
type Dump struct {
	t    testing.TB
	data []byte
	at   int
	rows []row
}

type row struct{ place, hex, note string }

const bytesPerRow = 8

// Bytes starts a dump of data.
func Bytes(t testing.TB, data []byte) *Dump { return &Dump{t: t, data: data} }

// Next accounts for the next n bytes and returns them. Fewer left is a failure.
func (d *Dump) Next(n int, format string, args ...any) []byte {
	d.t.Helper()
	note := fmt.Sprintf(format, args...)
	if n < 0 || n > len(d.data)-d.at {
		d.t.Fatalf("%s: %d bytes at %d, of %d", note, n, d.at, len(d.data))
		return nil
	}
	from := d.at
	d.at += n
	taken := d.data[from:d.at]
	if n == 0 {
		d.rows = append(d.rows, row{place: fmt.Sprint(from), hex: "-", note: note})
	}
	for i := 0; i < n; i += bytesPerRow {
		part := taken[i:min(i+bytesPerRow, n)]
		place := fmt.Sprint(from + i)
		if len(part) > 1 {
			place += fmt.Sprintf("-%d", from+i+len(part)-1)
		}
		d.rows = append(d.rows, row{place, fmt.Sprintf("% x", part), note})
		note = ""
	}
	return taken
}

// Note adds a line that stands for no byte.
func (d *Dump) Note(format string, args ...any) {
	d.rows = append(d.rows, row{note: fmt.Sprintf(format, args...)})
}

// At is the number of bytes accounted for so far.
func (d *Dump) At() int { return d.at }

// String ends the dump. A byte that nothing accounted for is a failure.
func (d *Dump) String() string {
	d.t.Helper()
	if rest := len(d.data) - d.at; rest > 0 {
		d.t.Errorf("%d bytes from %d on are not accounted for: % x", rest, d.at, d.data[d.at:])
	}
	var place, hex int
	for _, r := range d.rows {
		place, hex = max(place, len(r.place)), max(hex, len(r.hex))
	}
	var b strings.Builder
	for _, r := range d.rows {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%-*s  %-*s  %s", place, r.place, hex, r.hex, r.note), " "))
		b.WriteByte('\n')
	}
	return b.String()
}
