package window

import (
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
)

// Windows walk over the wanted rows of a row group.
type Windows struct {
	Left vector.Ranges // rows that no window has had; the memory is their own
	sel  vector.Selection
}

// maxSpan bounds the rows of a window, wanted or not.
const maxSpan = 64 << 10

// Start makes the windows those of rows.
func (w *Windows) Start(rows vector.Ranges) { w.Left = slices.Clone(rows) }

// Next returns a window [from, to) with at least one and at most n wanted
// rows, and which of its rows those are; nil if all are. It ends at row limit
// at the latest, if that is behind from. There must be rows left.
func (w *Windows) Next(n int, limit int64) (from, to int64, sel *vector.Selection) {
	from = w.Left[0].From
	limit = min(max(limit, from+1), from+maxSpan)
	wanted, last := 0, 0
	for i, r := range w.Left {
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
		for _, r := range w.Left[:last+1] {
			sel.SetRange(int(r.From-from), int(min(r.To, to)-from))
		}
	}
	if w.Left[last].From = to; to == w.Left[last].To {
		last++
	}
	w.Left = w.Left[last:]
	return from, to, sel
}
