// Package stream reads standard input, pipes and devices as files: it copies them once, as
// the metadata of Parquet is at a file's end.
//
// What never comes here: names of other files, Parquet.
package stream
