// Command table reads the output of the comparison's benchmarks, several runs
// behind each other, and writes docs/encodings-performance.md, which says how it
// is called.
package main

import (
	"bufio"
	_ "embed"
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
	rows, machine, err := read(os.Stdin)
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("no benchmarks in the input")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
	write(os.Stdout, rows, machine)
}

// read gathers lines of the form
//
//	Benchmark/op=unpack/width=5/impl=winnow-2   16   4711 ns/op   6847 Mvalues/s   …
func read(r io.Reader) (rows []*row, machine string, err error) {
	s := bufio.NewScanner(r)
	for s.Scan() {
		line := s.Text()
		if cpu, ok := strings.CutPrefix(line, "cpu: "); ok {
			machine = cpu
		}
		fields := strings.Fields(line)
		at := slices.Index(fields, "Mvalues/s")
		if at < 1 || !strings.HasPrefix(line, "Benchmark/") {
			continue
		}
		rate, err := strconv.ParseFloat(fields[at-1], 64)
		if err != nil {
			return nil, "", err
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
	return rows, machine, s.Err()
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
	{"Booleans and levels", "No goal, marked below 0.95. Scans want bitmaps; []bool is for those who do not.", 0.95, []string{"bools", "levels"}},
	{"A mask against packed codes", "Goal: each row at least 3. Peers unpack, then test.", 3, []string{"mask"}},
	{"Copies", "No goal: memory is copied, or not even that (arrow-go's FIXED_LEN_BYTE_ARRAY).", 0, []string{"copy"}},
}

const head = `# Decoders compared

The same pages through winnow, [parquet-go](https://github.com/parquet-go/parquet-go) v0.32.0 (its public
encoding packages) and [arrow-go](https://github.com/apache/arrow-go) v18.8.0 (its column reader, handed pages from
memory), on one thread. internal/compare says what each row is. Rates are in millions of values a second of processor time,
medians of %d runs of all rows one after another; the ratio is winnow's to the better of the two.
%s
` + "```sh" + `
cd internal/compare && go test -c -o compare.test .
for i in 1 2 3 4 5 6 7 8 9 10; do ./compare.test -test.run '^$' -test.bench . -test.benchtime 10ms -test.cpu 1; done |
  tee compare.out.test | go run ./table >../../docs/encodings-performance.md
benchstat -col /impl compare.out.test
` + "```\n"

// notes are written by hand: what is not in the tables, and why what they show
// is not better.
//
//go:embed notes.md
var notes string

func write(w io.Writer, rows []*row, machine string) {
	runs := len(rows[0].rates["winnow"])
	if machine != "" {
		machine = "Machine: " + machine + ".\n"
	}
	fmt.Fprintf(w, head, runs, machine)
	for _, g := range goals {
		some := slices.DeleteFunc(slices.Clone(rows), func(r *row) bool { return !slices.Contains(g.ops, r.op()) })
		if len(some) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n## %s\n\n%s %s\n\n", g.title, g.text, g.verdict(some))
		fmt.Fprintf(w, "| row | winnow | parquet-go | arrow-go | ratio |\n|---|--:|--:|--:|--:|\n")
		for _, r := range some {
			mark := ""
			if r.ratio() < g.least {
				mark = " ✗"
			}
			fmt.Fprintf(w, "| %s | %s | %s | %s | %.2f%s |\n", strings.ReplaceAll(r.name, "/", " "),
				rate(r.rates["winnow"]), rate(r.rates["parquet-go"]), rate(r.rates["arrow-go"]), r.ratio(), mark)
		}
	}
	fmt.Fprintf(w, "\n%s", notes)
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
		return "–"
	}
	return fmt.Sprintf("%.0f", median(v))
}
