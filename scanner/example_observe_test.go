package scanner_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"os"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// An operator graphs the attributes of the records that scans log, and warns of slow ones.
// Trace is for spans: here it counts what the source of the file is asked for.
func ExampleOptions_observation() {
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
	hide := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "duration" || a.Key == "scan" {
			return slog.Attr{} // to print the same each time
		}
		return a
	}
	handler := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: hide})
	rowGroups, requests := 0, 0
	options := scanner.Options{
		Select: []string{"customer.address.city"}, Filter: where,
		Log: slog.New(handler), SlowScan: 0, // with a second, say, slower scans are logged as warnings
		Trace: func(e scanner.Event) { // e.Context may have the span of the query, and e.Scan tells scans apart
			switch e.Kind {
			case scanner.RowGroupBegins: // a span begins
				rowGroups++
			case scanner.Requested: // a span of e.Duration has ended
				requests++
			}
		},
	}
	for batch, err := range f.Scan(ctx, options) {
		if err != nil {
			log.Fatal(err)
		}
		batch.Release()
	}
	fmt.Println(rowGroups, "row groups,", requests, "requests")
	// Output:
	// level=DEBUG msg=scan file=../testdata/orders.parquet rows=3 batches=1 bytes=51 requests=7 ranges=7 requested_bytes=7850 metadata_bytes=4156 pages.unread=18 pages.undecompressed=0 pages.rejected_by_header=0 pages.rejected_by_dictionary=0 pages.undecoded=0 pages.decoded=2
	// 2 row groups, 7 requests
}

// A tool that draws a scan gets what became of each page.
func ExampleOptions_pages() {
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
	options := scanner.Options{Select: []string{"customer.address.city"}, Filter: where, Pages: func(p scanner.PageReport) {
		switch {
		case p.Page == scanner.OtherPages:
			fmt.Println(p.RowGroup, p.Leaf, "other pages:", p.Fate, "because:", p.Why)
		case p.Page == scanner.DictionaryPage:
			fmt.Println(p.RowGroup, p.Leaf, "dictionary", p.Fate)
		case p.Fate == scanner.Unread:
			fmt.Println(p.RowGroup, p.Leaf, "page", p.Page, p.Fate, "because:", p.Why)
		default:
			fmt.Println(p.RowGroup, p.Leaf, "page", p.Page, p.Fate)
		}
	}}
	for batch, err := range f.Scan(ctx, options) {
		if err != nil {
			log.Fatal(err)
		}
		batch.Release()
	}
	// Output:
	// 0 order_id dictionary decoded
	// 0 customer.address.city dictionary decoded
	// 0 customer.address.city page 0 decoded
	// 0 order_id page 0 decoded
	// 0 customer.address.city other pages: unread because: no row left
	// 0 customer.address.city page 1 unread because: page index
	// 0 customer.address.city page 2 unread because: page index
	// 0 customer.address.city page 3 unread because: page index
	// 0 order_id other pages: unread because: no row left
	// 0 order_id page 1 unread because: page index
	// 0 order_id page 2 unread because: page index
	// 0 order_id page 3 unread because: page index
	// 0 order_id page 4 unread because: page index
	// 0 order_id page 5 unread because: page index
	// 1 customer.address.city other pages: unread because: statistics
	// 1 order_id other pages: unread because: statistics
}
