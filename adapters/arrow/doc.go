// Package arrowscan turns scans of winnow into Arrow record batches.
//
// NewReader scans a file or a dataset and returns an array.RecordReader, the stream
// that Arrow's own packages and their users take. Its schema is fixed before the first
// batch is read.
//
//	file, err := scanner.Open(ctx, "orders.parquet")
//	r, err := arrowscan.NewReader(ctx, file, scanner.Options{Select: []string{"id", "price"}}, arrowscan.Options{})
//	defer r.Release()
//	for r.Next() {
//		use(r.RecordBatch())
//	}
//	err = r.Err()
//
// # Memory
//
// What has Arrow's layout in a batch already is not copied: numbers, strings as views,
// validity, offsets, structs, lists, maps, values of fixed length. A record keeps the batch
// that it came from until its last buffer is released, and then the batch's memory is
// used for the next one. Release is therefore worth calling; a record that is forgotten is
// left to the garbage collector. Everything else is converted a column at a time into
// memory of Options.Allocator.
//
// # Types
//
// Arrow's writers leave their schema in a file, under ARROW:schema. Where it agrees with the columns, they have the
// types that it says: durations, time zones, dictionaries, fixed-size lists, views or offsets, decimals of any width,
// date64, extension types, names and metadata. Without it, or with Options.IgnoreStored, types are these:
//
//	Parquet                        Arrow
//	BOOLEAN                        bool
//	INT32, INT64                   int32, int64
//	INT(8…64), UINT(8…64)          int8 … int64, uint8 … uint64
//	FLOAT, DOUBLE, FLOAT16         float32, float64, float16
//	DATE                           date32
//	TIME(MILLIS | MICROS, NANOS)   time32[ms] | time64[us, ns]
//	TIMESTAMP(unit)                timestamp[unit], "UTC" if it is adjusted to UTC
//	INT96                          timestamp[ns], or the unit of Options.Int96; so nanoseconds in 12 bytes
//	DECIMAL                        decimal128 up to 38 digits, decimal256 up to 76
//	STRING, ENUM                   string_view, or as Options.Strings says
//	BYTE_ARRAY, BSON               binary_view, or as Options.Strings says
//	FIXED_LEN_BYTE_ARRAY, INTERVAL fixed_size_binary
//	UUID                           extension arrow.uuid
//	JSON                           extension arrow.json
//	VARIANT                        extension arrow.parquet.variant, shredded as in the file or put together
//	GEOMETRY, GEOGRAPHY            binary with the metadata of geoarrow.wkb: reference system, edges
//	UNKNOWN                        null
//	struct, list, map              struct, list, map; a map without values: list of its keys
//
// A column that scanner.Options.Dictionaries wants as a dictionary always is a dictionary with
// int32 indices, as one is that the file's Arrow schema has as a dictionary; other columns never are, whatever form
// their batches have.
//
// Arrow's strings are UTF-8. The scan ends with an error at a STRING value that is not.
//
// Within a VARIANT, decimals have the width that is part of their value, and only metadata may be a dictionary.
// Options.WholeVariants puts shredded ones together.
//
// What never comes here: reading files, and any Arrow library in the core.
package arrowscan
