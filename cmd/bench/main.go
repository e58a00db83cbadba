// Command bench measures scans that skip: how long they take, what they read,
// and whether their answers are right.
//
//	bench --workloads workloads.json --only q6,multi_order --threads 1,2
//	bench lineitem.parquet --select l_orderkey,l_comment --where "l_partkey <= 2000"
//	bench grid --pairs 30
//	bench grid --pairs 30 --force all
//	bench orders --workloads workloads.json --only multi_order
//	bench runtime li_snappy.parquet
//
// A grid compares scans with a filter and without, or with scans that are forced
// to go about it in some way (grid.go, rivals.go); orders those of each order of
// their tests (orders.go); runtime those with filters that let every row pass and
// without (runtime.go). The others do this.
//
// Timed are opening the file, its footer and indexes, and the scan until each
// wanted column of each row that passes is in memory, decoded; a count is done
// when its number is known. Batches are held until the clock stands, then
// looked at, then released. Nothing that comes from a file outlives a run, but
// memory for batches does. Not timed: one run before the others, the garbage
// collection in front of each run, and the check after it.
//
// A workload is an entry of a list in JSON:
//
//	{"workloads": [{
//	  "name": "q", "file": "f.parquet",
//	  "project": ["id", "items.price"],            without it, all columns; [] counts rows
//	  "where": {"and": [{"op": "ge", "col": "day", "value": "2024-01-31", "type": "date"},
//	                    {"op": "prefix", "col": "url", "value": "https:"}]},
//	  "rows": 12, "sums": {"id": [12, 78.0], "items.price": [30, 1234.5]}
//	}]}
//
// Where may also be a text, as --where has it. The sum of a column is that of
// all leaf values below it that are not NULL, after their number: days,
// microseconds, 0 and 1, and the bytes of strings. An answer of other rows or
// other sums is an error, as is one that differs from run to run.
//
// With --json there is a line for each workload and number of threads:
//
//	{"engine":"scan","workload":"q","threads":1,"wall_ms":[..],"cpu_ms":[..],"peak_rss_mb":..,"rss_base_mb":..,"ok":true,"error":"","rows":12,..}
//
// How it is built: options.go reads the command line, internal/workloads the list, and
// judges the answers; engine.go runs a scan, measure.go times it, report.go prints.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/pprof"

	"github.com/winnow-scan/winnow/internal/workloads"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // a scan failed or its answer is wrong
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		switch args[0] {
		case "grid":
			return grid(ctx, args[1:], stdout, stderr)
		case "orders":
			return orders(ctx, args[1:], stdout, stderr)
		case "runtime":
			return late(ctx, args[1:], stdout, stderr)
		}
	}
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	var workloads []*workloads.Workload
	if err == nil {
		workloads, err = o.list()
	}
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return exitUsage
	}
	if err := o.profile.open(); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return exitUsage
	}
	defer o.profile.close()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	failed := false
	out := newReport(stdout, o.json)
	for _, w := range workloads {
		for _, threads := range o.threads {
			runtime.GOMAXPROCS(threads)
			r := measure(ctx, w, threads, o)
			failed = failed || !r.OK
			if err := out.add(r); err != nil {
				fmt.Fprintln(stderr, "bench:", err)
				return exitFailed
			}
		}
	}
	if err := out.end(); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return exitFailed
	}
	if failed {
		return exitFailed
	}
	return exitOK
}

// profile is where the processor's time went.
type profile struct {
	path    string // "" for none
	file    *os.File
	started bool
}

func (p *profile) wanted() bool { return p.path != "" }

func (p *profile) open() (err error) {
	if p.wanted() {
		p.file, err = os.Create(p.path)
	}
	return err
}

// start begins the profile if it is wanted and has not begun.
func (p *profile) start() error {
	if !p.wanted() || p.started {
		return nil
	}
	p.started = true
	return pprof.StartCPUProfile(p.file)
}

func (p *profile) close() {
	if p.wanted() {
		pprof.StopCPUProfile()
		p.file.Close()
	}
}
