package dataset

import (
	"context"
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/lookahead"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
)

const (
	// maxAhead bounds how many far files are open at the same time.
	maxAhead = 16

	// filterShare is the share of a file's bytes that a scan with a filter is assumed to read.
	filterShare = 8

	// maxWaiting bounds the bytes of batches of later files that wait for their turn.
	maxWaiting = 64 << 20
)

// fileQueue is files that are opened when their turn comes, or some of them before.
type fileQueue struct {
	*lookahead.Queue[*opened]
	files *Files
	outer context.Context // the host's
	ctx   context.Context // of what is done with the files
	end   func()          // ends that, and closes the files that were opened for nobody
}

// queue returns a queue of the files that next opens: it returns nil after the last.
func (fs *Files) queue(ctx context.Context, next func(context.Context) func() (*opened, error)) *fileQueue {
	q := &fileQueue{files: fs, outer: ctx}
	inner, cancel := context.WithCancel(ctx)
	q.Queue = lookahead.New(1, func() func() (*opened, error) {
		open := next(inner)
		if open == nil {
			return nil
		}
		return func() (x *opened, err error) {
			err = detach.Catch(func() error {
				x, err = open()
				return err
			})
			return x, err
		}
	}, (*opened).close)
	q.ctx, q.end = inner, func() {
		cancel()
		q.Stop()
	}
	return q
}

// each calls do for one file after the other.
func (q *fileQueue) each(do func(*opened) error) error {
	for next := q.Next(); next != nil; next = q.Next() {
		x, err := next.Wait()
		if err == nil {
			err = x.use(do)
		}
		if err != nil {
			return detach.Rethrow(err)
		}
	}
	return nil
}

// opened is an open file, and the options for its scan.
type opened struct {
	file  *scanner.File
	opts  scanner.Options
	index int  // of the file
	first bool // no file was opened before
}

func (x *opened) close() { x.file.Close() }

// use calls do, and closes the file.
func (x *opened) use(do func(*opened) error) error {
	defer x.close()
	return do(x)
}

// scan calls yield with the batches of the file. It returns errStop once that returns false.
func (x *opened) scan(ctx context.Context, yield func(*vector.Batch) bool) error {
	for b, err := range x.file.Scan(ctx, x.opts) {
		if err != nil {
			return err
		}
		if !yield(b) {
			return errStop
		}
	}
	return nil
}

// ahead goes through far files of which several are opened and read at the same time:
//
//	open   [0][1][2][3][4]          all that fit, in order
//	read      [0    ][1   ][2   ]   as soon as there is room for what they will request
type ahead struct {
	*fileQueue
	settle func(context.Context, *opened) (skipped bool, err error) // called for one file after the other, nil if it could not be opened; nil: nothing is left to settle

	mu       sync.Mutex
	change   sync.Cond
	claimed  int   // how many files claim has returned
	admitted int   // how many files have begun to read
	bytes    int64 // that files which read now will request
	most     int64 // bound of bytes
	stopped  bool
}

// newAhead returns an ahead of the files of a queue. readAhead is how many bytes a scan of one file prefetches.
func newAhead(q *fileQueue, readAhead int64) *ahead {
	a := &ahead{fileQueue: q, most: 2 * readAhead}
	a.change.L = &a.mu
	return a
}

// estimate is how many bytes of a file, given its number among those that are read, will be requested.
type estimate func(a *ahead, number int, x *opened) int64

// run calls do for each file, several at the same time, and take with each result, in the files' order and as soon as
// it has those before. Files are numbered in that order, from 0 on. x is nil for a file that was not looked at. run
// returns the first error in that order, when no goroutine is left, and takes nothing after it. bytes estimates what do
// will request of a file.
func run[T any](a *ahead, bytes estimate, do func(number int, x *opened) (T, error), take func(x *opened, v T) error) error {
	type result struct {
		of    *opened
		value T
	}
	defer context.AfterFunc(a.ctx, a.stop)()
	results := lookahead.New(maxAhead, func() func() (result, error) {
		number, next := a.claim()
		if next == nil {
			return nil
		}
		return func() (r result, err error) {
			x, err := next.Wait()
			if err != nil {
				if admitted, _ := a.admit(number, nil, 0); !admitted {
					err = nil
				}
				return r, err
			}
			defer x.close()
			err = detach.Catch(func() error {
				n := bytes(a, number, x)
				if admitted, err := a.admit(number, x, n); !admitted || err != nil {
					return err
				}
				defer a.leave(n)
				r.of = x
				r.value, err = do(number, x)
				return err
			})
			return r, err
		}
	}, func(result) {})
	defer results.Stop()
	defer a.stop()
	for next := results.Next(); next != nil; next = results.Next() {
		r, err := next.Wait()
		if err == nil {
			err = take(r.of, r.value)
		}
		if err != nil {
			return err
		}
	}
	return wrap(a.files.Name(), "", fetch.Ended(a.outer))
}

// claim returns the next file and its number, nil if there is none.
func (a *ahead) claim() (number int, next *lookahead.Opening[*opened]) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.stopped {
		next = a.Next()
	}
	if number = a.claimed; next != nil {
		a.claimed++
	}
	return number, next
}

// admit waits until all files before have begun to read, and there is room for the bytes of
// this one, which is nil if it could not be opened. It returns false if nothing more is to be read, or nothing of it.
func (a *ahead) admit(number int, x *opened, bytes int64) (admitted bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for !a.stopped && (a.admitted != number || a.bytes > 0 && a.bytes+bytes > a.most) {
		a.change.Wait()
	}
	if a.stopped {
		return false, nil
	}
	defer a.change.Broadcast()
	a.admitted++
	if a.settle != nil {
		if skipped, err := a.settle(a.ctx, x); skipped || err != nil {
			return false, err
		}
	}
	a.bytes += bytes
	return true, nil
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
