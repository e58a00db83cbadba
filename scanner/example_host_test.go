package scanner_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// A host with goroutines of its own: each takes row groups, or parts of them,
// as long as there are any.
func ExampleFile_Partitions() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	f, err := scanner.Open(ctx, "../testdata/weblog.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	where, err := filter.Parse("latency_ms > 100")
	if err != nil {
		log.Fatal(err)
	}
	var slow atomic.Int64
	var workers sync.WaitGroup
	for _, part := range f.Partitions(ctx, scanner.Options{Select: []string{"latency_ms"}, Filter: where}, 4) {
		workers.Go(func() {
			for batch, err := range part {
				if err != nil {
					log.Print(err)
					cancel() // the others stop, too
					return
				}
				slow.Add(int64(batch.Len))
				batch.Release()
			}
		})
	}
	workers.Wait()
	n, err := f.Count(ctx, scanner.Options{Filter: where})
	fmt.Println(slow.Load() == n, err)
	// Output:
	// true <nil>
}

// A coordinator looks at the metadata once, and sends the plan to those who
// scan. They read no metadata but the footer, and refuse a file that has changed.
func ExampleFile_Plan() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/orders.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	where, err := filter.Parse("order_id BETWEEN 1010 AND 1012")
	if err != nil {
		log.Fatal(err)
	}
	plan, err := f.Plan(ctx, scanner.Options{Filter: where})
	if err != nil {
		log.Fatal(err)
	}
	stored, err := json.Marshal(plan)
	if err != nil {
		log.Fatal(err)
	}

	var received scanner.Plan
	if err := json.Unmarshal(stored, &received); err != nil {
		log.Fatal(err)
	}
	o := scanner.Options{Select: []string{"order_id"}, Filter: where, Plan: &received}
	for batch, err := range f.Scan(ctx, o) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(batch.Columns[0].Int64s)
	}
	other, err := scanner.Open(ctx, "../testdata/weblog.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer other.Close()
	for _, err := range other.Scan(ctx, scanner.Options{Filter: where, Plan: &received}) {
		fmt.Println(errors.Is(err, scanner.ErrPlan))
	}
	// Output:
	// [1010 1011 1012]
	// true
}

// store is a file in an object store, of which ranges can be asked for.
type store struct {
	object   []byte
	etag     string // changes when the object is written
	requests atomic.Int64
}

func (s *store) Size() int64 { return int64(len(s.object)) }

// ReadRanges would ask for all ranges at once, each by a request of its own.
func (s *store) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if err := fetch.Check(ranges, s.Size()); err != nil {
		return nil, err
	}
	s.requests.Add(int64(len(ranges)))
	out := make([][]byte, len(ranges))
	for i, r := range ranges {
		if alloc == nil {
			alloc = func(n int) []byte { return make([]byte, n) }
		}
		out[i] = alloc(int(r.Len))
		copy(out[i], s.object[r.Off:r.End()])
	}
	return out, context.Cause(ctx)
}

// Traits say what the store knows of the object, and that reads wait long: scans ask early
// for what they need next.
func (s *store) Traits() fetch.Traits {
	return fetch.Traits{
		Identity:  fetch.Identity{Name: "bucket/orders.parquet", Size: s.Size(), Tag: s.etag},
		Latency:   30 * time.Millisecond,
		Bandwidth: 500 << 20,
	}
}

// A source of the host's own. As it states a latency, scans ask for ranges with little between them as one.
func ExampleOpenSource() {
	ctx := context.Background()
	object, err := os.ReadFile("../testdata/orders.parquet")
	if err != nil {
		log.Fatal(err)
	}
	bucket := &store{object: object, etag: "7c2d"}
	f, err := scanner.OpenSource(ctx, "bucket/orders.parquet", bucket)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	rows := 0
	for batch, err := range f.Scan(ctx, scanner.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		rows += batch.Len
		batch.Release()
	}
	fmt.Println(rows, "rows;", bucket.requests.Load() < 10)
	// Output:
	// 3000 rows; true
}
