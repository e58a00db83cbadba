// Package scans reads whole columns of whole files with winnow, arrow-go and
// parquet-go, in one program, and compares the processor time that they take.
//
// All deliver the same: every value decoded, in columns, in memory where a host
// can look it up by its number. Lists have offsets, NULLs a place. Each reader is
// used as its careful users do:
//
//   - winnow by scanner's batches, released when they have been seen, with one
//     Memory for all scans, as parquet-go has its pools;
//   - arrow-go by pqarrow, a table for each row group, from a mapped file;
//   - parquet-go page after page from a mapped file into the columns of a row
//     group. Its dictionaries are looked up, and its levels made offsets and
//     validity, by loops that stand here. Memory is that of the row group before;
//   - parquet-go-pages the same, but delivers each page on its own, without a copy
//     where it is a column already. That is less than the others do, since
//     columns do not go together, and so a bound more than a peer.
//
// A Sum tells the values, NULLs, lists and their order; Check holds the three to
// the same ones. It is no part of what is measured.
//
// docs/performance-scan.md has the outcome, and the command that makes it.
//
// What never comes here: filters, single decoders (package compare has those).
package scans
