package hdfsscan_test

import (
	"context"
	"fmt"
	"log"
	"testing"

	hdfsscan "github.com/winnow-scan/winnow/adapters/hdfs"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/scanner"
)

func ExampleParseURL() {
	fmt.Println(hdfsscan.ParseURL("hdfs://namenode:8020/orders/year=2024/*.parquet"))
	// Output: namenode:8020 /orders/year=2024/*.parquet <nil>
}

// A planner cuts a file into splits, and sends each to a process near its bytes.
func ExampleFile_Splits() {
	ctx := context.Background()
	rows, err := countSplits(ctx, "namenode:8020", "/warehouse/orders.parquet")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rows)
}

func countSplits(ctx context.Context, address, path string) (rows int64, err error) {
	options, err := hdfsscan.FromConf(address)
	if err != nil {
		return 0, err
	}
	cluster := hdfsscan.NewCluster(options)
	defer cluster.Close()
	src, err := cluster.Open(ctx, path)
	if err != nil {
		return 0, err
	}
	file, err := scanner.OpenSource(ctx, src.Name(), src)
	if err != nil {
		return 0, err
	}
	file.OnClose(src.Close)
	defer file.Close()

	splits := src.Splits(0) // of a block each
	if err := src.AddHosts(ctx, splits); err != nil {
		log.Print(err) // hosts are hints
	}
	for _, s := range splits {
		n, err := file.Count(ctx, scanner.Options{Split: s.Range})
		if err != nil {
			return 0, err
		}
		rows += n
	}
	return rows, nil
}

// The example counts each row once.
func TestExample(t *testing.T) {
	h := start(t)
	name := h.write(t, "points.parquet", points(t, 10_000, 500), 1)
	if rows, err := countSplits(t.Context(), h.address, name); err != nil || rows != 10_000 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

// TestReadme holds what the README shows against the example.
func TestReadme(t *testing.T) {
	dtest.ShownLines(t, "README.md", "hdfsscan.NewCluster(", "example_test.go")
	dtest.ShownLines(t, "README.md", "src.Splits(", "example_test.go")
}
