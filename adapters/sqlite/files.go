package sqlitescan

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/winnow-scan/winnow/scanner"
)

// Files of a table.
const (
	maxFiles = 1 << 22 // so that a rowid has room for the number of a file
	maxOpen  = 64      // files that are open and not in use
)

// keptFile is a file that stays open for later scans.
type keptFile struct {
	*scanner.File
	name  string
	users int         // scans at work
	info  os.FileInfo // of the name when it was opened, nil unless it is a file of this machine
}

// take opens a file, or returns it where it is open and its name stands for it still. The caller gives it back.
func (t *table) take(ctx context.Context, name string) (*keptFile, error) {
	if f := t.open[name]; f != nil {
		if f.users > 0 || !f.changed() {
			f.users++
			return f, nil
		}
		t.close(f)
	}
	if len(t.open) >= maxOpen {
		for _, f := range t.open {
			if f.users == 0 {
				t.close(f)
			}
		}
	}
	info, _ := os.Stat(name) // nil if it is of another machine
	f, err := t.m.o.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := t.checkColumns(f, name); err != nil {
		f.Close()
		return nil, err
	}
	if t.stats != nil && name == t.files.names[0] {
		t.look(f)
	}
	kept := &keptFile{File: f, name: name, users: 1, info: info}
	t.open[name] = kept
	return kept, nil
}

// checkColumns returns an error if a file lacks a column that a file with its name had. Files that never had it
// are of another age: there the column is NULL.
func (t *table) checkColumns(f *scanner.File, name string) error {
	if len(t.columns) == 0 {
		return nil // they are yet to be found, in this file
	}
	var lacks []int
	before, known := t.lacks[name]
	for i := range t.columns {
		if f.Schema().Find(t.columns[i].field.Name) != nil {
			continue
		}
		if known && !slices.Contains(before, i) {
			return fmt.Errorf("%s was replaced by a file without the column %s: a new connection has the new columns", name, t.columns[i].path)
		}
		lacks = append(lacks, i)
	}
	t.lacks[name] = lacks
	return nil
}

// changed reports whether a name of this machine stands for another file now, for another state of it, or for none.
func (f *keptFile) changed() bool {
	if f.info == nil {
		return false
	}
	now, err := os.Stat(f.name)
	return err != nil || !os.SameFile(now, f.info) || now.Size() != f.info.Size() || !now.ModTime().Equal(f.info.ModTime())
}

// refresh reads the statistics of the first file anew where it has changed.
func (t *table) refresh(ctx context.Context) {
	if f := t.open[t.files.names[0]]; f != nil && f.users == 0 && f.changed() {
		if f, err := t.take(ctx, f.name); err == nil { // else who scans it gets the error
			f.giveBack()
		}
	}
}

// look takes the statistics of the first file. Plans that rely on an order that it had are no longer right.
func (t *table) look(f *scanner.File) {
	before := t.stats
	t.stats = newStatistics(f, len(t.files.names), t.columns)
	if before != nil && !slices.Equal(before.sorted, t.stats.sorted) {
		t.orders++
	}
}

// giveBack ends the use of a file.
func (f *keptFile) giveBack() { f.users-- }

func (t *table) close(f *keptFile) {
	f.Close()
	delete(t.open, f.name)
}
