package main

import (
	"context"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

func countCommand() *command {
	return &command{
		name: "count", args: "FILE...",
		summary: "count the rows of each file and of all, by their footers",
		detail: `
No data is read: a file has the rows that its row groups claim.

JSON records: file, rows; and behind several files: files, rows.`,
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

func startCount(_ context.Context, _ *options, _ []string, r *report) (*task, error) {
	var total totalRecord
	t := &table{columns: []tableColumn{{title: "file", least: 12, front: true}, {title: "rows", right: true}}}
	file := func(_ context.Context, f *input) error {
		rows, err := rowsOf(f)
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
