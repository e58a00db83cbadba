package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
)

// BenchmarkPointLookup is what tests/cost.py compares Python with: one row of six million, in all
// columns, from opening the file on.
func BenchmarkPointLookup(b *testing.B) {
	home, _ := os.UserHomeDir()
	path := filepath.Join(home, ".cache", "winnow-peers", "data", "li_snappy.parquet")
	if _, err := os.Stat(path); err != nil {
		b.Skip("the peers' data is not there")
	}
	where, err := filter.Parse("l_orderkey = 3000001")
	if err != nil {
		b.Fatal(err)
	}
	var times []float64
	for b.Loop() {
		begin := time.Now()
		f, err := scanner.OpenOptions{Metadata: metadata}.Open(b.Context(), path)
		if err != nil {
			b.Fatal(err)
		}
		r, err := arrowscan.NewReader(b.Context(), f, scanner.Options{Filter: where, Resources: released}, arrowscan.Options{Strings: arrowscan.Offsets})
		if err != nil {
			b.Fatal(err)
		}
		rows := int64(0)
		for r.Next() {
			rows += r.RecordBatch().NumRows()
		}
		if r.Release(); rows != 1 || r.Err() != nil {
			b.Fatal(rows, r.Err())
		}
		f.Close()
		times = append(times, float64(time.Since(begin)))
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2], "median-ns")
	b.ReportMetric(times[0], "least-ns")
}
