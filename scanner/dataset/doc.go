// Package dataset scans several files as one table.
//
//	files, err := dataset.Open("sales/**/*.parquet")
//	for batch, err := range files.Scan(ctx, scanner.Options{Filter: filter.Col("year").Eq(2024)}) {
//		…
//	}
//
// Files are opened when a scan comes to them; of far files, see fetch.Traits, up to 16 at the
// same time, unless an offset, a limit, runtime filters or Resources.Bytes forbid it. Partitions and
// Each open as many ahead of the one that is read. Folders like year=2024 are columns, and a
// file that a filter excludes by them is not opened. The columns of the first file that is
// opened are those of the table: other files' are found by name, NULL where one is
// missing, and widened where that loses nothing.
//
// United makes a table of the columns of all files instead. Those of one name are one column,
// nullable if a file lacks it, or has it so. Its type is the least one that has the values of all,
// whatever the files' order; fields of structs, and what lists and maps have, are united alike:
//
//	INT, UINT                 the larger; an INT larger than each UINT beside INT; none for UINT(64) beside INT
//	INT, UINT of at most 32 bits, FLOAT, DOUBLE   DOUBLE, if a FLOAT or DOUBLE is among others
//	DECIMAL, INT, UINT(8..32) DECIMAL with the digits of all, at most 38
//	DATE, TIMESTAMP, INT96    TIMESTAMP of the finest unit; DATE not with one adjusted to UTC; INT96 as MICROS
//	TIME, TIMESTAMP           of the finest unit; none if only some are adjusted to UTC
//	STRING, ENUM, JSON        STRING
//	bytes, of one length or any, BSON, with these   BYTE_ARRAY
//	UNKNOWN                   that of the others, be it a struct, a list or a map
//
// Two other types have none, such as INT64 and DOUBLE, or a number and a STRING. A scan that selects
// or filters such a column is an error before any row, which names both files and types. A condition
// on a field of a list's items is an error at a file whose items lack it. Conditions are on values of the
// table's types. Functions that are run, and calculations of columns, take one that the table's type
// lacks, such as an INT96 with nanoseconds, for NULL; it is an error where it is selected.
//
// Scan, Partitions, Count, Min, Max and Top are those of scanner.File, through all files.
//
// Errors are *scanner.Error, with the name of the file. A Files may be used by several
// goroutines at once.
//
// What never comes here: what is done within one file.
package dataset
