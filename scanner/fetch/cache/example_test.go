package cache_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"

	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch/cache"
	"github.com/winnow-scan/winnow/scanner/fetch/web"
)

// A folder keeps what was read of files behind URLs, up to 1 GiB. Each program that uses it
// makes one request to open a file, which tells whether it has changed, and reads what it knows
// from the folder.
func ExampleBlocks() {
	var requests atomic.Int64
	files := http.FileServer(http.Dir("../../../testdata"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	dir, err := os.MkdirTemp("", "cache")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	ctx := context.Background()
	for range 2 {
		folder, err := cache.OpenFolder(dir, 1<<30)
		if err != nil {
			log.Fatal(err)
		}
		src, err := web.Open(ctx, server.URL+"/lineitems.parquet", web.Options{})
		if err != nil {
			log.Fatal(err)
		}
		f, err := scanner.OpenSource(ctx, "lineitems.parquet", cache.NewBlocks(folder, 0).Source(src))
		if err != nil {
			log.Fatal(err)
		}
		rows := 0
		for batch, err := range f.Scan(ctx, scanner.Options{}) {
			if err != nil {
				log.Fatal(err)
			}
			rows += batch.Len
			batch.Release()
		}
		src.Close()
		n := folder.Counters()
		fmt.Println(rows, "rows; all from the folder:", n.Misses == 0, "and with one request:", requests.Swap(0) == 1)
	}
	// Output:
	// 20000 rows; all from the folder: false and with one request: false
	// 20000 rows; all from the folder: true and with one request: true
}
