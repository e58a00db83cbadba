package rank

import (
	"errors"
	"iter"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/scanner/internal/forms"
)

// FileRows are rows of a file.
type FileRows struct {
	File int
	Rows vector.RowSet
}

// Batches yields the ranked rows after the first skip, in order, in batches of at most
// batchRows rows and about batchBytes bytes. read returns rows of files, in the given order; it
// is not called for none.
func Batches(ranked []Row, skip int64, batchRows int, batchBytes int64, read func([]FileRows) iter.Seq2[*vector.Batch, error], yield func(*vector.Batch, error) bool) {
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
	var files []FileRows
	for _, p := range places {
		r := &rows[p]
		if len(files) == 0 || files[len(files)-1].File != r.File {
			files = append(files, FileRows{File: r.File})
		}
		f := &files[len(files)-1]
		for len(f.Rows) <= r.Group {
			f.Rows = append(f.Rows, nil)
		}
		f.Rows[r.Group] = f.Rows[r.Group].Append(r.Row, r.Row+1)
	}
	if len(files) == 0 {
		return
	}
	n := 0
	for b, err := range read(files) {
		if err == nil && b.Len > len(places)-n {
			err = errOtherRows
		}
		if err != nil {
			yield(nil, err)
			return
		}
		for slot := range b.Len {
			at[places[n]] = place{b, slot}
			n++
		}
	}
	if n < len(places) {
		yield(nil, errOtherRows)
		return
	}
	var converter forms.DictionaryConverter
	for len(at) > 0 {
		b := &vector.Batch{Fields: at[0].batch.Fields, Origin: vector.Origin{RowGroup: -1}}
		for i := range b.Fields {
			b.Columns = append(b.Columns, build.New(&b.Fields[i]))
		}
		for b.Len < min(len(at), batchRows) && (b.Len == 0 || b.Len%256 > 0 || build.ShownBytes(b.Columns...) < batchBytes) {
			from := at[b.Len]
			for i, v := range b.Columns {
				build.AppendSlots(v, from.batch.Columns[i], from.slot, from.slot+1)
			}
			b.Len++
		}
		at = at[b.Len:]
		converter.Convert(b)
		if !yield(b, nil) {
			return
		}
	}
}

// errOtherRows is about a file that no longer has the rows that were ranked.
var errOtherRows = errors.New("rows that were found in the files are no longer those that are read")
