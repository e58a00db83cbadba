package scanner_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// Rows as structs. Of the items, only the fields that are named here are read.
func ExampleRows() {
	type Order struct {
		ID     int64 `parquet:"order_id"`
		Placed time.Time
		Items  []struct {
			SKU   string
			Price *float64
		}
	}
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/orders.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for order, err := range scanner.Rows[Order](ctx, f, scanner.Options{Filter: filter.Col("order_id").In(1000, 1001)}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(order.ID, order.Placed.Format(time.TimeOnly), len(order.Items), order.Items[0].SKU, *order.Items[0].Price)
	}
	// Output:
	// 1000 00:00:00 3 SKU-0437 418.22
	// 1001 00:00:37 1 SKU-0000 85.59
}
