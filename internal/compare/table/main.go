// Command table reads the output of the comparison's benchmarks, several runs
// behind each other. It writes docs/data/encodings.csv to standard output, and a summary
// of each set of rows to standard error. docs/encodings-performance.md says how it is called.
package main

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A row has the rates of each impl, in millions of values a second.
type row struct {
	name  string
	rates map[string][]float64
}

var peers = []string{"parquet-go", "arrow-go"}

func main() {
	rows, err := read(os.Stdin)
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("no benchmarks in the input")
	}
	if err == nil {
		err = write(os.Stdout, os.Stderr, rows)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

// read gathers lines of the form
//
//	Benchmark/op=unpack/width=5/impl=winnow-2   16   4711 ns/op   6847 Mvalues/s   …
func read(r io.Reader) (rows []*row, err error) {
	s := bufio.NewScanner(r)
	for s.Scan() {
		line := s.Text()
		fields := strings.Fields(line)
		at := slices.Index(fields, "Mvalues/s")
		if at < 1 || !strings.HasPrefix(line, "Benchmark/") {
			continue
		}
		rate, err := strconv.ParseFloat(fields[at-1], 64)
		if err != nil {
			return nil, err
		}
		name, impl, _ := strings.Cut(strings.TrimPrefix(fields[0], "Benchmark/"), "/impl=")
		if i := strings.LastIndexByte(impl, '-'); i >= 0 {
			if _, err := strconv.Atoi(impl[i+1:]); err == nil {
				impl = impl[:i] // GOMAXPROCS
			}
		}
		i := slices.IndexFunc(rows, func(r *row) bool { return r.name == name })
		if i < 0 {
			i = len(rows)
			rows = append(rows, &row{name, map[string][]float64{}})
		}
		rows[i].rates[impl] = append(rows[i].rates[impl], rate)
	}
	return rows, s.Err()
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// ratio is winnow's rate over that of the better peer.
func (r *row) ratio() float64 {
	best := 0.0
	for _, p := range peers {
		best = max(best, median(r.rates[p]))
	}
	return median(r.rates["winnow"]) / best
}

// A goal is what the rows of some operations must reach.
type goal struct {
	title, text string
	least       float64
	ops         []string
}

var goals = []goal{
	{"Decoding", "Goal: each row at least 0.95, the median row at least 1.5.", 0.95,
		[]string{"unpack", "dictionary", "delta", "strings", "split"}},
	{"Booleans and levels", "No goal. Scans want bitmaps; []bool is for those who do not.", 0.95, []string{"bools", "levels"}},
	{"A mask against packed codes", "Goal: each row at least 3. Peers unpack, then test.", 3, []string{"mask"}},
	{"Copies", "No goal: memory is copied, or not even that (arrow-go's FIXED_LEN_BYTE_ARRAY).", 0, []string{"copy"}},
}

// write writes each row as CSV, and what became of each goal to summary.
func write(w, summary io.Writer, rows []*row) error {
	out := csv.NewWriter(w)
	out.Write(append(append([]string{"row", "winnow"}, peers...), "ratio", "set"))
	for _, g := range goals {
		some := slices.DeleteFunc(slices.Clone(rows), func(r *row) bool { return !slices.Contains(g.ops, r.op()) })
		if len(some) == 0 {
			continue
		}
		fmt.Fprintf(summary, "%s: %s %s\n", g.title, g.text, g.verdict(some))
		for _, r := range some {
			line := []string{strings.ReplaceAll(r.name, "/", " "), rate(r.rates["winnow"])}
			for _, p := range peers {
				line = append(line, rate(r.rates[p]))
			}
			out.Write(append(line, fmt.Sprintf("%.2f", r.ratio()), g.title))
		}
	}
	out.Flush()
	return out.Error()
}

// op is the first key's value.
func (r *row) op() string {
	first, _, _ := strings.Cut(r.name, "/")
	return strings.TrimPrefix(first, "op=")
}

func (g goal) verdict(rows []*row) string {
	if g.least == 0 {
		return ""
	}
	var ratios []float64
	below := 0
	for _, r := range rows {
		ratios = append(ratios, r.ratio())
		if r.ratio() < g.least {
			below++
		}
	}
	return fmt.Sprintf("Reached by %d of %d rows; least %.2f, median %.2f.", len(rows)-below, len(rows), slices.Min(ratios), median(ratios))
}

func rate(v []float64) string {
	if len(v) == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f", median(v))
}
