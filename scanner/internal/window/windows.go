package window

import (
	"cmp"
	"slices"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
)

// Rows are rows of a row group that follow each other, some of them selected.
type Rows struct {
	From, To int64
	Sel      *column.Selection // of From to To; nil: all are selected
	Slots    *column.Slots     // if not nil, Sel is of these slots, of rows among From to To
}

// Select returns the same rows with another selection.
func (r Rows) Select(sel *column.Selection) Rows {
	r.Sel = sel
	return r
}

// Count returns how many rows are selected.
func (r Rows) Count() int {
	if r.Sel == nil {
		return int(r.To - r.From)
	}
	return r.Sel.Count()
}

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

// NextRange returns the next wanted rows that follow each other, up to row limit, which must
// be after the first of them. There must be rows left.
func (w *Windows) NextRange(limit int64) vector.Range {
	next := w.Remaining[0]
	if next.To <= limit {
		w.Remaining = w.Remaining[1:]
	} else {
		next.To, w.Remaining[0].From = limit, limit
	}
	return next
}

// NextWindow returns a window with at least one and at most n wanted rows, which are selected.
// The window ends at row limit at the latest, if that is after its start. Its selection is
// valid until the next call. There must be rows left.
func (w *Windows) NextWindow(n int, limit int64) (rows Rows) {
	rows.From = w.Remaining[0].From
	limit = min(max(limit, rows.From+1), rows.From+cmp.Or(w.MaxSpan, maxSpan))
	wanted, last := 0, 0
	for i, r := range w.Remaining {
		end := min(r.To, limit, r.From+int64(n-wanted))
		if end <= r.From {
			break
		}
		wanted += int(end - r.From)
		rows.To, last = end, i
	}
	if last > 0 {
		rows.Sel = &w.sel
		rows.Sel.Clear(int(rows.To - rows.From))
		for _, r := range w.Remaining[:last+1] {
			rows.Sel.SetRange(int(r.From-rows.From), int(min(r.To, rows.To)-rows.From))
		}
	}
	if w.Remaining[last].From = rows.To; rows.To == w.Remaining[last].To {
		last++
	}
	w.Remaining = w.Remaining[last:]
	return rows
}
