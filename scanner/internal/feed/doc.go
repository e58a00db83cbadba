// Package feed brings the bytes of column chunks to their cursors.
//
//	source ─┬─────────────────────▶ Feed ──▶ column.Cursor
//	        └─▶ Prefetcher ──▶ Source ┘
//
// A Feed belongs to one column chunk. It reads ahead of what is asked for, keeps
// the bytes that may still be looked at, and stops where the offset index says
// that the next pages are not wanted. A Prefetcher asks a source far away for
// what scans are going to need; the Sources that it hands out serve those bytes
// from memory. A Feed knows such a source by the interface Prefetched.
//
// A Pool lends the memory of both.
//
// What never comes here: which rows and columns are wanted, decoding, errors with
// a place in the file.
package feed
