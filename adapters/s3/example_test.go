package s3scan_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"net/http/httptest"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	s3scan "github.com/winnow-scan/winnow/adapters/s3"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// Objects below folders like year=2024 are one table. Those of other years are not requested.
func Example() {
	url, stop := serve("sales/year=2023/a.parquet", "sales/year=2024/b.parquet")
	defer stop()

	ctx := context.Background()
	client, err := s3scan.NewClient(ctx, s3scan.Options{Endpoint: url, Anonymous: true})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	files, err := client.Files(ctx, scanner.OpenOptions{}, "s3://bucket/sales/*/*.parquet")
	if err != nil {
		log.Fatal(err)
	}
	rows := 0
	for batch, err := range files.Scan(ctx, scanner.Options{
		Select: []string{"order_id", "year"},
		Filter: filter.Col("year").Eq(2024),
	}) {
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

// One object is a source of scanner.OpenSource.
func ExampleClient_Open() {
	url, stop := serve("orders.parquet")
	defer stop()

	ctx := context.Background()
	client, err := s3scan.NewClient(ctx, s3scan.Options{Endpoint: url, Anonymous: true})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	src, err := client.Open(ctx, "s3://bucket/orders.parquet")
	if err != nil {
		log.Fatal(err)
	}
	file, err := scanner.OpenSource(ctx, "orders.parquet", src)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	rows, err := file.Count(ctx, scanner.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rows, "rows")
	// Output:
	// 3000 rows
}

// serve serves a bucket in this process, which has a sample file under each of the keys.
func serve(keys ...string) (url string, stop func()) {
	data, err := os.ReadFile("../../testdata/orders.parquet")
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(s3mem.New()).Server())
	client := s3.New(s3.Options{Region: "us-east-1", BaseEndpoint: &server.URL, UsePathStyle: true, Credentials: aws.AnonymousCredentials{}})
	ctx := context.Background()
	if _, err := client.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: aws.String("bucket")}); err != nil {
		log.Fatal(err)
	}
	for _, key := range keys {
		if _, err := client.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("bucket"), Key: &key, Body: bytes.NewReader(data)}); err != nil {
			log.Fatal(err)
		}
	}
	return server.URL, server.Close
}
