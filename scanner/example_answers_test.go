package scanner_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// Answers that take less than a scan: the footer knows how many rows there are,
// statistics most of the ends of a column.
func ExampleFile_Count() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/lineitems.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	all, err := f.Count(ctx, scanner.Options{})
	if err != nil {
		log.Fatal(err)
	}
	air := scanner.Options{Filter: filter.Col("ship_mode").Eq("AIR")}
	some, err := f.Count(ctx, air)
	if err != nil {
		log.Fatal(err)
	}
	last, err := f.Max(ctx, "ship_date", air)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(all, some, last)
	// Output:
	// 20000 2840 1999-02-24
}

// Rows that were found once are read without asking for them again: a cache of
// such sets is a few bytes for each run of rows.
func ExampleFile_Passing() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/lineitems.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	found, err := f.Passing(ctx, scanner.Options{Filter: filter.Col("order_key").Eq(8216)})
	if err != nil {
		log.Fatal(err)
	}
	for batch, err := range f.Scan(ctx, scanner.Options{Select: []string{"comment"}, Rows: found, RowNumber: "row"}) {
		if err != nil {
			log.Fatal(err)
		}
		for i := range batch.Len {
			fmt.Printf("row %d: %s\n", batch.Columns[1].Int64s[i], batch.Columns[0].Bytes(i))
		}
	}
	// Output:
	// row 0: lantern brisk narrow ledger bold
	// row 30: plain ledger
	// row 177: crate plain carton
	// row 190: quiet quiet steady ledger harbour
}

// A condition of the host's own: it clears the bits of rows that do not pass.
func Example_function() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/lineitems.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	squares := filter.Func("is_square", func(columns []*vector.Vector, sel []uint64) error {
		quantity := columns[0]
		quantity.Flatten()
		for i := bits.Next(sel, 0, quantity.Len); i < quantity.Len; i = bits.Next(sel, i+1, quantity.Len) {
			switch {
			case quantity.IsNull(i):
				bits.Clear(sel, i)
			case quantity.Int32s[i] != 1 && quantity.Int32s[i] != 4 && quantity.Int32s[i] != 9:
				bits.Clear(sel, i)
			}
		}
		return nil // an error would end the scan, which would return it
	}, filter.Col("quantity"))
	n, err := f.Count(ctx, scanner.Options{Filter: filter.And(squares, filter.Col("ship_mode").Eq("AIR"))})
	fmt.Println(n, err)
	// Output:
	// 169 <nil>
}

// An error of a host's condition ends the scan.
func Example_functionFails() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/lineitems.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	unreachable := errors.New("the price list is unreachable")
	listed := filter.Func("listed", func([]*vector.Vector, []uint64) error { return unreachable }, filter.Col("extended_price"))
	_, err = f.Count(ctx, scanner.Options{Filter: listed})
	var where *scanner.Error
	if errors.Is(err, unreachable) && errors.As(err, &where) {
		fmt.Printf("row group %d: %v\n", where.RowGroup, where.Err)
	}
	// Output:
	// row group 0: function listed: the price list is unreachable
}

// An error says where in the file something is wrong, and of which kind it is.
func ExampleError() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/bad/crc_v1.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for batch, err := range f.Scan(ctx, scanner.Options{}) {
		if err == nil {
			batch.Release()
			continue
		}
		var where *scanner.Error
		if errors.Is(err, scanner.ErrCorrupt) && errors.As(err, &where) {
			fmt.Printf("row group %d, column %s, page %d: %v\n", where.RowGroup, where.Column, where.Page, where.Err)
		}
	}
	// Output:
	// row group 0, column k, page 1: page body: checksum 2743773860, the header says 4191219966
}

// A planner asks what a filter leaves before it decides on a join: nothing but metadata is read.
func ExampleFile_Estimate() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/lineitems.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	early := filter.Col("ship_date").Lt(filter.Date(1993, 1, 1))
	few := filter.Col("quantity").Le(5)
	e, err := f.Estimate(ctx, scanner.Options{Filter: filter.And(early, few)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("both:", e.Rows.AtLeast, "to", e.Rows.AtMost, "expected", e.Rows.Expected)
	for _, t := range e.Tests {
		fmt.Println(t.Test+":", t.Rows.AtLeast, "to", t.Rows.AtMost, "expected", t.Rows.Expected)
	}
	// Output:
	// both: 0 to 3072 expected 268
	// ship_date < 1993-01-01: 2048 to 3072 expected 2682
	// quantity < 6: 0 to 20000 expected 2000
}

// The zone map of a row group: bounds as values of the column's type.
func ExampleFile_ZoneMap() {
	f, err := scanner.Open(context.Background(), "../testdata/lineitems.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	z, err := f.ZoneMap(0, "ship_date")
	fmt.Println(z.Min, z.Max, z.MinExact, z.Slots, z.Nulls, err)
	// Output: 1992-01-04 1994-03-25 false 6000 0 <nil>
}
