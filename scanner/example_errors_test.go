package scanner_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"

	"github.com/winnow-scan/winnow/scanner"
)

// A host tells a column that is not there from a file that cannot be read.
func ExampleError_noColumn() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/weblog.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for _, err := range f.Scan(ctx, scanner.Options{Select: []string{"latency"}}) {
		fmt.Println(err)
		fmt.Println("no column:", errors.Is(err, scanner.ErrNoColumn), "corrupt:", errors.Is(err, scanner.ErrCorrupt))
	}
	// Output:
	// ../testdata/weblog.parquet: no column latency; there is latency_ms
	// no column: true corrupt: false
}

// A host says why it ends a scan, and finds that in the error.
func ExampleFile_Scan_cause() {
	shutdown := errors.New("shutting down")
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	f, err := scanner.Open(ctx, "../testdata/weblog.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for batch, err := range f.Scan(ctx, scanner.Options{BatchRows: 10}) {
		if err != nil {
			fmt.Println(err)
			fmt.Println(errors.Is(err, context.Canceled), errors.Is(err, shutdown))
			break
		}
		batch.Release()
		cancel(shutdown)
	}
	// Output:
	// ../testdata/weblog.parquet: row group 0: context canceled: shutting down
	// true true
}

// Scans share Stats, which may be looked at while they run.
func ExampleStats_Snapshot() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/weblog.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	var stats scanner.Stats
	var scans sync.WaitGroup
	for range 3 {
		scans.Go(func() {
			for batch, err := range f.Scan(ctx, scanner.Options{Limit: 100, Stats: &stats}) {
				if err != nil {
					log.Fatal(err)
				}
				batch.Release()
			}
		})
	}
	soFar := stats.Snapshot().Rows // of the scans that have ended
	scans.Wait()
	fmt.Println(soFar <= 300, stats.Rows)
	// Output: true 300
}
