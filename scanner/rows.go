package scanner

import (
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
)

// rows returns which rows of each row group a scan hands out: those of Rows,
// without the first Offset of them, and no more than Limit.
func (f *File) rows(o *Options) (vector.RowSet, error) {
	set := make(vector.RowSet, len(f.footer.RowGroups))
	offset, left := max(o.Offset, 0), o.Limit
	for i := range set {
		n := f.footer.RowGroups[i].NumRows
		owned, err := f.owns(o, i)
		if err != nil {
			return nil, err
		}
		if !owned {
			continue
		}
		rows := vector.All(n)
		if o.Rows != nil {
			rows = o.Rows.Of(i).Clip(0, n)
		}
		if offset > 0 {
			skip := min(offset, rows.Len())
			rows = rows.Behind(skip)
			offset -= skip
		}
		if o.Limit > 0 {
			rows = rows.First(left)
			left -= rows.Len()
		}
		set[i] = rows
	}
	return set, nil
}

// windows walks over the wanted rows of a row group.
type windows struct {
	left vector.Ranges // rows that no window has had; the memory is its own
	sel  vector.Selection
}

// maxSpan bounds the rows of a window, wanted or not.
const maxSpan = 64 << 10

func (w *windows) start(rows vector.Ranges) { w.left = slices.Clone(rows) }

// next returns a window [from, to) with at least one and at most n wanted
// rows, and which of its rows those are; nil if all are. It ends at row limit
// at the latest, if that is behind from. There must be rows left.
func (w *windows) next(n int, limit int64) (from, to int64, sel *vector.Selection) {
	from = w.left[0].From
	limit = min(max(limit, from+1), from+maxSpan)
	wanted, last := 0, 0
	for i, r := range w.left {
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
		for _, r := range w.left[:last+1] {
			sel.SetRange(int(r.From-from), int(min(r.To, to)-from))
		}
	}
	if w.left[last].From = to; to == w.left[last].To {
		last++
	}
	w.left = w.left[last:]
	return from, to, sel
}
