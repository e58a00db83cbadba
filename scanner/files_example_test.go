package scanner_test

import (
	"context"
	"fmt"
	"log"
	"path"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// Files of a table whose folders tell the year, opened by the host: from an
// object store, say.
func ExampleFiles() {
	ctx := context.Background()
	open := func(ctx context.Context, name string) (*scanner.File, error) {
		fmt.Println("opening", name)
		return scanner.Open(ctx, "../testdata/"+path.Base(name))
	}
	sales := scanner.NewFiles([]string{"sales/year=2023/orders.parquet", "sales/year=2024/orders.parquet"}, open)
	where, err := filter.Parse("year >= 2024 AND order_id IN (1001, 1003)")
	if err != nil {
		log.Fatal(err)
	}
	for batch, err := range sales.Scan(ctx, scanner.Options{Select: []string{"order_id", "year"}, Filter: where}) {
		if err != nil {
			log.Fatal(err)
		}
		for i := range batch.Len {
			fmt.Println(batch.Columns[0].Int64s[i], batch.Columns[1].Int64s[0]) // the year is a Constant
		}
	}
	// Output:
	// opening sales/year=2024/orders.parquet
	// 1001 2024
	// 1003 2024
}
