package scanner

import (
	"cmp"
	"context"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
)

// inOrder hands out rows, which are in order.
func (f *File) inOrder(ctx context.Context, rows []ranked, o Options, yield func(*vector.Batch, error) bool) {
	places := make([]int, len(rows)) // of rows in the file's order
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int {
		return cmp.Or(cmp.Compare(rows[a].group, rows[b].group), cmp.Compare(rows[a].row, rows[b].row))
	})
	set := make(vector.RowSet, len(f.footer.RowGroups))
	for _, p := range places {
		r := &rows[p]
		set[r.group] = set[r.group].Append(r.row, r.row+1)
	}
	o.Rows, o.Filter, o.Runtime, o.Plan, o.Offset, o.Limit = set, nil, nil, nil, 0, 0
	type place struct {
		batch *vector.Batch
		slot  int
	}
	at := make([]place, len(rows)) // of rows in order
	n := 0
	for b, err := range f.Scan(ctx, o) {
		if err != nil {
			yield(nil, err)
			return
		}
		for slot := range b.Len {
			at[places[n]] = place{b, slot}
			n++
		}
	}
	for len(at) > 0 {
		b := &vector.Batch{Fields: at[0].batch.Fields}
		for i := range b.Fields {
			b.Columns = append(b.Columns, b.Fields[i].New())
		}
		for b.Len < min(len(at), o.batchRows()) && (b.Len%256 > 0 || deliveredOf(b) < o.batchBytes()) {
			from := at[b.Len]
			for i, v := range b.Columns {
				v.AppendSlots(from.batch.Columns[i], from.slot, from.slot+1)
			}
			b.Len++
		}
		at = at[b.Len:]
		if !yield(b, nil) {
			return
		}
	}
}

func deliveredOf(b *vector.Batch) (n int64) {
	for _, v := range b.Columns {
		n += delivered(v)
	}
	return n
}
