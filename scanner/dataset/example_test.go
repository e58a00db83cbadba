package dataset_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path"
	"path/filepath"
	"sync"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
)

// Files of a table whose folders tell the year, opened by the host: from an
// object store, say.
func ExampleFiles() {
	ctx := context.Background()
	open := func(ctx context.Context, name string) (*scanner.File, error) {
		fmt.Println("opening", name)
		return scanner.Open(ctx, "../../testdata/"+path.Base(name))
	}
	sales := dataset.New([]string{"sales/year=2023/orders.parquet", "sales/year=2024/orders.parquet"}, open)
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

// A table as Hive lays it out: folders are columns, and what they exclude stays
// closed. Its files, all folders deep, are one pattern.
func ExampleOpen() {
	ctx := context.Background()
	table, err := os.MkdirTemp("", "sales")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(table)
	orders, err := os.ReadFile("../../testdata/orders.parquet")
	if err != nil {
		log.Fatal(err)
	}
	for _, folder := range []string{"year=2023/city=Lima", "year=2024/city=Lima", "year=2024/city=S%C3%A3o%20Paulo"} {
		folder = filepath.Join(table, filepath.FromSlash(folder))
		if err := os.MkdirAll(folder, 0o777); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "part-0.parquet"), orders, 0o666); err != nil {
			log.Fatal(err)
		}
	}

	sales, err := dataset.Open(filepath.Join(table, "**", "*.parquet"))
	if err != nil {
		log.Fatal(err)
	}
	where, err := filter.Parse("year = 2024 AND order_id < 1002")
	if err != nil {
		log.Fatal(err)
	}
	for batch, err := range sales.Scan(ctx, scanner.Options{Select: []string{"order_id", "city"}, Filter: where}) {
		if err != nil {
			log.Fatal(err)
		}
		city := batch.Columns[1] // a Constant, until it is made flat
		city.Flatten()
		for i, id := range batch.Columns[0].Int64s {
			fmt.Printf("%d %s\n", id, city.Bytes(i))
		}
	}
	// Output:
	// 1000 Lima
	// 1001 Lima
	// 1000 São Paulo
	// 1001 São Paulo
}

// A sum by group over a table of many files, on as many goroutines as the host likes:
// each has groups of its own, which are added up at the end.
func ExampleFiles_Partitions() {
	ctx := context.Background()
	names := []string{"sales/year=2023/orders.parquet", "sales/year=2024/orders.parquet", "sales/year=2025/orders.parquet"}
	sales := dataset.New(names, func(ctx context.Context, name string) (*scanner.File, error) {
		return scanner.Open(ctx, "../../testdata/"+path.Base(name))
	})
	where, err := filter.Parse("order_id < 1010 AND year > 2023")
	if err != nil {
		log.Fatal(err)
	}
	parts := sales.Partitions(ctx, scanner.Options{Select: []string{"year", "order_id"}, Filter: where}, 2)
	sums := make([]map[int64]int64, len(parts))
	errs := make([]error, len(parts))
	var hosts sync.WaitGroup
	for i, part := range parts {
		sums[i] = map[int64]int64{}
		hosts.Go(func() {
			for batch, err := range part {
				if err != nil {
					errs[i] = err
					return
				}
				year := batch.Columns[0].Int64s[0] // a constant of the file
				for _, id := range batch.Columns[1].Int64s[:batch.Len] {
					sums[i][year] += id
				}
				batch.Release()
			}
		})
	}
	hosts.Wait()
	if err := errors.Join(errs...); err != nil {
		log.Fatal(err)
	}
	total := map[int64]int64{}
	for _, groups := range sums {
		for year, sum := range groups {
			total[year] += sum
		}
	}
	fmt.Println(total)
	// Output:
	// map[2024:10045 2025:10045]
}
