package arrowscan_test

import (
	"context"
	"fmt"
	"log"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

func ExampleNewReader() {
	ctx := context.Background()
	file, err := scanner.Open(ctx, "../../testdata/orders.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	where, err := filter.Parse("order_id BETWEEN 1000 AND 1002")
	if err != nil {
		log.Fatal(err)
	}
	query := scanner.Options{Select: []string{"order_id", "customer.name"}, Filter: where}
	r, err := arrowscan.NewReader(ctx, file, query, arrowscan.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Release()
	fmt.Println(r.Schema().Field(1).Type)
	for r.Next() {
		fmt.Println(r.RecordBatch().Column(0), r.RecordBatch().Column(1))
	}
	if err := r.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// struct<name: string_view>
	// [1000 1001 1002] {["bold crate" "plain valve" "mild courier"]}
}
