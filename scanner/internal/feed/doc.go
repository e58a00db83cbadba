// Package feed supplies cursors with the bytes of their column chunks.
//
//	source ─┬─────────────────────▶ Feed ──▶ column.Cursor
//	        └─▶ Prefetcher ──▶ Source ┘
//
// A Feed belongs to one column chunk. It reads ahead of its cursor, keeps the bytes
// that the cursor may still use, and stops reading ahead where the offset index shows
// unwanted pages. A Prefetcher reads ranges of a remote source before scans need them;
// its Sources serve these bytes from memory. A Feed asks such a source how far they reach.
//
// A Sequential reads short ranges of a local file that follow each other at once.
//
// column.Bodies lend memory to all.
//
// What never comes here: which rows and columns are wanted, decoding, errors with
// a place in the file.
package feed
