// Command table measures the workloads of package scans and prints the table of
// docs/performance-scan.md, which says how it is called.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/internal/compare/scans"
)

// A row has the milliseconds that each reader took, round by round.
type row struct {
	workload *scans.Workload
	rows     int64
	times    [][]float64
}

func main() {
	rounds := flag.Int("rounds", 10, "how often each reader reads each workload")
	only := flag.String("only", "", "part of the names of the workloads to measure")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	table, err := measure(*rounds, *only)
	if err == nil && len(table) == 0 {
		err = fmt.Errorf("no such file is here")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
	write(os.Stdout, table)
}

func measure(rounds int, only string) ([]*row, error) {
	var table []*row
	for _, w := range scans.Large() {
		if !strings.Contains(w.String(), only) {
			continue
		}
		n, err := scans.Check(w)
		if err != nil {
			return nil, err
		}
		table = append(table, &row{w, n, make([][]float64, len(scans.Readers()))})
	}
	for round := range rounds {
		for _, r := range table {
			if err := r.round(round); err != nil {
				return nil, err
			}
		}
	}
	return table, nil
}

// round lets each reader read once. Another one is the first each time.
func (r *row) round(number int) error {
	readers := scans.Readers()
	for i := range readers {
		k := (i + number) % len(readers)
		runtime.GC() // nobody pays for what others left behind
		before := scans.ProcessorTime()
		if _, err := readers[k].Read(r.workload, nil); err != nil {
			return err
		}
		used := scans.ProcessorTime() - before
		r.times[k] = append(r.times[k], float64(used)/float64(time.Millisecond))
	}
	return nil
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// ratios returns how many times as long as winnow the better peer takes: the
// median's ratio, and the median of the ratios of the rounds.
func (r *row) ratios() (ofMedians, ofRounds float64) {
	arrow, parquet := r.times[1], r.times[2]
	best := min(median(arrow), median(parquet))
	var each []float64
	for i, own := range r.times[0] {
		each = append(each, min(arrow[i], parquet[i])/own)
	}
	return best / median(r.times[0]), median(each)
}

func write(w io.Writer, table []*row) {
	fmt.Fprint(w, "| file | columns | Mrows |")
	line := "|---|---|--:|"
	for _, r := range scans.Readers() {
		fmt.Fprintf(w, " %s |", r.Impl)
		line += "--:|"
	}
	fmt.Fprintf(w, " ratio | of rounds |\n%s--:|--:|\n", line)
	var all []float64
	for _, r := range table {
		fmt.Fprintf(w, "| %s | %s | %.1f |", r.workload.File, strings.Join(r.workload.Columns, ", "), float64(r.rows)/1e6)
		for _, t := range r.times {
			fmt.Fprintf(w, " %.1f |", median(t))
		}
		ratio, ofRounds := r.ratios()
		all = append(all, ratio)
		fmt.Fprintf(w, " %.2f | %.2f |\n", ratio, ofRounds)
	}
	fmt.Fprintf(w, "\nGoal: each row at least 1, the median row at least 2. Least %.2f, median %.2f", slices.Min(all), median(all))
	for i, r := range scans.Readers()[1:3] {
		fmt.Fprintf(w, "; to %s alone %.2f", r.Impl, median(to(table, i+1)))
	}
	fmt.Fprintln(w, ".")
}

// to returns the ratios of the rows to one peer.
func to(table []*row, peer int) (ratios []float64) {
	for _, r := range table {
		ratios = append(ratios, median(r.times[peer])/median(r.times[0]))
	}
	return ratios
}
