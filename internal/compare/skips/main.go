// Command skips measures what it takes to step over the values of a page, and to
// decode one in 100 of them, and prints the rows of docs/data/skip-gather.csv as a table. It takes a minute and a quarter:
//
//	cd internal/compare && go run ./skips [-only=part of the names of rows]
//
// Next decodes all values of a page, Skip steps over them, Gather steps over them
// and decodes those that a selection wants, all over the page: 64 selections in
// turn, for the same one would be learnt by heart. So would pages be; there are
// as many, in turn, as fit into 128 KiB, at least one: a page comes to its decoder by
// way of the second cache. The three are measured after each other again and again,
// so what else the machine does meets all of them. Two ratios are made for Skip and
// Gather, of the least times and of the lower quartiles, and marked where one is above
// what is wanted.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// A row is one kind of page and its decoder.
type row struct {
	name         string
	n            int     // values of a page
	skip, gather float64 // wanted ratios, 0 where there is none

	// What to measure, each from the front of a page.
	next    func(page int) error
	over    func(page int) error
	collect func(page int, sel []uint64) error
	pages   int
}

const (
	usual      = 32 << 10 // values of a page
	megabyte   = 1 << 20  // where writers end a page
	selections = 64
	period     = 1200 * time.Millisecond // for a row
	least      = 20 * time.Microsecond   // for a measurement
)

func main() {
	only := flag.String("only", "", "part of the names of the rows to measure")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	fmt.Println("| decoder | ns a value | skip | wanted | gather | wanted |\n|---|--:|--:|--:|--:|--:|")
	err := rows(func(name string) bool { return strings.Contains(name, *only) }, func(r *row) error {
		t, err := r.measure()
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		fmt.Printf("| %s | %.3f | %s | %s |\n", r.name, t[0].least/float64(r.n), ratios(t[1], t[0], r.skip), ratios(t[2], t[0], r.gather))
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "skips:", err)
		os.Exit(1)
	}
}

// times are nanoseconds that a page takes.
type times struct{ least, quartile float64 }

func timesOf(t []float64) times {
	slices.Sort(t)
	return times{t[0], t[len(t)/4]}
}

// measure measures Next, Skip and Gather.
func (r *row) measure() (t [3]times, err error) {
	sels := wanted(r.n)
	ops := []func(turn int) error{
		func(turn int) error { return r.next(turn % r.pages) },
		func(turn int) error { return r.over(turn % r.pages) },
		func(turn int) error { return r.collect(turn%r.pages, sels[turn%selections]) },
	}
	var turns, repeats [3]int
	var all [3][]float64
	runtime.GC()
	for start := time.Now(); time.Since(start) < period || len(all[0]) < 8; {
		for i, op := range ops {
			repeats[i] = max(repeats[i], 1)
			before := time.Now()
			for range repeats[i] {
				if err := op(turns[i]); err != nil {
					return t, err
				}
				turns[i]++
			}
			took := time.Since(before)
			if took < least && repeats[i] < 1<<12 { // too short for the clock
				repeats[i] *= 2
				continue
			}
			all[i] = append(all[i], float64(took)/float64(repeats[i]))
		}
	}
	for i := range all {
		t[i] = timesOf(all[i])
	}
	return t, nil
}

// wanted returns bitmaps in which one in 100 of n bits is set, all over.
func wanted(n int) [][]uint64 {
	all := make([][]uint64, selections)
	for i := range all {
		r := rand.New(rand.NewPCG(11, uint64(i)))
		all[i] = make([]uint64, bits.Words(n))
		for j := range n {
			if r.IntN(100) == 0 {
				bits.Set(all[i], j)
			}
		}
	}
	return all
}

// ratios returns the two ratios and what is wanted.
func ratios(some, all times, wanted float64) string {
	a, b := some.least/all.least, some.quartile/all.quartile
	s := fmt.Sprintf("%.*f–%.*f", digits(a), min(a, b), digits(a), max(a, b))
	switch {
	case wanted == 0:
		return s + " | –"
	case max(a, b) > wanted:
		s += " ✗"
	}
	return fmt.Sprintf("%s | %v", s, wanted)
}

func digits(ratio float64) int {
	if ratio < 0.02 {
		return 3
	}
	return 2
}
