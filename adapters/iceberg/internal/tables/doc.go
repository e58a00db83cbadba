// Package tables makes small Iceberg tables with iceberg-go's writer, for tests and for
// comparisons with other readers.
//
// What never comes here: anything that reads tables.
package tables
