package scanner_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"

	"github.com/winnow-scan/winnow/scanner"
)

// A service gives all of its scans one budget, whatever their number.
func ExampleNewBudget() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/weblog.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	budget := scanner.NewBudget(64 << 20)
	var requests sync.WaitGroup
	for range 5 {
		requests.Go(func() {
			for batch, err := range f.Scan(ctx, scanner.Options{Threads: 2, Budget: budget}) {
				if err != nil {
					log.Print(err)
					return
				}
				batch.Release()
			}
		})
	}
	requests.Wait()
	now, peak := budget.Used()
	fmt.Println("now:", now, "within the budget:", peak <= 64<<20)

	for _, err := range f.Scan(ctx, scanner.Options{Budget: scanner.NewBudget(100)}) {
		fmt.Println("too small for a page:", errors.Is(err, scanner.ErrMemory))
	}
	// Output:
	// now: 0 within the budget: true
	// too small for a page: true
}
