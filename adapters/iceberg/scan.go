package icebergscan

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Records returns the rows of tasks as Arrow records, see Scan. The caller releases the reader.
func (r *Reader) Records(ctx context.Context, tasks []table.FileScanTask, o scanner.Options, a arrowscan.Options) (*arrowscan.Reader, error) {
	return arrowscan.ReaderOf(r.fields, r.Scan(ctx, tasks, o), a)
}

// Scan returns the rows of tasks in their order, without deleted ones. The caller owns
// each batch, which is valid until its Release. An error ends the iteration; the batches
// before it are correct.
//
// Of o, it takes Limit and the options on resources and observation. Threads is how many tasks
// it reads at the same time, and if there are fewer tasks, parts of their files. What selects
// columns and rows is the Query's: it is an error in o.
func (r *Reader) Scan(ctx context.Context, tasks []table.FileScanTask, o scanner.Options) iter.Seq2[*vector.Batch, error] {
	return func(yield func(*vector.Batch, error) bool) {
		if err := check(&o); err != nil {
			yield(nil, err)
			return
		}
		d := newDeletes(r, tasks)
		if n := min(o.Threads, len(tasks)); n > 1 && o.Limit == 0 && !o.Limited {
			o.Threads = (o.Threads + n - 1) / n
			r.parallel(ctx, tasks, o, d, n, yield)
			return
		}
		for i := range tasks {
			for b, err := range r.task(ctx, &tasks[i], o, d) {
				if b != nil && o.Limit > 0 {
					o.Limit -= int64(b.Len)
					o.Limited = true
				}
				if !yield(b, err) || err != nil {
					return
				}
			}
			if o.Limited && o.Limit == 0 {
				return
			}
		}
	}
}

// check returns an error if o selects columns or rows.
func check(o *scanner.Options) error {
	for _, c := range []struct {
		name string
		set  bool
	}{
		{"Select", o.Select != nil}, {"Want", o.Want != nil}, {"Filter", o.Filter != nil}, {"Runtime", o.Runtime != nil},
		{"Plan", o.Plan != nil}, {"Split", o.Split != fetch.Range{}}, {"Rows", o.Rows != nil}, {"Offset", o.Offset != 0},
		{"Unnest", o.Unnest != ""}, {"RowNumber", o.RowNumber != ""}, {"FileName", o.FileName != ""},
		{"Constants", o.Constants != nil}, {"Dictionaries", o.Dictionaries != nil},
	} {
		if c.set {
			return fmt.Errorf("%w: a table's scan takes no %s", scanner.ErrOptions, c.name)
		}
	}
	return nil
}

// task returns the rows of one task.
func (r *Reader) task(ctx context.Context, t *table.FileScanTask, o scanner.Options, d *deletes) iter.Seq2[*vector.Batch, error] {
	return func(yield func(*vector.Batch, error) bool) {
		file, err := r.open(ctx, t.File)
		if err != nil {
			yield(nil, err)
			return
		}
		defer file.Close()
		out, err := r.prepare(ctx, file, t, &o, d)
		if err != nil {
			yield(nil, err)
		}
		if out == nil {
			return
		}
		for b, err := range file.Scan(ctx, o) {
			if err == nil {
				b, err = out.finish(b)
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// prepare sets what o wants of a task's file. The output is nil if all its rows are deleted.
func (r *Reader) prepare(ctx context.Context, file *scanner.File, t *table.FileScanTask, o *scanner.Options, d *deletes) (*output, error) {
	partition, err := r.partitionOf(t.File)
	if err != nil {
		return nil, err
	}
	b, err := r.bindFile(file, partition)
	if err != nil {
		return nil, err
	}
	out, err := b.output(t, o)
	if err != nil {
		return nil, err
	}
	residual := cmp.Or(t.Residual, r.filter)
	condition, err := b.condition(residual)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file.Name(), err)
	}
	kept, err := d.condition(ctx, b, t.EqualityDeleteFiles)
	if err != nil {
		return nil, err
	}
	if residual != nil || len(t.EqualityDeleteFiles) > 0 {
		o.Filter = filter.And(condition, kept)
	}
	if t.Length > 0 && (t.Start > 0 || t.Length < file.Source().Size()) {
		o.Split = fetch.Range{Off: t.Start, Len: t.Length}
	}
	sizes, rows := []int64(nil), int64(0)
	for _, g := range file.Footer().RowGroups {
		sizes, rows = append(sizes, g.NumRows), rows+g.NumRows
	}
	deleted, err := d.of(ctx, t, rows)
	if err != nil {
		return nil, err
	}
	if len(deleted) > 0 {
		wanted := vector.All(rows).AndNot(deleted)
		if wanted.Len() == 0 {
			return nil, nil
		}
		o.Rows = vector.RowsOfFile(wanted, sizes)
	}
	o.Constants = b.constants
	return out, nil
}

// output is how the batches of one task become those of the Reader.
type output struct {
	reader           *Reader
	path             string
	repairs          []*repair // of the columns of the schema
	id, sequence     int       // the file's columns of row lineage; -1: it has none
	position         int       // the column of row numbers; -1: none
	firstID, changed *int64    // of rows whose lineage the file does not have
}

// output sets the columns that o wants of a file.
func (b *binding) output(t *table.FileScanTask, o *scanner.Options) (*output, error) {
	r := b.reader
	out := &output{reader: r, path: t.File.FilePath(), id: -1, sequence: -1, position: -1, firstID: t.FirstRowID, changed: t.DataSequenceNumber}
	fields := b.file.Schema().Root().Children
	o.By, o.Want = scanner.ByName, []scanner.Want{}
	for i := range r.columns {
		w, rep, err := b.want(&r.columns[i], fields)
		if err != nil {
			return nil, err
		}
		o.Want, out.repairs = append(o.Want, w), append(out.repairs, rep)
	}
	for _, name := range r.extra {
		at, lineage := &out.id, iceberg.RowID()
		switch name {
		case FilePath:
			continue
		case LastSequence:
			at, lineage = &out.sequence, iceberg.LastUpdatedSequenceNumber()
		}
		if name != LastSequence {
			o.RowNumber = freeName(RowPosition, 0, fields)
		}
		if n := b.nodes[lineage.ID]; name != RowPosition && n != nil {
			c, err := columnOf(lineage, name)
			if err != nil {
				return nil, err
			}
			w, _, err := b.want(&c, fields)
			if err != nil {
				return nil, err
			}
			*at = len(o.Want)
			o.Want = append(o.Want, w)
		}
	}
	if o.RowNumber != "" {
		out.position = len(o.Want)
	}
	return out, nil
}

// finish returns the batch of the Reader for one of the file. It takes b over.
func (out *output) finish(b *vector.Batch) (*vector.Batch, error) {
	r := out.reader
	to := &vector.Batch{Fields: r.fields, Len: b.Len, Origin: b.Origin}
	to.OnRelease(b.Release)
	for i := range r.columns {
		v, err := out.repairs[i].apply(b.Columns[i])
		if err != nil {
			return nil, fmt.Errorf("%s: column %s: %w", out.path, r.columns[i].name, err)
		}
		if r.columns[i].required && v.Nulls() > 0 {
			return nil, fmt.Errorf("%s: column %s is required, and has NULL: %w", out.path, r.columns[i].name, scanner.ErrCorrupt)
		}
		to.Columns = append(to.Columns, v)
	}
	for _, name := range r.extra {
		var v *vector.Vector
		switch name {
		case FilePath:
			v = vector.StringOf(out.path).Vector(b.Len)
		case RowPosition:
			v = b.Columns[out.position]
		case RowID:
			v = out.lineage(b, out.id, out.firstID, true)
		case LastSequence:
			v = out.lineage(b, out.sequence, out.changed, false)
		}
		to.Columns = append(to.Columns, v)
	}
	return to, nil
}

// lineage returns a column of row lineage: what the file has for a row, or else the task's
// value, plus the row's position if it is of ids; NULL if there is neither.
func (out *output) lineage(b *vector.Batch, at int, first *int64, ids bool) *vector.Vector {
	long := vector.Type{Physical: vector.Int64}
	switch {
	case at < 0 && first == nil:
		return vector.NullOf(long).Vector(b.Len)
	case at >= 0 && (first == nil || b.Columns[at].Nulls() == 0):
		return b.Columns[at]
	}
	v := &vector.Vector{Type: long, Len: b.Len, Int64s: make([]int64, b.Len)}
	var stored *vector.Vector
	if at >= 0 {
		stored = b.Columns[at]
		stored.Flatten()
	}
	for i := range v.Int64s {
		switch {
		case stored != nil && !stored.IsNull(i):
			v.Int64s[i] = stored.Int64s[i]
		case ids:
			v.Int64s[i] = *first + b.Columns[out.position].Int64s[i]
		default:
			v.Int64s[i] = *first
		}
	}
	return v
}
