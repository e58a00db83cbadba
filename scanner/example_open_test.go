package scanner_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
)

// A server keeps the metadata of all its files, up to 64 MiB: queries on the same files
// read pages only. A file that is written again has another ETag, and is read again.
func ExampleOpenOptions() {
	ctx := context.Background()
	object, err := os.ReadFile("../testdata/orders.parquet")
	if err != nil {
		log.Fatal(err)
	}
	where, err := filter.Parse("order_id = 1010")
	if err != nil {
		log.Fatal(err)
	}
	metadata := cache.New(64 << 20)
	bucket := &store{object: object, etag: "7c2d"}
	opener := scanner.OpenOptions{Metadata: metadata, MaxFooter: 16 << 20}
	orders := dataset.New([]string{"bucket/orders.parquet"}, func(ctx context.Context, name string) (*scanner.File, error) {
		return opener.OpenSource(ctx, name, bucket)
	})
	for _, etag := range []string{"7c2d", "7c2d", "9f01"} {
		bucket.etag = etag
		before := metadata.Counters()
		rows, err := orders.Count(ctx, scanner.Options{Filter: where})
		if err != nil {
			log.Fatal(err)
		}
		after := metadata.Counters()
		fmt.Println(rows, "row; metadata all known:", after.Misses == before.Misses)
	}
	// Output:
	// 1 row; metadata all known: false
	// 1 row; metadata all known: true
	// 1 row; metadata all known: false
}
