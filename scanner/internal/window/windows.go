package window

import (
	"cmp"
	"slices"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
)

// Windows divide the wanted rows of a row group into windows.
type Windows struct {
	Remaining vector.Ranges // rows that no window has had yet; the slice belongs to the Windows
	MaxSpan   int64         // bounds the rows of a window, wanted or not; 0 stands for 64 Ki
	sel       column.Selection
}

// maxSpan is the default of Windows.MaxSpan.
const maxSpan = 64 << 10

// Start makes rows the wanted rows.
func (w *Windows) Start(rows vector.Ranges) { w.Remaining = slices.Clone(rows) }

// NextRange returns the next wanted rows that follow each other, up to row limit, which must be after the
// first of them. There must be rows left.
func (w *Windows) NextRange(limit int64) vector.Range {
	next := w.Remaining[0]
	if next.To <= limit {
		w.Remaining = w.Remaining[1:]
	} else {
		next.To, w.Remaining[0].From = limit, limit
	}
	return next
}

// NextWindow returns a window [from, to) with at least one and at most n wanted rows. sel
// selects them; nil selects all rows. The window ends at row limit at the latest, if that is
// after from. sel is valid until the next call. There must be rows left.
func (w *Windows) NextWindow(n int, limit int64) (from, to int64, sel *column.Selection) {
	from = w.Remaining[0].From
	limit = min(max(limit, from+1), from+cmp.Or(w.MaxSpan, maxSpan))
	wanted, last := 0, 0
	for i, r := range w.Remaining {
		end := min(r.To, limit, r.From+int64(n-wanted))
		if end <= r.From {
			break
		}
		wanted += int(end - r.From)
		to, last = end, i
	}
	if last > 0 {
		sel = &w.sel
		sel.Clear(int(to - from))
		for _, r := range w.Remaining[:last+1] {
			sel.SetRange(int(r.From-from), int(min(r.To, to)-from))
		}
	}
	if w.Remaining[last].From = to; to == w.Remaining[last].To {
		last++
	}
	w.Remaining = w.Remaining[last:]
	return from, to, sel
}
