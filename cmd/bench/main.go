// Command bench measures scans that skip: how long they take, what they read, and whether
// their answers are right. internal/test/bench says how it is called, and what is timed.
//
//	bench --html page.html
//	bench lineitem.parquet --select l_orderkey,l_comment --where "l_partkey <= 2000"
//	bench --workloads workloads.json --only q6,multi_order --threads 1,2
//	bench sweep --seed 1 --only brotli
//
// What never comes here: measuring. It lives in internal/test/bench.
package main

import (
	"os"

	"github.com/winnow-scan/winnow/internal/test/bench"
)

func main() { os.Exit(bench.Main()) }
