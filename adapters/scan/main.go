// Command scan is the program of cmd/scan with the formats that the core has no libraries
// for: rows as Arrow (file and stream) and as Parquet, queries in SQL, and files in HDFS.
//
//	scan cat -w 'price > 100' -o dear.parquet orders/*.parquet
//	scan cat -c id,price --format arrows orders.parquet | python3 use.py
//	scan sql "SELECT region, sum(price) FROM 'orders/*.parquet' GROUP BY region"
//
// What never comes here: commands that need no library. They are in internal/cli, for both programs.
package main

import (
	"context"
	"os"
	_ "time/tzdata" // names of time zones, where the system has none

	hdfsscan "github.com/winnow-scan/winnow/adapters/hdfs"
	"github.com/winnow-scan/winnow/internal/cli"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

func main() {
	scan := program()
	os.Exit(scan.Main())
}

func program() cli.Program {
	var clusters hdfsscan.Clusters // whose files share connections
	hdfs := cli.Scheme{
		Name:  "hdfs",
		Match: clusters.Match,
		Open:  func(ctx context.Context, name string) (fetch.Source, error) { return clusters.Open(ctx, name) },
	}
	return cli.Program{Name: "scan", Schemes: append(cli.Web(), s3Scheme(), hdfs), Formats: []cli.Format{
		{Name: "arrow", Endings: []string{"arrow", "feather", "ipc"}, New: newRecords(arrowFile)},
		{Name: "arrows", Endings: []string{"arrows"}, New: newRecords(arrowStream)},
		{Name: "parquet", Endings: []string{"parquet"}, New: newRecords(parquetFile)},
	}, Commands: []cli.Command{sqlCommand()}}
}
