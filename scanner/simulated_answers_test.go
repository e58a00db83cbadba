package scanner_test

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
)

// storeTable is one file of a simulated store, or several.
type storeTable interface {
	Scan(context.Context, scanner.Options) iter.Seq2[*vector.Batch, error]
	Count(context.Context, scanner.Options) (int64, error)
	Top(context.Context, scanner.Order, scanner.Options) iter.Seq2[*vector.Batch, error]
	Max(context.Context, string, scanner.Options) (vector.Scalar, error)
	Partitions(context.Context, scanner.Options, int) []iter.Seq2[*vector.Batch, error]
}

// storeQuestion returns the ids of the rows of an answer, or a value in place of them.
type storeQuestion func(context.Context, storeTable, scanner.Options) ([]int64, error)

// found is what a question needs, and its answer.
type found struct {
	needs
	ids []int64
}

// storeRow is a row of several files.
type storeRow struct {
	file *storeFile
	row  int
}

// column returns the numbers of a column that questions are about.
func (f *storeFile) column(name string, row int) int64 {
	if name == "c5" {
		return int64(f.c5[row])
	}
	return int64(row)
}

// rowsBy returns the rows that pass, those with the greatest values of a column first.
func rowsBy(files []*storeFile, column string, pass func(f *storeFile, row int) bool) (rows []storeRow) {
	for _, f := range files {
		for row := range f.v {
			if pass(f, row) {
				rows = append(rows, storeRow{f, row})
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b storeRow) int {
		return cmp.Compare(b.file.column(column, b.row), a.file.column(column, a.row))
	})
	return rows
}

// reaching adds the pages of columns, where the bounds of the page of a column that has a row reach a value.
func (n *needs) reaching(f *storeFile, column string, least int64, columns []string) {
	greatest := make([]int64, len(f.v)/storePageRows)
	for row := range f.v {
		p := row / storePageRows
		greatest[p] = max(greatest[p], f.column(column, row))
	}
	n.pages(f, columns, func(row int) bool { return greatest[row/storePageRows] >= least })
}

// greatestRows is what the rows with the greatest values of a column, the first of those that pass, need.
// Values are wanted in place of rows if none is returned.
func greatestRows(column string, most int, filter string, pass func(f *storeFile, row int) bool, returned bool) func(files []*storeFile) found {
	return func(files []*storeFile) (x found) {
		rows := rowsBy(files, column, pass)[:most]
		if len(files) > 1 {
			x.trips = append(x.trips, "first footer, which shows that files are far")
		}
		x.trips = append(x.trips, "footers and indexes")
		read, offsets := []string{column}, []string{column}
		if filter != "" {
			x.trips = append(x.trips, "pages of "+filter)
			read = append(read, filter)
		}
		if x.trips = append(x.trips, "pages of "+column); returned {
			x.trips = append(x.trips, "rows")
			offsets = storeColumns
		}
		x.guess, x.cancelled = 256<<10, 256<<10 // to find rows and to read them are two scans
		last := rows[most-1].file.column(column, rows[most-1].row)
		for _, f := range files {
			x.footer(f)
			x.index(f, 0, len(f.Footer.RowGroups), []string{column}, offsets)
			x.reaching(f, column, last, read)
			if !returned || len(files) > 1 {
				var pages needs
				pages.pages(f, read, anyRow)
				x.guess += pages.bytes
			}
			if returned {
				others := slices.DeleteFunc(slices.Clone(storeColumns), func(name string) bool { return slices.Contains(read, name) })
				x.pages(f, others, func(row int) bool { return slices.Contains(rows, storeRow{f, row}) })
			}
		}
		for _, r := range rows {
			x.ids = append(x.ids, int64(r.row))
		}
		if !returned {
			x.ids = []int64{last}
		}
		return x
	}
}

// storeQuestions are other questions than scans.
func storeQuestions() []storeShape {
	every := func(*storeFile, int) bool { return true }
	isV := func(f *storeFile, row int) bool { return f.v[row] == 7 }
	top := func(by string) storeQuestion {
		return func(ctx context.Context, from storeTable, o scanner.Options) ([]int64, error) {
			_, ids, err := idsOf(from.Top(ctx, scanner.Order{By: by, Descending: true}, o))
			return ids, err
		}
	}
	greatest := func(ctx context.Context, from storeTable, o scanner.Options) ([]int64, error) {
		v, err := from.Max(ctx, "c5", o)
		n, _ := v.Int64()
		return []int64{n}, err
	}
	// As "scan describe" does.
	describe := func(ctx context.Context, from storeTable, o scanner.Options) (ids []int64, err error) {
		var mu sync.Mutex
		var running sync.WaitGroup
		for _, part := range from.Partitions(ctx, o, 2) {
			running.Go(func() {
				_, some, fault := idsOf(part)
				mu.Lock()
				defer mu.Unlock()
				if ids = append(ids, some...); fault != nil {
					err = fault
				}
			})
		}
		running.Wait()
		return sorted(ids), err
	}
	partitions := func(ctx context.Context, from storeTable, o scanner.Options) (ids []int64, err error) {
		for _, part := range from.Partitions(ctx, o, 1) {
			_, ids, err = idsOf(part)
		}
		return sorted(ids), err
	}
	sample := func(ctx context.Context, from storeTable, o scanner.Options) (ids []int64, err error) {
		o.Rows = make(vector.RowSet, storeGroups)
		for i := range o.Rows {
			o.Rows[i] = o.Rows[i].Append(int64(i)*7919, int64(i)*7919+1)
		}
		_, ids, err = idsOf(from.Scan(ctx, o))
		return ids, err
	}
	all := func(columns []string, trips []string, pass func(row int) bool) func(files []*storeFile) found {
		return func(files []*storeFile) (x found) {
			x.trips = trips
			before := 0
			for _, f := range files {
				x.footer(f)
				x.pages(f, columns, func(row int) bool { return pass(before + row) })
				for row := range f.v {
					if pass(before + row) {
						x.ids = append(x.ids, int64(row))
					}
				}
				before += len(f.v)
			}
			return x
		}
	}
	ten := scanner.Options{Limit: 10}
	footers := []string{"first footer, which shows that files are far", "other footers", "pages"}
	inOrder := func(of func([]*storeFile) found) func([]*storeFile) found {
		return func(files []*storeFile) found {
			x := of(files)
			x.ids = sorted(x.ids)
			return x
		}
	}
	const skipped = 550_000
	isNext := func(row int) bool { return row >= skipped && row < skipped+10 }
	isSampled := func(row int) bool { return row%storeRows == row/storeRows*7919 }
	return []storeShape{
		{name: "top 10 by id", ask: top("id"), o: ten, bar: 1.5, found: greatestRows("id", 10, "", every, true)},
		{name: "top 10 by c5", ask: top("c5"), o: ten, bar: 1.5, found: greatestRows("c5", 10, "", every, true)},
		{name: "top 10 of one percent by id", where: "v = 7", ask: top("id"), o: ten, bar: 1.5, found: greatestRows("id", 10, "v", isV, true)},
		{name: "top 10 of one percent by c5", where: "v = 7", ask: top("c5"), o: ten, bar: 1.5, found: greatestRows("c5", 10, "v", isV, true)},
		{name: "max of one percent", where: "v = 7", ask: greatest, bar: 1.5, found: greatestRows("c5", 1, "v", isV, false)},
		{name: "offset 550000", o: scanner.Options{Offset: skipped, Limit: 10}, bar: 1.5, found: all(storeColumns, []string{"footer and indexes", "pages"}, isNext)},
		{name: "sample", ask: sample, bar: 1.5, found: all(storeColumns, []string{"footer and indexes", "pages"}, isSampled)},
		{name: "describe", ask: describe, bar: 1.5, found: inOrder(all(storeColumns, []string{"footer", "pages"}, anyRow))},
		{name: "nine files top 10 by id", files: true, ask: top("id"), o: ten, bar: 1.5, found: greatestRows("id", 10, "", every, true)},
		{name: "nine files top 10 by c5", files: true, ask: top("c5"), o: ten, bar: 1.5, found: greatestRows("c5", 10, "", every, true)},
		{name: "nine files max of one percent", files: true, where: "v = 7", ask: greatest, bar: 1.5, found: greatestRows("c5", 1, "v", isV, false)},
		{name: "nine files offset 550000", files: true, o: scanner.Options{Offset: skipped, Limit: 10}, bar: 1.5, found: all(storeColumns, footers, isNext)},
		{name: "nine files partitions", files: true, ask: partitions, bar: 1.3, found: inOrder(all(storeColumns, footers, anyRow))},
	}
}

func sorted(ids []int64) []int64 {
	slices.Sort(ids)
	return ids
}
