//go:build unix

package arrowscan_test

import (
	"math"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/internal/bench"
	"github.com/winnow-scan/winnow/scanner"
)

// sharedWorkloads returns the workloads beside the project, if their data is here.
func sharedWorkloads(t testing.TB) []*bench.Workload {
	data := os.Getenv("WINNOW_PEERS_DATA")
	if data == "" {
		t.Skip("WINNOW_PEERS_DATA does not say where the data of the shared workloads is")
	}
	list, err := bench.Read(filepath.Join("..", "..", "..", "shared", "peers", "workloads.json"), data)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func query(w *bench.Workload, m *scanner.Memory) scanner.Options {
	o := scanner.Options{Select: w.Project, Memory: m}
	if w.Where != nil {
		o.Filter = w.Where.Expr
	}
	return o
}

// TestCost compares a scan into Arrow with the scan alone, in turns.
func TestCost(t *testing.T) {
	var ratios []float64
	memory := scanner.NewMemory(256 << 20)
	only := os.Getenv("WINNOW_WORKLOAD") // "": all
	for _, w := range sharedWorkloads(t) {
		if only != "" && w.Name != only {
			continue
		}
		f, err := scanner.Open(t.Context(), w.File)
		if err != nil {
			t.Fatal(err)
		}
		o := query(w, memory)
		plain := func() (rows int64) {
			for b, err := range f.Scan(t.Context(), o) {
				if err != nil {
					t.Fatal(err)
				}
				rows += int64(b.Len)
				b.Release()
			}
			return rows
		}
		arrowed := func() (rows int64) {
			r, err := arrowscan.NewReader(t.Context(), f, o, arrowscan.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Release()
			for r.Next() {
				rows += r.RecordBatch().NumRows()
			}
			if r.Err() != nil {
				t.Fatal(r.Err())
			}
			return rows
		}
		if p, a := plain(), arrowed(); p != a {
			t.Errorf("%s: %d rows, into Arrow %d", w.Name, p, a)
		}
		best := [2]time.Duration{math.MaxInt64, math.MaxInt64}
		began := time.Now()
		for n := 0; n < 5 || time.Since(began) < time.Second && n < 200; n++ {
			for i, run := range []func() int64{plain, arrowed} {
				start := processorTime(t)
				run()
				best[i] = min(best[i], processorTime(t)-start)
			}
		}
		ratio := float64(best[1]) / float64(best[0])
		ratios = append(ratios, ratio)
		t.Logf("%-16s %8.2f ms %8.2f ms  %.3f", w.Name, best[0].Seconds()*1e3, best[1].Seconds()*1e3, ratio)
		f.Close()
	}
	t.Logf("median %.3f", median(ratios))
}

func median(list []float64) float64 {
	sorted := append([]float64(nil), list...)
	for i := range sorted {
		for j := i; j > 0 && sorted[j] < sorted[j-1]; j-- {
			sorted[j], sorted[j-1] = sorted[j-1], sorted[j]
		}
	}
	return sorted[len(sorted)/2]
}

// processorTime returns the time that the process has spent on processors.
func processorTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
