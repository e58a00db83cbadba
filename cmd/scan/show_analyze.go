package main

import (
	"context"
	"strconv"
	"time"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/scanner"
)

type runRecord struct {
	Kind    string  `json:"kind"`
	File    string  `json:"file"`
	Rows    int64   `json:"rows"`
	Batches int64   `json:"batches"`
	Plan    float64 `json:"plan_seconds"`
	Scan    float64 `json:"scan_seconds"`
}

type buckets struct {
	Unread         int64 `json:"unread"`
	Undecompressed int64 `json:"undecompressed"`
	Undecoded      int64 `json:"undecoded"`
	Decoded        int64 `json:"decoded"`
}

func bucketsOf(n [column.Buckets]int64) buckets {
	return buckets{n[column.Unread], n[column.Undecompressed], n[column.Undecoded], n[column.Decoded]}
}

type columnRecord struct {
	Kind     string  `json:"kind"`
	File     string  `json:"file"`
	Column   string  `json:"column"`
	For      string  `json:"for"`
	Pages    buckets `json:"pages"`
	Bytes    buckets `json:"bytes"`
	Fetched  int64   `json:"fetched"`
	Inflated int64   `json:"inflated"`
	Values   int64   `json:"values"`
}

// analyze runs the scan, and shows what it did.
func (e *explanation) analyze(ctx context.Context) error {
	var stats scanner.Stats
	o := e.options
	o.Plan, o.Stats = e.plan, &stats
	start := time.Now()
	for b, err := range e.f.Scan(ctx, o) {
		if err != nil {
			return err
		}
		b.Release()
	}
	took := time.Since(start)
	if !e.r.tables() {
		if err := e.r.record(runRecord{"run", e.f.Name(), stats.Rows, stats.Batches, e.planned.Seconds(), took.Seconds()}); err != nil {
			return err
		}
		for i := range stats.Columns {
			c := &stats.Columns[i]
			rec := columnRecord{"column", e.f.Name(), c.Leaf.String(), e.use(c), bucketsOf(c.Pages), bucketsOf(c.Bytes), c.Fetched, c.Inflated, c.Values}
			if err := e.r.record(rec); err != nil {
				return err
			}
		}
		return nil
	}
	e.r.blank()
	e.r.heading("Run", plural(stats.Rows, "row")+" in "+plural(stats.Batches, "batch")+"; planned in "+milliseconds(e.planned)+", scanned in "+milliseconds(took))
	t := &table{indent: "  ", columns: []tableColumn{
		{title: "column", least: 12, front: true}, {title: "for"},
		{title: "pages unread", right: true}, {title: "headers only", right: true}, {title: "not decoded", right: true}, {title: "decoded", right: true},
		{title: "unread", right: true}, {title: "fetched", right: true}, {title: "inflated", right: true}, {title: "values", right: true},
	}}
	some := func(n int64) string { return numberIf(n > 0, n) }
	for i := range stats.Columns {
		c := &stats.Columns[i]
		t.add(c.Leaf.String(), e.use(c), some(c.Pages[column.Unread]), some(c.Pages[column.Undecompressed]), some(c.Pages[column.Undecoded]), some(c.Pages[column.Decoded]),
			size(c.Bytes[column.Unread]), size(c.Fetched), size(c.Inflated), some(c.Values))
	}
	e.limited(t, "column")
	return nil
}

// use says what a column is read for.
func (e *explanation) use(c *scanner.ColumnStats) string {
	filters, returned := false, len(e.o.columns) == 0
	if e.program != nil {
		for _, leaf := range e.program.Leaves() {
			filters = filters || leaf == c.Leaf
		}
	}
	if nodes, err := e.o.columns.nodes(e.f.Schema()); err == nil {
		for _, n := range nodes {
			returned = returned || n.FirstLeaf <= c.Leaf.FirstLeaf && c.Leaf.FirstLeaf < n.EndLeaf
		}
	} else {
		returned = !filters // a path with parts left out
	}
	switch {
	case filters && returned:
		return "both"
	case filters:
		return "filter"
	}
	return "result"
}

func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 1, 64) + " ms"
}
