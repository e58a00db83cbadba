package dataset

import (
	"context"
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/budget"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
	"github.com/winnow-scan/winnow/scanner/internal/reorder"
)

// share returns how many bytes of a file a scan with a filter is assumed to request.
func (a *ahead) share(_ int, x *opened) int64 {
	return min(x.file.Source().Size()/filterShare, a.most/2)
}

// all returns how many bytes of a file a scan is assumed to request.
func (a *ahead) all(number int, x *opened) int64 {
	if x.opts.Filter != nil {
		return a.share(number, x)
	}
	return min(x.file.Source().Size(), a.most/2)
}

// none is for questions that footers answer, unless there is a filter.
func (a *ahead) none(number int, x *opened) int64 {
	if x.opts.Filter != nil {
		return a.share(number, x)
	}
	return 0
}

// scan yields the batches of all files, in order. bytes is that of run.
func (a *ahead) scan(bytes estimate, yield func(*vector.Batch, error) bool) error {
	l := reorder.New(a.ctx, len(a.files.names)+1, budget.New([budget.Uses]int64{budget.Waiting: maxWaiting}))
	defer l.Leave()
	var running sync.WaitGroup
	defer running.Wait()
	defer a.end()
	defer l.Stop()
	running.Go(func() {
		finished := 0
		finish := func(err error) {
			l.Finish(finished, err)
			finished++
		}
		err := run(a, bytes, func(number int, x *opened) (struct{}, error) {
			return struct{}{}, x.scan(a.ctx, func(b *vector.Batch) bool { return l.Put(number, b) })
		}, func(*opened, struct{}) error {
			finish(nil)
			return nil
		})
		for finish(err); finished <= len(a.files.names); {
			finish(nil)
		}
	})
	for {
		b, err := l.Pop()
		if b == nil || err != nil {
			return detach.Rethrow(err)
		}
		if !yield(b, nil) {
			return errStop
		}
	}
}

// answers calls do for the files of a walk, one after the other, or several far ones at the same
// time. It calls take with each result, in the files' order, as soon as it has those before; never
// twice at the same time, and no more after an error. It returns the first error in that order.
func answers[T any](w *walk, bytes estimate, do func(context.Context, *opened) (T, error), take func(*opened, T) error) error {
	return w.each(func(x *opened) error {
		v, err := do(w.ctx, x)
		if err != nil {
			return err
		}
		return take(x, v)
	}, 1, func(a *ahead) error {
		return detach.Rethrow(run(a, bytes, func(_ int, x *opened) (T, error) { return do(a.ctx, x) }, func(x *opened, v T) error {
			if x == nil {
				return nil
			}
			return take(x, v)
		}))
	})
}
