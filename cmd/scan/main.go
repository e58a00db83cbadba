// Command scan prints the rows of Parquet files, and shows what they are made
// of, down to the byte.
//
//	scan cat -c l_orderkey,l_comment -n 10 lineitem.parquet
//	scan meta https://example.com/lineitem.parquet
//	scan pages -c l_shipdate -n 10 lineitem.parquet
//	scan dump --row-group 0 -c l_shipdate --page 1 lineitem.parquet
//
// On a terminal the answer is a table, elsewhere JSON lines. "scan help" lists
// the commands.
//
// What never comes here: the commands. They live in internal/cli, where a
// program with more sources and formats finds them, too.
package main

import (
	"os"
	_ "time/tzdata" // names of time zones, where the system has none

	"github.com/winnow-scan/winnow/internal/cli"
)

func main() {
	scan := cli.Program{Name: "scan", Schemes: cli.Web()}
	os.Exit(scan.Main())
}
