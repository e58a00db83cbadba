// Command peers is cmd/bench with other engines beside winnow: its scans as records of Arrow
// (adapters/arrow), and two other Go readers.
//
//	cd internal/test/bench/peers
//	go run . --workloads columns.json --engines scan,arrow-go,parquet-go --iters 10 --budget 60
//	go run . --workloads workloads.json --engines scan,scan-arrow
//
// The other readers read whole columns, on one thread: what is compared is decoding. Each is
// used as its careful users do:
//
//   - arrow-go by pqarrow, a table for each row group, from a mapped file;
//   - parquet-go page after page from a mapped file. Its dictionaries are looked up, and its
//     levels made offsets and validity, by loops that stand here. Columns keep their memory for
//     the next scan, as winnow has a Memory.
//
// All deliver the same: every value decoded, in columns, in memory where a host can look it up
// by its number. Lists have offsets, NULLs a place. docs/performance-scan.md has the outcome.
//
// What never comes here: conditions, workloads, timing and tables (internal/test/bench has those).
package main

import (
	"errors"
	"os"

	"github.com/winnow-scan/winnow/internal/test/bench"
)

func main() { os.Exit(bench.Main(engines()...)) }

func engines() []bench.Engine {
	return []bench.Engine{{Name: "scan-arrow", Prepare: prepareRecords}, {Name: "arrow-go", Prepare: prepareArrow}, {Name: "parquet-go", Prepare: prepareParquet}}
}

// wholeColumns returns an error for a workload that the other readers cannot run.
func wholeColumns(w *bench.Workload) error {
	if w.Where != nil || len(w.Project) == 0 {
		return errors.New("only whole columns are read, by their names")
	}
	return nil
}
