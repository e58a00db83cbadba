package dataset

import (
	"context"
	"iter"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
)

// Partitions returns n iterators over disjoint parts of the rows of Scan, as
// File.Partitions does. All iterators claim row groups of one file until none is left, and
// go on to the next file. A file stays open until each iterator has finished it or
// ended, or the context is done. The next far files are opened meanwhile.
func (fs *Files) Partitions(ctx context.Context, o scanner.Options, n int) []iter.Seq2[*vector.Batch, error] {
	n = max(1, n)
	shareMemory(&o)
	t := &sharedWalk{walk: walk{files: fs, ctx: ctx, opts: o, offsetLeft: o.Offset, limitLeft: o.Limit, countFirst: true}, parts: n}
	t.change.L = &t.mu
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
	mu      sync.Mutex
	change  sync.Cond // of opening
	opening bool      // a partition opens the next file; only it uses walk then
	walk    walk
	parts   int
	ended   int // how many partitions have ended
	begun   bool
	over    bool // there are no more files
	files   []*openFile

	ahead *ahead // opens far files behind the first; nil: they are opened when a partition wants them
	end   func() // ends it
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
	for err == nil && at >= len(t.files) && !t.over {
		if t.opening {
			t.change.Wait()
		} else {
			err = t.add()
		}
	}
	if err != nil {
		t.over = true
	}
	if err != nil || at >= len(t.files) {
		t.endAhead()
		return nil, err
	}
	f = t.files[at]
	if f.closed { // because the context has ended
		return nil, wrap(f.file.Name(), "", fetch.Ended(f.ctx))
	}
	f.users++
	return f, nil
}

// add opens the next file. Without one, no more files come.
func (t *sharedWalk) add() error {
	x, err := t.open()
	if x == nil {
		t.over = true
		return err
	}
	w := &t.walk
	f := &openFile{ctx: w.ctx, file: x.file, parts: x.file.Partitions(w.ctx, x.opts, t.parts), passed: t.ended}
	f.stop = context.AfterFunc(w.ctx, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		f.closeUnused(t.parts)
		t.endAhead()
	})
	t.files = append(t.files, f)
	return nil
}

// open opens the next file, nil if there is none. It lets go of the mutex meanwhile: no other partition
// calls it then.
func (t *sharedWalk) open() (x *opened, err error) {
	t.opening = true
	t.mu.Unlock()
	returned := false // else the host's Opener panics
	defer func() {
		t.mu.Lock()
		t.opening = false
		if !returned {
			t.over = true
			t.endAhead()
		}
		t.change.Broadcast()
	}()
	for skipped := true; skipped && err == nil; {
		if x, err = t.openNext(); x == nil || err != nil {
			break
		}
		if skipped, err = t.walk.settle(t.walk.ctx, x); skipped || err != nil {
			x.file.Close()
			x = nil
		}
	}
	returned = true
	return x, err
}

// openNext is open without the mutex.
func (t *sharedWalk) openNext() (*opened, error) {
	if t.ahead != nil {
		if t.walk.ended() {
			return nil, nil
		}
		next := t.ahead.queue.Next()
		if next == nil {
			return nil, nil
		}
		x, err := next.Wait()
		return x, detach.Rethrow(err)
	}
	first := !t.begun
	if first {
		t.begun = true
		if err := t.walk.start(); err != nil {
			return nil, err
		}
	}
	x, err := t.walk.next()
	if first && x != nil {
		t.setAhead(x)
	}
	return x, err
}

// setAhead opens files behind the first one, x, ahead, if that is worth it.
func (t *sharedWalk) setAhead(x *opened) {
	a := t.walk.ahead(x)
	if a == nil {
		return
	}
	end := a.begin(t.walk.ctx, maxAhead)
	a.queue.Next() // it is x
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ahead, t.end = a, end
}

// endAhead closes the files that were opened for nobody, if no partition will want another.
func (t *sharedWalk) endAhead() {
	isOpen := func(f *openFile) bool { return !f.closed }
	if t.ahead != nil && (t.ended == t.parts || t.over && !slices.ContainsFunc(t.files, isOpen) || t.walk.ctx.Err() != nil) {
		t.end()
	}
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
	t.endAhead()
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
