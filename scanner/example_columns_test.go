package scanner_test

import (
	"context"
	"fmt"
	"log"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// A stream whose schema must be known before its first batch: one column always is a
// dictionary, however the file encodes it, and the others never are.
func ExampleOptions_dictionaries() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/weblog.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	options := scanner.Options{
		Select:       []string{"latency_ms", "method"},
		Dictionaries: map[string]vector.DictionaryUse{"method": vector.DictionaryAlways},
		Limit:        3,
	}
	fields, err := f.Fields(ctx, options)
	if err != nil {
		log.Fatal(err)
	}
	for _, field := range fields {
		fmt.Println(field.Name, field.Type, "dictionary:", field.Dictionary == vector.DictionaryAlways)
	}
	for batch, err := range f.Scan(ctx, options) {
		if err != nil {
			log.Fatal(err)
		}
		latency, method := batch.Columns[0], batch.Columns[1]
		for i := range batch.Len {
			code := int(method.Codes[i])
			fmt.Println(latency.Int32s[i], string(method.Dict.Bytes(code)))
		}
		batch.Release()
	}
	// Output:
	// latency_ms INT32 INT(32) dictionary: false
	// method BYTE_ARRAY STRING dictionary: true
	// 16 GET
	// 431 GET
	// 1462 GET
}

// A column that the file lacks and the host knows: filters may name it, and Select.
func ExampleOptions_constants() {
	ctx := context.Background()
	f, err := scanner.Open(ctx, "../testdata/orders.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	region := vector.StringOf("south")
	options := scanner.Options{
		Select:    []string{"region", "order_id"},
		Constants: filter.Constants{"region": region},
		Filter:    filter.Col("region").Eq("south"),
		Limit:     2,
	}
	for batch, err := range f.Scan(ctx, options) {
		if err != nil {
			log.Fatal(err)
		}
		region := batch.Columns[0]
		fmt.Println(region.Form == vector.Constant, string(region.Bytes(0)))
		rows := vector.JSONRows(batch.Fields)
		rows.Use(batch)
		for i := range batch.Len {
			row, err := rows.Append(nil, i)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(string(row))
		}
		batch.Release()
	}
	// Output:
	// true south
	// {"region":"south","order_id":1000}
	// {"region":"south","order_id":1001}
}

// A host has a list of files, and the value that a column has in each of them: it opens those alone that
// may have rows that pass.
func ExampleOptions_ExcludesFile() {
	where, err := filter.Parse(`year >= 2024 AND status = 404`)
	if err != nil {
		log.Fatal(err)
	}
	year := vector.Type{Physical: vector.Int32}
	for _, file := range []struct {
		name string
		year int64
	}{{"old.parquet", 2023}, {"new.parquet", 2024}} {
		value, err := vector.IntOf(year, file.year)
		if err != nil {
			log.Fatal(err)
		}
		options := scanner.Options{Filter: where, Constants: filter.Constants{"year": value}}
		excluded, err := options.ExcludesFile()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(file.name, excluded)
	}
	// Output:
	// old.parquet true
	// new.parquet false
}
