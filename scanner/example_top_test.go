package scanner_test

import (
	"context"
	"fmt"
	"log"

	"github.com/winnow-scan/winnow/scanner"
)

// The two newest orders. No more is read than the pages that can hold them.
func ExampleFile_Top() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/orders.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	o := scanner.Options{Select: []string{"order_id", "customer.name"}, Limit: 2}
	for batch, err := range f.Top(ctx, scanner.Order{By: "placed", Descending: true}, o) {
		if err != nil {
			log.Fatal(err)
		}
		names := batch.Columns[1].Children[0]
		for row, id := range batch.Columns[0].Int64s {
			fmt.Printf("%d %s\n", id, names.Bytes(row))
		}
	}
	// Output:
	// 3999 patient crate
	// 3998 quiet valve
}
