package main

import (
	"context"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner"
)

func countCommand() *command {
	return &command{
		name: "count", args: "FILE...",
		summary: "count the rows of each file and of all, or those that --where lets pass",
		detail: `
Without --where no data is read: a file has the rows that its row groups claim. With it,
no column is read but those that it asks.
` + aboutWhere + `
JSON records: file, rows; and behind several files: files, rows.`,
		takes: takesWhere,
		start: startCount,
	}
}

type countRecord struct {
	File string `json:"file"`
	Rows int64  `json:"rows"`
}

type totalRecord struct {
	Files int   `json:"files"`
	Rows  int64 `json:"rows"`
}

func startCount(_ context.Context, o *options, _ []string, r *report) (*task, error) {
	var total totalRecord
	t := &table{columns: []tableColumn{{title: "file", least: 12, front: true}, {title: "rows", right: true}}}
	file := func(ctx context.Context, f *input) error {
		rows, err := f.Count(ctx, scanner.Options{Filter: o.where.expr})
		if err != nil {
			return err
		}
		if rows > maxRows-total.Rows {
			return corrupt.At(-1, "footer: its ", rows, " rows are more than can be added up")
		}
		total.Files++
		total.Rows += rows
		if r.tables() {
			t.add(f.Name(), number(rows))
			return nil
		}
		return r.record(countRecord{f.Name(), rows})
	}
	end := func() error {
		if r.tables() {
			if total.Files > 1 {
				t.add(cell{"total", bold}, cell{number(total.Rows), bold})
			}
			r.print(t)
		} else if total.Files > 1 {
			return r.record(total)
		}
		return nil
	}
	return &task{file: file, end: end}, nil
}
