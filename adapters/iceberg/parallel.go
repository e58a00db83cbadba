package icebergscan

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/apache/iceberg-go/table"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
)

// ahead is how many batches of a task wait for their turn while others are read.
const ahead = 4

// item is what a task gives: a batch or the error that ended it.
type item struct {
	batch *vector.Batch
	err   error
}

// parallel reads tasks in n goroutines, and yields their batches in the order of tasks. Tasks
// are begun in order, so one of the goroutines always has the task whose turn it is.
func (r *Reader) parallel(ctx context.Context, tasks []table.FileScanTask, o scanner.Options, d *deletes, n int, yield func(*vector.Batch, error) bool) {
	ctx, cancel := context.WithCancel(ctx)
	queues := make([]chan item, len(tasks))
	for i := range queues {
		queues[i] = make(chan item, ahead)
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	for range n {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(tasks)); i = next.Add(1) - 1 {
				for b, err := range r.task(ctx, &tasks[i], o, d) {
					select {
					case queues[i] <- item{b, err}:
						continue
					case <-ctx.Done():
						return
					}
				}
				close(queues[i])
			}
		})
	}
	for _, queue := range queues {
		for more := true; more; {
			var got item
			select {
			case got, more = <-queue:
			case <-ctx.Done():
				got = item{err: context.Cause(ctx)}
			}
			if (more || got.err != nil) && (!yield(got.batch, got.err) || got.err != nil) {
				return
			}
		}
	}
}
