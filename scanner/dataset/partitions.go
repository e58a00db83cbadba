package dataset

import (
	"context"
	"iter"
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Partitions returns n iterators over disjoint parts of the rows of Scan, as
// File.Partitions does. All iterators claim row groups of one file until none is left, and
// go on to the next file. A file stays open until each iterator has finished it or
// ended, or the context is done.
func (fs *Files) Partitions(ctx context.Context, o scanner.Options, n int) []iter.Seq2[*vector.Batch, error] {
	n = max(1, n)
	shareMemory(&o)
	t := &sharedWalk{walk: walk{files: fs, ctx: ctx, opts: o, offsetLeft: o.Offset, limitLeft: o.Limit, countFirst: true}, parts: n}
	all := make([]iter.Seq2[*vector.Batch, error], n)
	for i := range all {
		all[i] = func(yield func(*vector.Batch, error) bool) {
			for at := 0; ; at++ {
				f, err := t.file(at)
				if err != nil {
					yield(nil, err)
				}
				if f == nil || !t.part(f, at, i, yield) {
					return
				}
			}
		}
	}
	return all
}

// sharedWalk is the walk over files that all partitions share. Here a partition is one of
// the iterators, not a column of paths.
type sharedWalk struct {
	mu    sync.Mutex
	walk  walk
	parts int
	ended int // how many partitions have ended
	begun bool
	over  bool // there are no more files
	files []*openFile
}

// openFile is a file whose row groups the partitions claim.
type openFile struct {
	ctx    context.Context
	file   *scanner.File
	parts  []iter.Seq2[*vector.Batch, error]
	users  int         // partitions that read it
	passed int         // partitions that have finished it, or ended
	stop   func() bool // unregisters from the context
	closed bool
}

// closeUnused closes the file if no partition reads it or will read it.
func (f *openFile) closeUnused(parts int) {
	if f.users == 0 && !f.closed && (f.passed == parts || f.ctx.Err() != nil) {
		f.closed = true
		f.stop()
		f.file.Close()
	}
}

// file returns the open file number at for one more partition, nil after the last.
func (t *sharedWalk) file(at int) (f *openFile, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.begun {
		t.begun = true
		err = t.walk.start()
	}
	for err == nil && at >= len(t.files) && !t.over {
		err = t.add()
	}
	if err != nil {
		t.over = true
		return nil, err
	}
	if at >= len(t.files) {
		return nil, nil
	}
	f = t.files[at]
	if f.closed { // because the context has ended
		return nil, wrap(f.file.Name(), "", fetch.Ended(f.ctx))
	}
	f.users++
	return f, nil
}

// add opens the next file that is not excluded. A file that Offset skips is closed at once.
func (t *sharedWalk) add() error {
	w := &t.walk
	name, err := w.nextFile()
	if name == "" || err != nil {
		t.over = true
		return err
	}
	file, err := w.files.file(w.ctx, name)
	if err != nil {
		return err
	}
	o, none, err := w.optionsFor(file, w.file)
	if err != nil || none {
		file.Close()
		return err
	}
	f := &openFile{ctx: w.ctx, file: file, parts: file.Partitions(w.ctx, o, t.parts), passed: t.ended}
	f.stop = context.AfterFunc(w.ctx, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		f.closeUnused(t.parts)
	})
	t.files = append(t.files, f)
	return nil
}

// leave is called when a partition has finished a file; with ended, the partition reads
// no further file.
func (t *sharedWalk) leave(at int, ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at < len(t.files) {
		t.files[at].users--
	}
	for i := at; i < len(t.files) && (i == at || ended); i++ {
		t.files[i].passed++
		t.files[i].closeUnused(t.parts)
	}
	if ended {
		t.ended++
	}
}

// part yields the batches of partition i in a file. more reports whether the partition
// goes on to the next file.
func (t *sharedWalk) part(f *openFile, at, i int, yield func(*vector.Batch, error) bool) (more bool) {
	defer func() { t.leave(at, !more) }() // also when the host's loop panics
	for b, err := range f.parts[i] {
		if !yield(b, err) || err != nil {
			return false
		}
	}
	return true
}
