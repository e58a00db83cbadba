package main

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	rows, cpu, err := read(strings.NewReader(`cpu: a machine
Benchmark/op=unpack/width=5/impl=winnow-2       10   1 ns/op   900 Mvalues/s   0 B/op
Benchmark/op=unpack/width=5/impl=parquet-go-2   10   1 ns/op   100 Mvalues/s   0 B/op
Benchmark/op=unpack/width=5/impl=arrow-go       10   1 ns/op   300 Mvalues/s
Benchmark/op=copy/type=int32/impl=winnow        10   1 ns/op   7 Mvalues/s
Benchmark/op=copy/type=int32/impl=arrow-go      10   1 ns/op   14 Mvalues/s
PASS
Benchmark/op=unpack/width=5/impl=winnow-2       10   1 ns/op   100 Mvalues/s   0 B/op
Benchmark/op=unpack/width=5/impl=winnow-2       10   1 ns/op   200 Mvalues/s   0 B/op
Benchmark/op=unpack/width=5/impl=arrow-go-2     10   1 ns/op   500 Mvalues/s   0 B/op
`))
	if err != nil || cpu != "a machine" || len(rows) != 2 {
		t.Fatalf("%d rows, %q, %v", len(rows), cpu, err)
	}
	var out strings.Builder
	write(&out, rows, cpu)
	for _, want := range []string{
		"\nMachine: a machine.\n",
		"Reached by 0 of 1 rows; least 0.50, median 0.50.",
		"| op=unpack width=5 | 200 | 100 | 400 | 0.50 ✗ |\n",
		"| op=copy type=int32 | 7 | – | 14 | 0.50 |\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
