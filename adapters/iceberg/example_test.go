package icebergscan_test

import (
	"context"
	"fmt"
	"os"

	"github.com/apache/iceberg-go"

	icebergscan "github.com/winnow-scan/winnow/adapters/iceberg"
	"github.com/winnow-scan/winnow/adapters/iceberg/internal/tables"
	"github.com/winnow-scan/winnow/scanner"
)

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
	tbl.Append(`{"id": 1, "price": 99.5}, {"id": 2, "price": 100.5}, {"id": 3, "price": 250}`)
	tbl.DeleteEqual([]string{"id"}, `{"id": 3}`)

	r, err := icebergscan.NewReader(ctx, tbl.Table, icebergscan.Query{
		Select: []string{"id", icebergscan.RowPosition},
		Filter: iceberg.GreaterThan(iceberg.Reference("price"), 100.0),
	})
	if err != nil {
		panic(err)
	}
	tasks, err := r.PlanFiles(ctx)
	if err != nil {
		panic(err)
	}
	for batch, err := range r.Scan(ctx, tasks, scanner.Options{}) {
		if err != nil {
			panic(err)
		}
		for i := range batch.Len {
			fmt.Println("id", batch.Columns[0].Int64s[i], "at", batch.Columns[1].Int64s[i])
		}
		batch.Release()
	}
	// Output: id 2 at 1
}
