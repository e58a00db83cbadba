// Package pageindex is everything that lets a scan not read: it judges what
// statistics, column and offset indexes and Bloom filters of a file promise,
// and does no I/O itself.
//
// A Column knows how one leaf's bounds compare, if they do. From a chunk's or
// page's statistics, or from an entry of the column index, it makes Bounds:
// what is certain about the values behind them, or why nothing is. CheckOffsets
// and CheckIndex tell why a page index must not be used; that is no error of
// the scan, which reads everything then.
//
// Statistics lie in known ways, and each is looked for: bounds in an order that
// the file does not name or that no one knows, of types that have no order,
// from the days of signed comparison only, with NaN in them, of a wrong length,
// the lower above the upper; null counts that are missing (which is not zero)
// or more than there are values.
//
// What never comes here: data pages, I/O, dictionaries, expressions.
package pageindex
