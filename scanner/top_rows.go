package scanner

import (
	"iter"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
)

// only returns the options for a scan of rows that are known to be wanted.
func (o Options) only(rows vector.RowSet) Options {
	o.Rows, o.Filter, o.Runtime, o.Plan, o.Offset, o.Limit = rows, nil, nil, nil, 0, 0
	return o
}

// handOut hands out the rows that count, in order and without the first Offset of
// them. read returns rows of a file.
func (x *ranking) handOut(o Options, read func(file int, rows vector.RowSet) iter.Seq2[*vector.Batch, error], yield func(*vector.Batch, error) bool) {
	rows := x.rows[min(max(o.Offset, 0), int64(len(x.rows))):]
	places := make([]int, len(rows)) // of rows in the files' order
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int { return rows[a].compare(&rows[b]) })
	type place struct {
		batch *vector.Batch
		slot  int
	}
	at := make([]place, len(rows)) // of rows in order
	for n := 0; n < len(places); {
		var set vector.RowSet
		file := rows[places[n]].file
		for _, p := range places[n:] {
			r := &rows[p]
			if r.file != file {
				break
			}
			for len(set) <= r.group {
				set = append(set, nil)
			}
			set[r.group] = set[r.group].Append(r.row, r.row+1)
		}
		for b, err := range read(file, set) {
			if err != nil {
				yield(nil, err)
				return
			}
			for slot := range b.Len {
				at[places[n]] = place{b, slot}
				n++
			}
		}
	}
	for len(at) > 0 {
		b := &vector.Batch{Fields: at[0].batch.Fields}
		for i := range b.Fields {
			b.Columns = append(b.Columns, b.Fields[i].New())
		}
		for b.Len < min(len(at), o.batchRows()) && (b.Len == 0 || b.Len%256 > 0 || deliveredOf(b) < o.batchBytes()) {
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
