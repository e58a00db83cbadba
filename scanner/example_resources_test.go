package scanner_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"

	"github.com/winnow-scan/winnow/scanner"
)

// A service gives all of its scans the same limits, whatever their number.
func ExampleResources() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/weblog.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	limits := &scanner.Resources{Bytes: 64 << 20, Workers: 2, Requests: 16}
	var queries sync.WaitGroup
	for range 5 {
		queries.Go(func() {
			for batch, err := range f.Scan(ctx, scanner.Options{Resources: limits}) {
				if err != nil {
					log.Print(err)
					return
				}
				batch.Release()
			}
		})
	}
	queries.Wait()
	now, peak := limits.Used()
	fmt.Println("now:", now, "within the limit:", peak <= 64<<20)

	for _, err := range f.Scan(ctx, scanner.Options{Resources: &scanner.Resources{Bytes: 100}}) {
		fmt.Println("too small for a page:", errors.Is(err, scanner.ErrMemory))
	}
	// Output:
	// now: 0 within the limit: true
	// too small for a page: true
}
