package scanner_test

import (
	"context"
	"fmt"
	"log"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// All of a file, as JSON lines.
func Example() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/shapes/nested_map.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for batch, err := range f.Scan(ctx, scanner.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		rows := vector.JSONRows(batch.Fields)
		rows.Use(batch)
		for i := range batch.Len {
			line, err := rows.Append(nil, i)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(string(line))
		}
		batch.Release() // its memory serves the next batch
	}
	// Output:
	// {"m":null}
	// {"m":[]}
	// {"m":[{"key":"k","value":null}]}
	// {"m":[{"key":"a","value":1},{"key":"b","value":2},{"key":"a","value":3}]}
}

// Rows 100 to 149 of one column, straight from the vectors. Only the pages
// with these rows are read.
func ExampleFile_Scan() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/weblog.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	slow := 0
	for batch, err := range f.Scan(ctx, scanner.Options{Select: []string{"latency_ms"}, Offset: 100, Limit: 50}) {
		if err != nil {
			log.Fatal(err)
		}
		for _, ms := range batch.Columns[0].Int32s[:batch.Len] {
			if ms > 100 {
				slow++
			}
		}
	}
	fmt.Println(slow, "slow requests")
	// Output: 32 slow requests
}

// The items of inner lists, beside the numbers of the rows that they are in.
func ExampleOptions_unnest() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/shapes/nested_list_of_lists.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for batch, err := range f.Scan(ctx, scanner.Options{Unnest: "l.item", RowNumber: "row"}) {
		if err != nil {
			log.Fatal(err)
		}
		rows := vector.JSONRows(batch.Fields)
		rows.Use(batch)
		for i := range batch.Len {
			line, err := rows.Append(nil, i)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(string(line))
		}
	}
	// Output:
	// {"item":null,"row":4}
	// {"item":1,"row":4}
	// {"item":2,"row":4}
	// {"item":3,"row":5}
}

// The schema of a host: its column id is wider than the file's a, and found by
// its field id; the file has never heard of its columns note and state.
func ExampleWant() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/shapes/schema_field_ids.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	text := vector.Type{Physical: vector.ByteArray, Logical: vector.String}
	want := []scanner.Want{
		{Name: "id", FieldID: 7, Type: vector.Type{Physical: vector.Int64}},
		{Name: "note", FieldID: 8, Type: text},
		{Name: "state", FieldID: 9, Type: text, Default: vector.StringOf("new")},
	}
	for batch, err := range f.Scan(ctx, scanner.Options{Want: want, By: scanner.ByFieldID}) {
		if err != nil {
			log.Fatal(err)
		}
		id, note, state := batch.Columns[0], batch.Columns[1], batch.Columns[2]
		fmt.Println(id.Type, id.Int64s[0], note.Type, note.IsNull(0), string(state.Bytes(0)))
	}
	// Output: INT64 1 BYTE_ARRAY STRING true new
}

// A catalogue knows what the file does not have in it: the warehouse of all its rows. The value
// is an operand of filters; scalars are literals, too.
func Example_scalars() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/lineitems.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	price, err := vector.DecimalOf(vector.Type{Physical: vector.Int64, Logical: vector.Decimal, Precision: 12, Scale: 2}, "1.00")
	if err != nil {
		log.Fatal(err)
	}
	here := filter.And(filter.Col("warehouse").Eq("Oslo"), filter.Col("discount").Lt(price))
	for _, warehouse := range []string{"Oslo", "Bergen"} {
		constants := filter.Constants{"warehouse": vector.StringOf(warehouse)}
		n, err := f.Count(ctx, scanner.Options{Filter: here, Constants: constants})
		fmt.Println(warehouse, n, err)
	}
	// Output:
	// Oslo 20000 <nil>
	// Bergen 0 <nil>
}
