// Package icebergscan reads Iceberg tables with winnow: iceberg-go plans which files a
// scan reads, and this package reads them.
//
//	tbl, err := catalog.LoadTable(ctx, table.Identifier{"shop", "orders"})
//	r, err := icebergscan.NewReader(ctx, tbl, icebergscan.Query{
//		Select: []string{"id", "price", "_file"},
//		Filter: iceberg.GreaterThan(iceberg.Reference("price"), int64(100)),
//	})
//	tasks, err := r.PlanFiles(ctx)
//	for batch, err := range r.Scan(ctx, tasks, scanner.Options{}) {
//		use(batch)
//		batch.Release()
//	}
//
// Tasks may be read by another process than the one that planned them: ship them with
// iceberg-go's package codec, and give them to a Reader with the same Query.
//
// # Columns
//
// Columns are found in a file by field id, or by the table's name mapping if the file has no
// ids. A column that the file lacks is its identity partition value, its initial default, or
// NULL. Promoted types are converted: int to long, float to double, decimals to more digits,
// date to timestamp.
//
//	Iceberg                                    column of a batch
//	boolean, int, long, float, double          BOOLEAN, INT32, INT64, FLOAT, DOUBLE
//	decimal(P, S)                              DECIMAL in INT32, INT64 or bytes, by P
//	date, time                                 DATE, TIME(MICROS)
//	timestamp, timestamptz, and those _ns      TIMESTAMP(MICROS | NANOS)
//	string, binary, fixed(L), uuid             STRING, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY, UUID
//	geometry, geography                        GEOMETRY, GEOGRAPHY
//	unknown                                    UNKNOWN: always NULL
//	struct, list, map                          struct, list, map
//	variant                                    ErrUnsupported, with the column's name
//
// # Deletes
//
// Position deletes and deletion vectors become the rows that the scan wants, before anything of
// the data file is decoded: pages without a surviving row are not decompressed, and with
// an offset index not read. Equality deletes are a condition like any other.
//
// # Filters
//
// Conditions have the semantics of iceberg-go's own reader: comparisons with NULL are NULL,
// and "not in" keeps rows that are NULL. They may be on the transforms identity, year, month, day and
// hour, and on truncate of strings.
//
// What never comes here: planning, catalogs, writing, and formats other than Parquet.
package icebergscan
