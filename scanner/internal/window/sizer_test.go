package window

import (
	"testing"

	"github.com/winnow-scan/winnow/column"
)

// Windows of columns whose batches may get large begin with few rows, and have more only
// where the rows of a page cannot add more than the page.
func TestRowsOfWindows(t *testing.T) {
	const budget, maxRows, rows = 16 << 20, 8192, 1_000_000
	for _, c := range []struct {
		name        string
		byPages     bool
		bytes       int64
		first, most int
	}{
		{"small", true, 1 << 20, maxRows, maxRows},
		{"strings", true, 100 << 20, InitialRows, maxRows},
		{"long strings", true, 10 << 30, 195, maxRows},
		{"not bounded by pages", false, 100 << 20, InitialRows, InitialRows},
	} {
		var s Sizer
		s.Reset(budget)
		s.Start(maxRows, 0, []Varying{{Cursor: new(column.Cursor), Bytes: c.bytes, Rows: rows, ByPages: c.byPages}})
		if s.Rows != c.first || s.maxRows != c.most || s.MayExceed() != (c.bytes > budget) {
			t.Errorf("%s: %d rows, at most %d, may exceed: %v, want %d and %d", c.name, s.Rows, s.maxRows, s.MayExceed(), c.first, c.most)
		}
		first := s.Rows
		if s.Full(0) {
			t.Errorf("%s: full without a byte", c.name)
		}
		if want := min(2*first, c.most); s.Rows != want {
			t.Errorf("%s: %d rows behind short ones, want %d", c.name, s.Rows, want)
		}
		if !s.Full(budget) || s.Rows >= first {
			t.Errorf("%s: %d rows behind long ones", c.name, s.Rows)
		}
	}
	var s Sizer
	s.Reset(budget)
	if s.Start(maxRows, 1<<10, []Varying{{Cursor: new(column.Cursor), Bytes: 1 << 20, Rows: rows, ByPages: true}}); !s.MayExceed() {
		t.Error("more bytes than may be held, and not bounded")
	}
}
