package scanner

import (
	"errors"
	"math"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// Options that make no sense are an error of their own kind, with the file's name,
// whatever they are for.
func TestOptionsThatMakeNoSense(t *testing.T) {
	f := filterable(t, someRows(30))
	for name, o := range map[string]Options{
		"offset":         {Offset: -1},
		"limit":          {Limit: -1},
		"rows":           {BatchRows: -1},
		"bytes":          {BatchBytes: -1},
		"threads":        {Threads: -1},
		"page":           {MaxPageBytes: -1},
		"two selections": {Select: []string{"id"}, Want: []Want{{Name: "id", Type: vector.Type{Physical: vector.Int64}}}},
		"empty range":    {Rows: vector.RowSet{{{From: 3, To: 3}}}},
		"below zero":     {Rows: vector.RowSet{{{From: -3, To: 3}}}},
		"no order":       {Rows: vector.RowSet{{{From: 5, To: 9}, {From: 2, To: 4}}}},
		"overlap":        {Rows: vector.RowSet{{{From: 0, To: 9}, {From: 8, To: 10}}}},
		"number":         {RowNumber: "id"},
		"number, other":  {Select: []string{"s"}, RowNumber: "id"},
	} {
		for way, run := range ways {
			if (way != "Scan" && way != "Scan with threads" && way != "Partitions") && o.RowNumber != "" {
				continue // no columns
			}
			if way == "Top" && o.Limit != 0 || way == "Scan with threads" && o.Threads != 0 {
				continue // it chooses its own
			}
			err := run(t.Context(), f, o)
			var e *Error
			if !errors.Is(err, ErrOptions) || !errors.As(err, &e) || e.File != f.Name() {
				t.Errorf("%s, %s: %v", name, way, err)
			}
		}
	}
}

// A limit of no rows can be said; the zero Options stand for all.
func TestLimitOfNone(t *testing.T) {
	f := filterable(t, someRows(30))
	all := scannertest.Parsed(t, "id >= 0")
	for _, tc := range []struct {
		o    Options
		rows int64
	}{
		{Options{}, 30}, {Options{Limited: true}, 0}, {Options{Limit: 7}, 7}, {Options{Limit: 7, Limited: true}, 7},
		{Options{Limited: true, Filter: all}, 0}, {Options{Limit: 7, Limited: true, Filter: all}, 7},
		{Options{Limited: true, Offset: 5}, 0}, {Options{Limited: true, Limit: math.MaxInt64, Offset: 5, Filter: all}, 25},
	} {
		rows := int64(0)
		for b, err := range f.Scan(t.Context(), tc.o) {
			if err != nil {
				t.Fatal(err)
			}
			rows += int64(b.Len)
		}
		n, err := f.Count(t.Context(), tc.o)
		if rows != tc.rows || n != tc.rows || err != nil {
			t.Errorf("%+v: %d rows, counted %d, %v, want %d", tc.o, rows, n, err, tc.rows)
		}
		top := int64(0)
		for b, err := range f.Top(t.Context(), Order{By: "id"}, tc.o) {
			if err != nil {
				t.Fatal(err)
			}
			top += int64(b.Len)
		}
		if top != tc.rows {
			t.Errorf("%+v: the first %d rows, want %d", tc.o, top, tc.rows)
		}
	}
}
