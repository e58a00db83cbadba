// Package answer has the commands that answer from rows: cat, head, tail, sample, count, min,
// max and describe. They ask scans as any host would.
//
// Commands that print rows share a rowTask, which scans one file after the other and hands
// batches to a RowWriter.
//
// What never comes here: pages, indexes, the footer's details.
package answer
