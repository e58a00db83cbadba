package web_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch/web"
)

// A file behind a URL, of a server that wants a token. Files share a client.
func Example() {
	server := httptest.NewServer(http.FileServer(http.Dir("../../../testdata")))
	defer server.Close()

	ctx := context.Background()
	client := web.NewClient()
	src, err := web.Open(ctx, server.URL+"/orders.parquet", web.Options{
		Client: client,
		Header: http.Header{"Authorization": {"Bearer 7c2d"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	f, err := scanner.OpenSource(ctx, "orders.parquet", src)
	if err != nil {
		log.Fatal(err)
	}
	f.OnClose(src.Close)
	defer f.Close()
	rows := 0
	for batch, err := range f.Scan(ctx, scanner.Options{Select: []string{"order_id"}}) {
		if err != nil {
			log.Fatal(err)
		}
		rows += batch.Len
		batch.Release()
	}
	fmt.Println(rows, "rows")
	// Output:
	// 3000 rows
}
