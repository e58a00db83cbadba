// Package vector holds decoded values: their types, their layout in memory, and
// their text.
//
// A Batch is some rows of a table, a Vector for each column; a Field describes
// a column. Vectors are laid out as Arrow's are, and come in three forms:
// flat, dictionary and constant. Flatten makes any of them flat. Package build
// makes and fills vectors.
//
// Vectors and batches may be read by several goroutines at once, but not while
// one changes them.
//
// Rows are identified by their ordinal within the row group. Ranges are sorted
// ranges of ordinals, and a RowSet has Ranges for each row group of a file.
//
// A Type is the physical type of a leaf with the annotation that gives it a
// meaning. It is a small comparable value, so that two columns have the same
// type exactly if their Types are equal.
//
// A Scalar is one value, or NULL: what hosts give as constants and defaults, and
// get as least and greatest values. Its text is that of a Formatter, which Type.Text
// and Type.JSON return. It writes values given as their PLAIN encoding without any
// length prefix, as statistics, column indexes and dictionaries hold them:
//
//	INT64 TIMESTAMP(MICROS,UTC)     2a 00 00 00 00 00 00 00     1970-01-01T00:00:00.000042Z
//	FIXED_LEN_BYTE_ARRAY(2) DECIMAL(4,2)          ff 85         -1.23
//	FLOAT                                   cd cc cc 3d         0.1
//
// What never comes here: decoding of pages, predicates, and what a type means
// in a file's schema (column/schema) or to a host.
package vector
