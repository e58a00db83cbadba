package bench

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// A Scan opens the workload's file and reads what is wanted into memory: that is timed. Answer
// sums up what was read, and lets go of it. Scans may leave memory to the next, and no more.
type Scan func(ctx context.Context) (answer func() (*Answer, error), err error)

// ownScan is a way in which winnow itself reads a workload's file.
type ownScan struct {
	name  string
	whole bool // all rows, of the columns that the workload names
	cold  bool // each run finds nothing of the file in the system's memory
}

func ownScans() []ownScan {
	return []ownScan{{"scan", false, false}, {"full", true, false}, {"cold", false, true}, {"full-cold", true, true}}
}

// winnow scans for one workload.
type winnow struct {
	w       *Workload
	options scanOptions
}

// poolLimit bounds the memory that one scan leaves to the next.
const poolLimit = 2 << 30

func prepare(w *Workload, threads int, force []strategy) *winnow {
	e := &winnow{w: w}
	e.options.Select, e.options.Threads, e.options.Memory = w.Project, threads, scanner.NewMemory(poolLimit)
	if w.Where != nil {
		e.options.Filter = w.Where.Expr
	}
	for _, s := range force {
		s.set(&e.options.knobs)
	}
	return e
}

// widen has e read all rows, of the columns that the workload returns and those of its condition.
func (e *winnow) widen(ctx context.Context) error {
	f, err := scanner.Open(ctx, e.w.File)
	if err != nil {
		return err
	}
	defer f.Close()
	o := e.options
	o.Stats = &scanner.Stats{}
	if _, err := o.count(ctx, f); err != nil {
		return err
	}
	columns := slices.Clone(e.w.Project)
	for _, c := range o.Stats.Columns { // a count reads those of the condition
		top := c.Leaf.Path()[0]
		within := func(column string) bool { path, err := schema.ParsePath(column); return err == nil && path[0] == top }
		if columns != nil && !slices.ContainsFunc(columns, within) {
			columns = append(columns, schema.FormatPath([]string{top}))
		}
	}
	e.w = &Workload{Name: e.w.Name, File: e.w.File, Project: columns}
	e.options.Select, e.options.Filter = columns, nil
	return nil
}

// scan is a Scan.
func (e *winnow) scan(ctx context.Context) (answer func() (*Answer, error), err error) {
	f, err := scanner.Open(ctx, e.w.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return e.read(ctx, f, e.options)
}

func (e *winnow) read(ctx context.Context, f *scanner.File, o scanOptions) (answer func() (*Answer, error), err error) {
	if e.w.Counts() {
		rows, err := o.count(ctx, f)
		return func() (*Answer, error) { return &Answer{Rows: rows}, nil }, err
	}
	var batches []*vector.Batch
	for b, err := range o.scan(ctx, f) {
		if err != nil {
			return nil, err
		}
		batches = append(batches, b)
	}
	return func() (*Answer, error) {
		a := SumUp(batches, e.w.Project)
		for _, b := range batches {
			b.Release()
		}
		return a, nil
	}, nil
}

// traffic is what a scan cost that is not time.
type traffic struct {
	reads, bytes atomic.Int64
	stats        scanner.Stats
}

// watched returns a Scan that counts what it costs.
func (e *winnow) watched(t *traffic) Scan {
	return func(ctx context.Context) (answer func() (*Answer, error), err error) {
		src, err := fetch.Open(e.w.File)
		if err != nil {
			return nil, err
		}
		defer src.Close()
		f, err := scanner.OpenSource(ctx, e.w.File, &counting{src, t})
		if err != nil {
			return nil, err
		}
		o := e.options
		o.Stats = &t.stats
		return e.read(ctx, f, o)
	}
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
