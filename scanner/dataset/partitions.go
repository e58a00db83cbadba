package dataset

import (
	"context"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/lookahead"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
)

// Partitions returns n iterators over disjoint parts of the rows of Scan, as
// File.Partitions does. All iterators claim row groups of one file until none is left, and
// go on to the next file. A file stays open until each iterator has finished it or
// ended, or the context is done. The next far files are opened meanwhile, and two of them begin to read.
func (fs *Files) Partitions(ctx context.Context, o scanner.Options, n int) []iter.Seq2[*vector.Batch, error] {
	n = max(1, n)
	shareMemory(&o)
	t := &sharedWalk{walk: walk{files: fs, ctx: ctx, opts: o, offsetLeft: o.Offset, limitLeft: o.Limit, countFirst: true}, beginning: make(chan struct{}, 1), at: make([]int, n), reading: make([]*openFile, n), open: map[int]*openFile{}}
	all := make([]iter.Seq2[*vector.Batch, error], n)
	for i := range all {
		all[i] = func(yield func(*vector.Batch, error) bool) {
			defer t.leave(i, ended) // also when the host's loop panics
			for at := 0; ; at++ {
				part, err := t.part(i, at)
				if err != nil {
					yield(nil, err)
				}
				if part == nil {
					return
				}
				for b, err := range part {
					if !yield(b, err) || err != nil {
						return
					}
				}
				t.leave(i, at+1)
			}
		}
	}
	return all
}

// ended is behind all files.
const ended = math.MaxInt

// sharedWalk is the walk over files that all partitions share. Here a partition is one of
// the iterators, not a column of paths.
type sharedWalk struct {
	walk  walk
	ahead *ahead // opens the files of the walk, and settles one after the other

	beginning chan struct{} // has an element while a partition begins the walk
	begun     bool

	mu    sync.Mutex
	queue *lookahead.Queue[*openFile]     // nil: the walk has not begun, or cannot
	files []*lookahead.Opening[*openFile] // those that a partition has come to
	over  bool                            // there are no more files
	open  map[int]*openFile               // those that partitions have come to and that are not closed
	stop  func() bool                     // unregisters from the context

	at      []int       // the number of the file that each partition reads, or comes to next
	reading []*openFile // nil: the partition reads none
}

// openFile is a file whose row groups the partitions claim.
type openFile struct {
	*opened                                   // nil: no row of the file is wanted
	parts   []iter.Seq2[*vector.Batch, error] // that no partition has taken; the first has begun if files are far
	end     func()                            // ends the first
	closed  bool
}

func (f *openFile) close() {
	if f.opened != nil && !f.closed {
		f.closed = true
		f.end()
		f.opened.close()
	}
}

// part returns a part of file number at for partition i, nil after the last file.
func (t *sharedWalk) part(i, at int) (part iter.Seq2[*vector.Batch, error], err error) {
	next, err := t.file(at)
	var f *openFile
	if next != nil {
		f, err = next.Wait()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case err != nil && next != nil && at >= len(t.files): // another partition has told the error
		return nil, nil
	case err != nil:
		t.files, t.over = t.files[:min(at, len(t.files))], true
		return nil, detach.Rethrow(err)
	case f == nil:
		return nil, nil
	case f.opened == nil:
		return func(func(*vector.Batch, error) bool) {}, nil
	case f.closed: // because the context has ended
		return nil, wrap(f.file.Name(), "", fetch.Ended(t.walk.ctx))
	}
	part, f.parts = f.parts[0], f.parts[1:]
	t.open[at], t.reading[i] = f, f
	return part, nil
}

// file returns the opening of file number at, nil after the last.
func (t *sharedWalk) file(at int) (*lookahead.Opening[*openFile], error) {
	if err := t.begin(); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for at >= len(t.files) && t.queue != nil && !t.over {
		t.over = true // if the host panics
		if next := t.queue.Next(); next != nil {
			t.files, t.over = append(t.files, next), false
		}
	}
	if at >= len(t.files) {
		return nil, nil
	}
	return t.files[at], nil
}

// begin begins the walk, if no partition has.
func (t *sharedWalk) begin() error {
	t.beginning <- struct{}{}
	defer func() { <-t.beginning }()
	if t.begun {
		return nil
	}
	t.begun = true
	if err := t.walk.start(); err != nil {
		return err
	}
	most := maxBegun
	if t.ahead = t.walk.ahead(maxAhead); t.ahead == nil {
		most, t.ahead = 1, newAhead(t.walk.queue, 0)
		t.ahead.settle = t.walk.settle
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue = lookahead.New(most, t.next, (*openFile).close)
	t.stop = context.AfterFunc(t.walk.ctx, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.closeUnused()
	})
	return nil
}

// maxBegun is how many far files partitions have begun at the same time, each of which prefetches: one
// is read, one comes, and one was just asked for.
const maxBegun = 3

// next returns what opens the next file, see lookahead.New.
func (t *sharedWalk) next() func() (*openFile, error) {
	number, opening := t.ahead.claim()
	if opening == nil {
		return nil
	}
	return func() (*openFile, error) {
		f := &openFile{end: func() {}}
		x, err := opening.Wait()
		return f, detach.Catch(func() error {
			admitted, fault := t.ahead.admit(number, x, 0)
			switch {
			case admitted && err != nil:
				return err
			case admitted:
				f.opened = x
				t.beginParts(f)
			case x != nil:
				x.close()
			}
			return fault
		})
	}
}

// beginParts makes the parts of a file. If files are far, the first part reads its first batch.
func (t *sharedWalk) beginParts(f *openFile) {
	f.parts = f.file.Partitions(t.walk.queue.ctx, f.opts, len(t.at))
	if t.walk.readAhead == 0 {
		return
	}
	panics := detach.Catch(func() error {
		f.parts[0], f.end = lookahead.Begin(f.parts[0])
		return nil
	})
	if panics != nil {
		f.parts[0] = func(func(*vector.Batch, error) bool) { _ = detach.Rethrow(panics) }
	}
}

// leave is called when partition i has finished the files before number at.
func (t *sharedWalk) leave(i, at int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.at[i], t.reading[i] = at, nil
	t.closeUnused()
}

// closeUnused closes the files that no partition reads or will read, and ends the walk if none will want another.
func (t *sharedWalk) closeUnused() {
	first := slices.Min(t.at)
	over := t.walk.ctx.Err() != nil
	for at, f := range t.open {
		if (at < first || over) && !slices.Contains(t.reading, f) {
			f.close()
			delete(t.open, at)
		}
	}
	if t.queue != nil && (first == ended || over) {
		t.over = true
		t.stop()
		t.walk.queue.end()
		t.queue.Stop()
	}
}
