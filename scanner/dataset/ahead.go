package dataset

import (
	"context"
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/budget"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
	"github.com/winnow-scan/winnow/scanner/internal/reorder"
)

const (
	// maxAhead bounds how many far files are open at the same time.
	maxAhead = 16

	// filterShare is the share of a file's bytes that a scan with a filter is assumed to read.
	filterShare = 8

	// maxWaiting bounds the bytes of batches of later files that wait for their turn.
	maxWaiting = 64 << 20
)

// ahead goes through far files of which several are opened and read at the same time:
//
//	open   [0][1][2][3][4]          all that fit, in order
//	read      [0    ][1   ][2   ]   as soon as there is room for what they will request
type ahead struct {
	walk  *walk
	first *opened // the first file, which has shown that files are far

	mu       sync.Mutex
	change   sync.Cond
	next     int   // how many files are claimed
	admitted int   // how many files have begun to read
	bytes    int64 // that files which read now will request
	most     int64 // bound of bytes
	stopped  bool
}

// opened is an open file, and the options for its scan.
type opened struct {
	file *scanner.File
	opts scanner.Options
}

// newAhead returns an ahead if files are far, and nothing speaks against reading several at
// the same time, else nil.
func (w *walk) newAhead(f *scanner.File, o scanner.Options) *ahead {
	if len(w.files.names) == 1 || w.offsetLeft > 0 || limited(&w.opts) || len(o.Runtime) > 0 || o.Budget != nil || o.ReadAhead < 0 {
		return nil
	}
	most := f.Source().Traits().ReadAhead()
	if most == 0 {
		return nil
	}
	a := &ahead{walk: w, first: &opened{f, o}, most: 2 * most}
	a.change.L = &a.mu
	return a
}

// run calls do for each file, in goroutines, and finish with its error. Files are numbered
// in their order, from 0 on. It returns when no goroutine is left. After an error no
// further file is opened. bytes estimates what do will request of a file.
func (a *ahead) run(ctx context.Context, bytes func(*scanner.File) int64, do func(number int, f *scanner.File, o scanner.Options) error, finish func(number int, err error)) {
	stop := context.AfterFunc(ctx, a.stop)
	defer stop()
	a.walk.ctx = ctx
	var workers sync.WaitGroup
	defer workers.Wait()
	for range min(maxAhead, len(a.walk.files.names)) {
		workers.Go(func() {
			for {
				number, file, err := a.claim()
				if number < 0 {
					return
				}
				if err == nil {
					err = detach.Catch(func() error { return a.visit(number, file, bytes, do) })
				} else if !a.admit(number, 0) {
					err = nil
				}
				if finish(number, err); err != nil {
					a.stop()
				}
			}
		})
	}
}

// claim returns the number and index of the next file, -1 if there is none.
func (a *ahead) claim() (number, file int, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopped {
		return -1, 0, nil
	}
	if a.next > 0 { // the first is open already
		name, err := a.walk.nextFile()
		if name == "" && err == nil {
			return -1, 0, nil
		} else if err != nil {
			a.next++
			return a.next - 1, 0, err
		}
	}
	a.next++
	return a.next - 1, a.walk.file, nil
}

// visit opens a file, waits for room and calls do.
func (a *ahead) visit(number, file int, bytes func(*scanner.File) int64, do func(int, *scanner.File, scanner.Options) error) (err error) {
	x, w := a.first, a.walk
	if number > 0 {
		x = &opened{}
		if x.file, err = w.files.file(w.ctx, w.files.names[file]); err == nil {
			defer x.file.Close()
			x.opts, _, err = w.optionsFor(x.file, file)
		}
	}
	estimate := int64(0)
	if err == nil {
		estimate = min(bytes(x.file), a.most/2)
	}
	if !a.admit(number, estimate) {
		return nil
	}
	defer a.leave(estimate)
	if err != nil {
		return err
	}
	return do(number, x.file, x.opts)
}

// admit waits until all files before have begun to read, and there is room for the bytes of
// this one. It returns false if nothing more is to be read.
func (a *ahead) admit(number int, bytes int64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for !a.stopped && (a.admitted != number || a.bytes > 0 && a.bytes+bytes > a.most) {
		a.change.Wait()
	}
	if a.stopped {
		return false
	}
	a.admitted++
	a.bytes += bytes
	a.change.Broadcast()
	return true
}

func (a *ahead) leave(bytes int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bytes -= bytes
	a.change.Broadcast()
}

// stop ends the opening of files, and all waiting.
func (a *ahead) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopped = true
	a.change.Broadcast()
}

// share returns how many bytes of a file a scan is assumed to request; whole, if it has no
// filter, is the share of the file's bytes.
func (a *ahead) share(whole int64) func(f *scanner.File) int64 {
	filtered := a.walk.opts.Filter != nil
	return func(f *scanner.File) int64 {
		if filtered {
			return f.Source().Size() / filterShare
		}
		return f.Source().Size() * whole
	}
}

// scan yields the batches of all files, in order.
func (a *ahead) scan(yield func(*vector.Batch, error) bool) error {
	outer := a.walk.ctx
	ctx, cancel := context.WithCancel(outer)
	l := reorder.New(ctx, len(a.walk.files.names)+1, budget.New([budget.Parts]int64{budget.Waiting: maxWaiting}))
	defer l.Leave()
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	defer l.Stop()
	running.Go(func() {
		a.run(ctx, a.share(1), func(number int, f *scanner.File, o scanner.Options) error {
			for b, err := range f.Scan(ctx, o) {
				if err != nil {
					return err
				}
				if !l.Put(number, b) {
					return nil
				}
			}
			return nil
		}, l.Finish)
		for number := a.next; number <= len(a.walk.files.names); number++ {
			l.Finish(number, nil)
		}
	})
	for {
		b, err := l.Pop()
		if err != nil {
			return detach.Rethrow(err)
		}
		if b == nil {
			return a.walk.ended(outer)
		}
		if !yield(b, nil) {
			return errStop
		}
	}
}

// answers calls do for all files, several at the same time, and then take with each result, in
// the files' order, up to the first error.
func (a *ahead) answers(whole int64, do func(*scanner.File, scanner.Options) (any, error), take func(any) error) error {
	outer := a.walk.ctx
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	results := make([]any, len(a.walk.files.names)+1)
	faults := make([]error, len(results))
	done := make([]bool, len(results))
	a.run(ctx, a.share(whole), func(number int, f *scanner.File, o scanner.Options) (err error) {
		results[number], err = do(f, o)
		done[number] = true
		return err
	}, func(number int, err error) { faults[number] = err })
	for number := range a.next {
		if faults[number] != nil {
			return detach.Rethrow(faults[number])
		}
		if !done[number] {
			continue
		}
		if err := take(results[number]); err != nil {
			return err
		}
	}
	return a.walk.ended(outer)
}

// ended returns an error once ctx has ended.
func (w *walk) ended(ctx context.Context) error {
	return wrap(w.files.Name(), "", fetch.Ended(ctx))
}
