// Command icedump reads an Iceberg table, and makes sample tables, for comparisons with other
// readers.
//
//	icedump -make DIR                              makes the samples; prints their metadata files
//	icedump -bench DIR                             makes the table for measurements
//	icedump [-own] [-select a,b] [-filter JSON] [-snapshot ID] [-out FILE | -rounds N] METADATA
//
// It writes an Arrow stream, or reads N times and prints rows, bytes read and the median time. With
// -own, iceberg-go's own reader reads.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	icebergscan "github.com/winnow-scan/winnow/adapters/iceberg"
	"github.com/winnow-scan/winnow/adapters/iceberg/internal/tables"
	"github.com/winnow-scan/winnow/scanner"
)

var (
	makeIn   = flag.String("make", "", "")
	benchIn  = flag.String("bench", "", "")
	own      = flag.Bool("own", false, "")
	columns  = flag.String("select", "", "")
	where    = flag.String("filter", "", "")
	snapshot = flag.Int64("snapshot", 0, "")
	out      = flag.String("out", "", "")
	rounds   = flag.Int("rounds", 0, "")
	threads  = flag.Int("threads", 0, "")
)

func main() {
	flag.Parse()
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "icedump:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	switch {
	case *makeIn != "":
		places := map[string]string{}
		for name, t := range tables.New(ctx, *makeIn).Samples() {
			places[name] = t.MetadataLocation()
		}
		return json.NewEncoder(os.Stdout).Encode(places)
	case *benchIn != "":
		fmt.Println(tables.New(ctx, *benchIn).Bench(20, 200_000).MetadataLocation())
		return nil
	}
	fsys := func(context.Context) (io.IO, error) { return io.LoadFS(ctx, nil, flag.Arg(0)) }
	tbl, err := table.NewFromLocation(ctx, table.Identifier{"t"}, flag.Arg(0), fsys, nil)
	if err != nil {
		return err
	}
	q := icebergscan.Query{}
	if *columns != "" {
		q.Select = strings.Split(*columns, ",")
	}
	if *where != "" {
		if q.Filter, err = iceberg.ParseExpr([]byte(*where), tbl.Schema()); err != nil {
			return err
		}
	}
	if *snapshot != 0 {
		q.SnapshotID = snapshot
	}
	if *rounds > 0 {
		return measure(ctx, tbl, q)
	}
	schema, rows, err := records(ctx, tbl, q)
	if err != nil {
		return err
	}
	f, err := os.Create(*out)
	if err != nil {
		return err
	}
	defer f.Close()
	w := ipc.NewWriter(f, ipc.WithSchema(schema))
	for r, err := range rows {
		if err == nil {
			err = w.Write(r)
		}
		if err != nil {
			return err
		}
	}
	return w.Close()
}

// records returns the schema and the records of a scan, which are left to the garbage collector.
func records(ctx context.Context, tbl *table.Table, q icebergscan.Query) (*arrow.Schema, iter.Seq2[arrow.RecordBatch, error], error) {
	if *own {
		return ownRecords(ctx, tbl, q)
	}
	r, err := icebergscan.NewReader(ctx, tbl, q)
	if err != nil {
		return nil, nil, err
	}
	tasks, err := r.PlanFiles(ctx)
	if err != nil {
		return nil, nil, err
	}
	rows, err := r.Records(ctx, tasks, scanner.Options{Threads: *threads}, arrowscan.Options{Strings: arrowscan.Offsets})
	if err != nil {
		return nil, nil, err
	}
	defer rows.Release() // the iterator holds them
	return rows.Schema(), array.IterFromReader(rows), nil
}

func ownRecords(ctx context.Context, tbl *table.Table, q icebergscan.Query) (*arrow.Schema, iter.Seq2[arrow.RecordBatch, error], error) {
	var o []table.ScanOption
	if q.Select != nil {
		o = append(o, table.WithSelectedFields(q.Select...))
	}
	if q.Filter != nil {
		o = append(o, table.WithRowFilter(q.Filter))
	}
	if q.SnapshotID != nil {
		o = append(o, table.WithSnapshotID(*q.SnapshotID))
	}
	if *threads > 0 {
		o = append(o, table.WithMaxConcurrency(*threads))
	}
	return tbl.Scan(o...).ToArrowRecords(ctx)
}

// result is a measurement.
type result struct {
	Rows   int64   `json:"rows"`
	Bytes  int64   `json:"bytes"` // read from files, manifests included
	Millis float64 `json:"ms"`    // median
}

func measure(ctx context.Context, tbl *table.Table, q icebergscan.Query) error {
	var got result
	var times []time.Duration
	for range *rounds {
		before, err := readSoFar()
		if err != nil {
			return err
		}
		start := time.Now()
		got.Rows = 0
		_, rows, err := records(ctx, tbl, q)
		if err != nil {
			return err
		}
		for r, err := range rows {
			if err != nil {
				return err
			}
			got.Rows += r.NumRows()
		}
		times = append(times, time.Since(start))
		after, err := readSoFar()
		if err != nil {
			return err
		}
		got.Bytes = after - before
	}
	slices.Sort(times)
	got.Millis = float64(times[len(times)/2].Microseconds()) / 1000
	return json.NewEncoder(os.Stdout).Encode(got)
}

// readSoFar returns the bytes that this process has read, as Linux counts them.
func readSoFar() (read int64, err error) {
	b, err := os.ReadFile("/proc/self/io")
	if err == nil {
		_, err = fmt.Sscanf(string(b), "rchar: %d", &read)
	}
	return read, err
}
