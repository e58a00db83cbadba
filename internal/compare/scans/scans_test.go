package scans

import (
	"runtime"
	"testing"
)

// The readers deliver the same, of every workload that is there.
func Benchmark(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	workloads := Small("../../../testdata")
	if len(workloads) == 0 {
		b.Fatal("testdata is missing")
	}
	if !testing.Short() {
		workloads = append(workloads, Large()...)
	}
	for _, w := range workloads {
		rows, err := Check(w)
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range Readers() {
			b.Run(w.String()+"/impl="+r.Impl, func(b *testing.B) {
				b.ReportAllocs()
				before := ProcessorTime()
				for b.Loop() {
					if _, err := r.Read(w, nil); err != nil {
						b.Fatal(err)
					}
				}
				used := ProcessorTime() - before
				b.ReportMetric(float64(rows)*float64(b.N)/used.Seconds()/1e6, "Mrows/s")
			})
		}
	}
}

// A column's sum depends on each value and on its position.
func TestSumDependsOnOrder(t *testing.T) {
	sum := func(slots ...int) (s Sum) {
		for _, v := range slots {
			if v < 0 {
				s.null()
			} else {
				s.value(uint64(v))
			}
		}
		return s
	}
	base := sum(1, 2, -1, 3)
	for _, other := range []Sum{sum(1, 2, 3), sum(2, 1, -1, 3), sum(1, 2, 3, -1), sum(1, 2, 0, 3), sum(1, 2, -1, 4)} {
		if other == base {
			t.Errorf("%v is that of other slots too", base)
		}
	}
	if sum(1, 2, -1, 3) != base {
		t.Errorf("sums of the same slots differ")
	}
}

// Check goes through every reader: on testdata they agree.
func TestCheck(t *testing.T) {
	for _, w := range Small("../../../testdata") {
		rows, err := Check(w)
		if err != nil {
			t.Error(err)
		}
		if rows == 0 {
			t.Errorf("%s: no rows", w)
		}
	}
}
