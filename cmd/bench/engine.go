package main

import (
	"context"
	"sync/atomic"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/workloads"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// result is what a scan leaves in memory.
type result struct {
	count   int64 // of a workload that counts
	batches []*vector.Batch
}

func (r *result) answer(w *workloads.Workload) *workloads.Answer {
	if w.Counts() {
		return &workloads.Answer{Rows: r.count}
	}
	return workloads.SumUp(r.batches, w.Project)
}

func (r *result) release() {
	for _, b := range r.batches {
		b.Release()
	}
	r.batches = nil
}

// engine scans for one workload. What it keeps between scans is memory.
type engine struct {
	w       *workloads.Workload
	options scanOptions
}

// poolLimit bounds the memory that one scan leaves to the next.
const poolLimit = 2 << 30

func newEngine(w *workloads.Workload, threads int, without knobs.Knobs) *engine {
	e := &engine{w: w, options: scanOptions{scanner.Options{Select: w.Project, Threads: threads, Memory: scanner.NewMemory(poolLimit)}, without}}
	if w.Where != nil {
		e.options.Filter = w.Where.Expr
	}
	return e
}

// scan opens the file and reads all that is wanted. This is what is timed.
func (e *engine) scan(ctx context.Context, r *result) error {
	f, err := scanner.Open(ctx, e.w.File)
	if err != nil {
		return err
	}
	defer f.Close()
	return e.read(ctx, f, e.options, r)
}

func (e *engine) read(ctx context.Context, f *scanner.File, o scanOptions, r *result) (err error) {
	if e.w.Counts() {
		r.count, err = o.count(ctx, f)
		return err
	}
	for b, err := range o.scan(ctx, f) {
		if err != nil {
			return err
		}
		r.batches = append(r.batches, b)
	}
	return nil
}

// traffic is what a scan cost that is not time.
type traffic struct {
	reads, bytes atomic.Int64
	stats        scanner.Stats
}

// watched is scan with counters.
func (e *engine) watched(ctx context.Context, r *result, t *traffic) error {
	src, err := fetch.Open(e.w.File)
	if err != nil {
		return err
	}
	defer src.Close()
	f, err := scanner.OpenSource(ctx, e.w.File, &counting{src, t})
	if err != nil {
		return err
	}
	o := e.options
	o.Stats = &t.stats
	return e.read(ctx, f, o, r)
}

// counting is a source that counts what is asked of it.
type counting struct {
	fetch.Source
	t *traffic
}

func (c *counting) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	c.t.reads.Add(int64(len(ranges)))
	for _, r := range ranges {
		c.t.bytes.Add(r.Len)
	}
	return c.Source.ReadRanges(ctx, ranges, alloc)
}
