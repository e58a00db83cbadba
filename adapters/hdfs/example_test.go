package hdfsscan_test

import (
	"context"
	"fmt"
	"log"

	hdfsscan "github.com/winnow-scan/winnow/adapters/hdfs"
	"github.com/winnow-scan/winnow/scanner"
)

// A planner cuts a file into splits, and sends each to a process near its bytes.
func ExampleFile_Splits() {
	ctx := context.Background()
	options, err := hdfsscan.FromConf("namenode:8020")
	if err != nil {
		log.Fatal(err)
	}
	options.WebHDFS = []string{"http://namenode:9870"}
	cluster := hdfsscan.NewCluster(options)
	defer cluster.Close()
	src, err := cluster.Open(ctx, "/warehouse/orders.parquet")
	if err != nil {
		log.Fatal(err)
	}
	splits := src.Splits(0)
	if err := src.AddHosts(ctx, splits); err != nil {
		log.Print(err) // they are hints
	}
	file, err := scanner.OpenSource(ctx, src.Name(), src)
	if err != nil {
		log.Fatal(err)
	}
	file.OnClose(src.Close)
	defer file.Close()
	for _, s := range splits {
		rows, err := file.Count(ctx, scanner.Options{Split: s.Range})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(s.Range, s.Hosts, rows)
	}
}
