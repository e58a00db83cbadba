package icebergscan

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
	"github.com/apache/iceberg-go/table/dv"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// deletes are the deletes of the tasks of one scan. Each delete file is read once, when the
// first task that needs it is, and kept for the others. Safe for concurrent use.
type deletes struct {
	reader  *Reader
	targets map[string]map[string]bool    // position delete file → data files of tasks
	vectors map[string][]iceberg.DataFile // Puffin file → its vectors for tasks

	positions loads[map[string][]int64]                   // by position delete file
	bitmaps   loads[map[string]*dv.RoaringPositionBitmap] // by Puffin file
	keys      loads[*keySet]                              // by equality delete file
}

// loads are values that are made once each, by the goroutine that asks first.
type loads[T any] struct {
	mu  sync.Mutex
	all map[string]func() (T, error)
}

func (l *loads[T]) get(key string, load func() (T, error)) (T, error) {
	l.mu.Lock()
	once := l.all[key]
	if once == nil {
		once = sync.OnceValues(load)
		if l.all == nil {
			l.all = map[string]func() (T, error){}
		}
		l.all[key] = once
	}
	l.mu.Unlock()
	return once()
}

func newDeletes(r *Reader, tasks []table.FileScanTask) *deletes {
	d := &deletes{reader: r, targets: map[string]map[string]bool{}, vectors: map[string][]iceberg.DataFile{}}
	seen := map[string]bool{}
	for _, t := range tasks {
		path := t.File.FilePath()
		for _, f := range t.DeleteFiles {
			if d.targets[f.FilePath()] == nil {
				d.targets[f.FilePath()] = map[string]bool{}
			}
			d.targets[f.FilePath()][path] = true
		}
		for _, f := range t.DeletionVectorFiles {
			if !seen[path] { // a file that is split has a task for each part
				d.vectors[f.FilePath()] = append(d.vectors[f.FilePath()], f)
			}
		}
		seen[path] = seen[path] || len(t.DeletionVectorFiles) > 0
	}
	return d
}

// of returns the rows of a data file that its deletion vector or position deletes delete. A
// vector replaces position deletes.
func (d *deletes) of(ctx context.Context, t *table.FileScanTask, rows int64) (vector.Ranges, error) {
	switch len(t.DeletionVectorFiles) {
	case 0:
		return d.positionsOf(ctx, t)
	case 1:
		return d.vectorOf(t, rows)
	}
	return nil, fmt.Errorf("%s: has %d deletion vectors: %w", t.File.FilePath(), len(t.DeletionVectorFiles), scanner.ErrCorrupt)
}

func (d *deletes) vectorOf(t *table.FileScanTask, rows int64) (vector.Ranges, error) {
	puffin, path := t.DeletionVectorFiles[0].FilePath(), t.File.FilePath()
	bitmaps, err := d.bitmaps.get(puffin, func() (map[string]*dv.RoaringPositionBitmap, error) {
		all, err := dv.ReadDVs(vectorIO{d.reader.fs, d.vectors[puffin]}, d.vectors[puffin])
		if err != nil {
			return nil, fmt.Errorf("deletion vectors in %s: %w", puffin, err)
		}
		of := map[string]*dv.RoaringPositionBitmap{}
		for i, b := range all {
			of[*d.vectors[puffin][i].ReferencedDataFile()] = b // ReadDVs demands the name
		}
		return of, nil
	})
	if err != nil {
		return nil, err
	}
	bitmap := bitmaps[path]
	if bitmap == nil {
		return nil, fmt.Errorf("%s: the deletion vector of the task is that of another file: %w", path, scanner.ErrCorrupt)
	}
	var deleted vector.Ranges
	for p := range bitmap.Positions() {
		if p >= uint64(rows) { // ascending, and a run may claim 2^32 of them
			break
		}
		deleted = deleted.Append(int64(p), int64(p)+1)
	}
	return deleted, nil
}

func (d *deletes) positionsOf(ctx context.Context, t *table.FileScanTask) (vector.Ranges, error) {
	var all []int64
	for _, f := range t.DeleteFiles {
		positions, err := d.positions.get(f.FilePath(), func() (map[string][]int64, error) {
			return d.reader.readPositions(ctx, f, d.targets[f.FilePath()])
		})
		if err != nil {
			return nil, fmt.Errorf("position deletes: %w", err)
		}
		all = append(all, positions[t.File.FilePath()]...)
	}
	slices.Sort(all)
	var deleted vector.Ranges
	for _, p := range all {
		if p >= 0 {
			deleted = deleted.Append(p, p+1)
		}
	}
	return deleted, nil
}

// maxTargets bounds the paths for which a position delete file is filtered. A file has the
// deletes of few data files, or is read whole.
const maxTargets = 1000

// readPositions returns the positions that a delete file has for the data files of targets.
func (r *Reader) readPositions(ctx context.Context, file iceberg.DataFile, targets map[string]bool) (map[string][]int64, error) {
	f, err := r.open(ctx, file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	columns, err := columnsOf(iceberg.PositionalDeleteSchema.Fields())
	if err != nil {
		return nil, err
	}
	b := &binding{reader: r, file: f, ids: map[*schema.Node]int{}}
	root := f.Schema().Root()
	b.readIDs(root)
	named := len(b.ids) == 0 // written by a writer that leaves ids out: the names are fixed, too
	o := scanner.Options{By: scanner.ByName, Dictionaries: map[string]vector.DictionaryUse{"": vector.DictionaryWherePossible}}
	for i := range columns {
		if n := root.Children; named && len(n) > i && n[i].Name == columns[i].name {
			b.ids[n[i]] = columns[i].id
		}
		w, _, err := b.want(&columns[i], root.Children)
		if err != nil {
			return nil, err
		}
		o.Want = append(o.Want, w)
	}
	if len(targets) <= maxTargets {
		o.Filter = filter.In(filter.Col(schema.FormatPath([]string{o.Want[0].Name})), slices.Collect(maps.Keys(targets)))
	}
	found := map[string][]int64{}
	for batch, err := range f.Scan(ctx, o) {
		if err != nil {
			return nil, err
		}
		if batch.Columns[0].Nulls()+batch.Columns[1].Nulls() > 0 {
			return nil, fmt.Errorf("%s: a path or position is NULL: %w", file.FilePath(), scanner.ErrCorrupt)
		}
		collectPositions(found, targets, batch)
		batch.Release()
	}
	return found, nil
}

// collectPositions adds the positions of a batch that are of targets. Paths repeat, in runs.
func collectPositions(found map[string][]int64, targets map[string]bool, b *vector.Batch) {
	paths, positions := b.Columns[0], b.Columns[1]
	positions.Flatten()
	last, wanted := "", false
	for i := range b.Len {
		if p := paths.Bytes(i); string(p) != last || i == 0 {
			last = string(p)
			wanted = targets[last]
		}
		if wanted {
			found[last] = append(found[last], positions.Int64s[i])
		}
	}
}
