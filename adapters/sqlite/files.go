package sqlitescan

import (
	"context"
	"os"

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
	users int // scans at work
}

// take opens a file, or returns it where it is open and has not changed. The caller gives it back.
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
	f, err := t.m.o.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	kept := &keptFile{File: f, name: name, users: 1}
	t.open[name] = kept
	return kept, nil
}

// changed reports whether a file of this machine is another one now.
func (f *keptFile) changed() bool {
	was := f.Identity()
	now, err := os.Stat(f.name)
	return err == nil && was.Known() && (now.Size() != was.Size || !now.ModTime().Equal(was.Modified))
}

// giveBack ends the use of a file.
func (f *keptFile) giveBack() { f.users-- }

func (t *table) close(f *keptFile) {
	f.Close()
	delete(t.open, f.name)
}

// closeFiles closes all files.
func (t *table) closeFiles() {
	for _, f := range t.open {
		t.close(f)
	}
}
