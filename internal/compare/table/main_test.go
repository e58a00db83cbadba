package main

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	rows, err := read(strings.NewReader(`cpu: a machine
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
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	var out, summary strings.Builder
	if err := write(&out, &summary, rows); err != nil {
		t.Fatal(err)
	}
	const want = "row,winnow,parquet-go,arrow-go,ratio,set\n" +
		"op=unpack width=5,200,100,400,0.50,Decoding\n" +
		"op=copy type=int32,7,,14,0.50,Copies\n"
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
	if want := "Reached by 0 of 1 rows; least 0.50, median 0.50.\n"; !strings.Contains(summary.String(), want) {
		t.Errorf("no %q in %q", want, summary.String())
	}
}
