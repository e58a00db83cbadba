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
// Scan, Partitions, Count, Min, Max and Top are those of scanner.File, through all files.
//
// Errors are *scanner.Error, with the name of the file. A Files may be used by several
// goroutines at once.
//
// What never comes here: what is done within one file.
package dataset
