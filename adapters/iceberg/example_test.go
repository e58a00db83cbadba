package icebergscan_test

import (
	"context"
	"fmt"
	"os"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	icebergscan "github.com/winnow-scan/winnow/adapters/iceberg"
	"github.com/winnow-scan/winnow/adapters/iceberg/internal/tables"
	"github.com/winnow-scan/winnow/scanner"
)

// show prints the rows of a table whose price is above 100.
func show(ctx context.Context, tbl *table.Table) error {
	r, err := icebergscan.NewReader(ctx, tbl, icebergscan.Query{Filter: iceberg.GreaterThan(iceberg.Reference("price"), 100.0)})
	if err != nil {
		return err
	}
	tasks, err := r.PlanFiles(ctx)
	if err != nil {
		return err
	}
	records, err := r.Records(ctx, tasks, scanner.Options{Threads: 4}, arrowscan.Options{})
	if err != nil {
		return err
	}
	defer records.Release()
	for records.Next() {
		fmt.Println(records.RecordBatch().Column(0), records.RecordBatch().Column(1))
	}
	return records.Err()
}

func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	// A table that iceberg-go writes. Others are loaded from a catalog.
	tbl := tables.New(ctx, dir).Create("orders", 2, []iceberg.NestedField{
		{ID: 1, Name: "id", Type: iceberg.PrimitiveTypes.Int64}, {ID: 2, Name: "price", Type: iceberg.PrimitiveTypes.Float64},
	}, nil, nil)
	tbl.Append(`{"id": 1, "price": 99.5}, {"id": 2, "price": 100.5}, {"id": 3, "price": 250}, {"id": 4, "price": 300}`)
	tbl.DeleteEqual([]string{"id"}, `{"id": 3}`)
	if err := show(ctx, tbl.Table); err != nil {
		panic(err)
	}
	// Output: [2 4] [100.5 300]
}
