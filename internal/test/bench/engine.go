package bench

import (
	"context"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// ownScan is a way in which winnow itself reads a workload's file.
type ownScan struct {
	name  string
	whole bool               // all rows, of the columns that the workload returns and those of its condition
	cold  bool               // each run finds nothing of the file in the system's memory
	force func(*knobs.Knobs) // nil: the scan chooses
}

func ownScans() []ownScan {
	return []ownScan{{name: "scan"}, {name: "full", whole: true}, {name: "cold", cold: true}, {name: "full-cold", whole: true, cold: true}}
}

// scanOptions are those of a scan, with the knobs that no host has.
type scanOptions struct {
	scanner.Options
	knobs knobs.Knobs
}

// scan runs a scan of f.
func (o *scanOptions) scan(ctx context.Context, f *scanner.File) iter.Seq2[*vector.Batch, error] {
	return f.Scan(knobs.With(ctx, o.knobs), o.Options)
}

// count counts the rows of a scan of f.
func (o *scanOptions) count(ctx context.Context, f *scanner.File) (int64, error) {
	return f.Count(knobs.With(ctx, o.knobs), o.Options)
}

// winnow scans for one workload.
type winnow struct {
	w       *Workload
	options scanOptions
}

// poolLimit bounds the memory that one scan leaves to the next.
const poolLimit = 2 << 30

func prepare(w *Workload, threads int, force func(*knobs.Knobs)) *winnow {
	e := &winnow{w: w}
	e.options.Select, e.options.Threads, e.options.Resources = w.Project, threads, &scanner.Resources{Reuse: poolLimit}
	if w.Where != nil {
		e.options.Filter = w.Where.Expr
	}
	if force != nil {
		force(&e.options.knobs)
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

// scan opens the workload's file and reads what is wanted into memory: that is timed. Answer
// sums up what was read, and lets go of it. Scans may leave memory to the next, and no more.
func (e *winnow) scan(ctx context.Context) (answer func() *Answer, err error) {
	f, err := scanner.Open(ctx, e.w.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return e.read(ctx, f, e.options)
}

func (e *winnow) read(ctx context.Context, f *scanner.File, o scanOptions) (answer func() *Answer, err error) {
	if e.w.Counts() {
		rows, err := o.count(ctx, f)
		return func() *Answer { return &Answer{Rows: rows} }, err
	}
	var batches []*vector.Batch
	for b, err := range o.scan(ctx, f) {
		if err != nil {
			return nil, err
		}
		batches = append(batches, b)
	}
	return func() *Answer {
		a := SumUp(batches, e.w.Project)
		for _, b := range batches {
			b.Release()
		}
		return a
	}, nil
}

// traffic is what a scan cost that is not time.
type traffic struct {
	reads, bytes atomic.Int64
	stats        scanner.Stats
}

// watched is a scan whose cost is counted.
func (e *winnow) watched(ctx context.Context, t *traffic) (answer func() *Answer, err error) {
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
