package arrowscan_test

import (
	"context"
	"fmt"
	"log"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// show prints some rows of a file.
func show(ctx context.Context, path string) error {
	file, err := scanner.Open(ctx, path)
	if err != nil {
		return err
	}
	defer file.Close()
	where, err := filter.Parse("order_id BETWEEN 1000 AND 1002")
	if err != nil {
		return err
	}
	query := scanner.Options{Select: []string{"order_id", "customer.name"}, Filter: where}
	r, err := arrowscan.NewReader(ctx, file, query, arrowscan.Options{})
	if err != nil {
		return err
	}
	defer r.Release()
	for r.Next() {
		fmt.Println(r.RecordBatch().Column(0), r.RecordBatch().Column(1))
	}
	return r.Err()
}

func ExampleNewReader() {
	if err := show(context.Background(), "../../testdata/orders.parquet"); err != nil {
		log.Fatal(err)
	}
	// Output: [1000 1001 1002] {["bold crate" "plain valve" "mild courier"]}
}
