package rank

import (
	"iter"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/scanner/internal/forms"
)

// Batches yields the ranked rows after the first skip, in order, in batches of at most
// batchRows rows and about batchBytes bytes. read returns rows of a file.
func Batches(ranked []Row, skip int64, batchRows int, batchBytes int64, read func(file int, rows vector.RowSet) iter.Seq2[*vector.Batch, error], yield func(*vector.Batch, error) bool) {
	rows := ranked[min(max(skip, 0), int64(len(ranked))):]
	places := make([]int, len(rows)) // by row in the files' order
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int { return rows[a].Compare(&rows[b]) })
	type place struct {
		batch *vector.Batch
		slot  int
	}
	at := make([]place, len(rows)) // by row in the ranked order
	for n := 0; n < len(places); {
		var set vector.RowSet
		file := rows[places[n]].File
		for _, p := range places[n:] {
			r := &rows[p]
			if r.File != file {
				break
			}
			for len(set) <= r.Group {
				set = append(set, nil)
			}
			set[r.Group] = set[r.Group].Append(r.Row, r.Row+1)
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
	var former forms.Former
	for len(at) > 0 {
		b := &vector.Batch{Fields: at[0].batch.Fields, Origin: vector.Origin{RowGroup: -1}}
		for i := range b.Fields {
			b.Columns = append(b.Columns, build.New(&b.Fields[i]))
		}
		for b.Len < min(len(at), batchRows) && (b.Len == 0 || b.Len%256 > 0 || shownBytes(b) < batchBytes) {
			from := at[b.Len]
			for i, v := range b.Columns {
				build.AppendSlots(v, from.batch.Columns[i], from.slot, from.slot+1)
			}
			b.Len++
		}
		at = at[b.Len:]
		former.Apply(b)
		if !yield(b, nil) {
			return
		}
	}
}

func shownBytes(b *vector.Batch) (n int64) {
	for _, v := range b.Columns {
		n += build.ShownBytes(v)
	}
	return n
}
