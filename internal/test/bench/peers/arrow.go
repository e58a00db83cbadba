package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/internal/test/bench"
	"github.com/winnow-scan/winnow/scanner"
)

func prepareArrow(w *bench.Workload, _ int) bench.Scan {
	return func(ctx context.Context) (answer func() (*bench.Answer, error), err error) {
		if err := wholeColumns(w); err != nil {
			return nil, err
		}
		f, err := file.OpenParquetFile(w.File, true)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{BatchSize: 64 << 10}, memory.NewGoAllocator())
		if err != nil {
			return nil, err
		}
		var leaves []int
		for _, c := range w.Project {
			leaves = append(leaves, arrowLeaf(f, c))
		}
		var tables []arrow.Table
		for group := range f.NumRowGroups() {
			table, err := r.ReadRowGroups(ctx, leaves, []int{group})
			if err != nil {
				return nil, err
			}
			tables = append(tables, table)
		}
		return func() (*bench.Answer, error) { return sumTables(w, tables) }, nil
	}
}

// arrowLeaf returns the number of the leaf that a column of a workload names.
func arrowLeaf(f *file.Reader, column string) int {
	top, field, nested := strings.Cut(column, ".")
	for i := range f.MetaData().Schema.NumColumns() {
		path := f.MetaData().Schema.Column(i).ColumnPath()
		if path[0] == top && (!nested || path[len(path)-1] == field) {
			return i
		}
	}
	return -1
}

func sumTables(w *bench.Workload, tables []arrow.Table) (*bench.Answer, error) {
	a := &bench.Answer{Sums: map[string]bench.Sum{}}
	for _, table := range tables {
		a.Rows += table.NumRows()
		for _, column := range w.Project {
			name, _, _ := strings.Cut(column, ".")
			for _, at := range table.Schema().FieldIndices(name) {
				for _, chunk := range table.Column(at).Data().Chunks() {
					if err := add(a, column, chunk); err != nil {
						return nil, err
					}
				}
			}
		}
		table.Release()
	}
	return a, nil
}

// prepareRecords scans with winnow, as records of Arrow: adapters/arrow.
func prepareRecords(w *bench.Workload, threads int) bench.Scan {
	o := scanner.Options{Select: w.Project, Threads: threads, Memory: scanner.NewMemory(2 << 30)}
	if w.Where != nil {
		o.Filter = w.Where.Expr
	}
	return func(ctx context.Context) (answer func() (*bench.Answer, error), err error) {
		f, err := scanner.Open(ctx, w.File)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r, err := arrowscan.NewReader(ctx, f, o, arrowscan.Options{PlainTypes: true})
		if err != nil {
			return nil, err
		}
		defer r.Release()
		var records []arrow.RecordBatch
		for r.Next() {
			r.RecordBatch().Retain()
			records = append(records, r.RecordBatch())
		}
		return func() (*bench.Answer, error) { return sumRecords(w, records) }, r.Err()
	}
}

func sumRecords(w *bench.Workload, records []arrow.RecordBatch) (*bench.Answer, error) {
	a := &bench.Answer{Sums: map[string]bench.Sum{}}
	for _, column := range w.Project {
		a.Sums[column] = bench.Sum{}
	}
	for _, r := range records {
		a.Rows += r.NumRows()
		for i, column := range w.Project {
			if err := add(a, column, r.Column(i)); err != nil {
				return nil, err
			}
		}
		r.Release()
	}
	return a, nil
}

// add adds the values of a leaf, or of the one below lists and structs, to a column's sum.
func add(to *bench.Answer, column string, a arrow.Array) error {
	switch a := a.(type) {
	case *array.List:
		if a.Len() == 0 {
			return nil
		}
		offsets := a.Offsets()[a.Offset():]
		items := array.NewSlice(a.ListValues(), int64(offsets[0]), int64(offsets[a.Len()]))
		defer items.Release()
		return add(to, column, items)
	case *array.Struct:
		return add(to, column, a.Field(0))
	}
	value, err := valueOf(a)
	if err != nil {
		return err
	}
	s := to.Sums[column]
	for i := range a.Len() {
		if a.IsValid(i) {
			s.N++
			s.Total += value(i)
		}
	}
	to.Sums[column] = s
	return nil
}

// valueOf returns what a slot that is not NULL adds to a sum.
func valueOf(a arrow.Array) (func(i int) float64, error) {
	switch a := a.(type) {
	case *array.Dictionary:
		entry, err := valueOf(a.Dictionary())
		return func(i int) float64 { return entry(a.GetValueIndex(i)) }, err
	case *array.Boolean:
		return func(i int) float64 { return map[bool]float64{true: 1}[a.Value(i)] }, nil
	case *array.Int8:
		return number(a.Value), nil
	case *array.Int16:
		return number(a.Value), nil
	case *array.Int32:
		return number(a.Value), nil
	case *array.Date32:
		return number(a.Value), nil
	case *array.Int64:
		return number(a.Value), nil
	case *array.Timestamp: // of microseconds
		return number(a.Value), nil
	case *array.Float32:
		return number(a.Value), nil
	case *array.Float64:
		return a.Value, nil
	case interface{ Value(int) string }:
		return func(i int) float64 { return float64(len(a.Value(i))) }, nil
	case interface{ Value(int) []byte }:
		return func(i int) float64 { return float64(len(a.Value(i))) }, nil
	}
	return nil, fmt.Errorf("array of %s", a.DataType())
}

func number[T ~int8 | ~int16 | ~int32 | ~int64 | ~float32](value func(i int) T) func(i int) float64 {
	return func(i int) float64 { return float64(value(i)) }
}
