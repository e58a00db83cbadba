// Package vector holds what values are once they are decoded: their types and
// their one textual form.
//
// A Type is the physical type of a leaf with the annotation that gives it a
// meaning. It is a small comparable value, so that two columns have the same
// type exactly if their Types are equal.
//
// AppendText and AppendJSON write one value, given as its PLAIN encoding
// without any length prefix, which is also how statistics, column indexes and
// dictionaries keep values:
//
//	INT64 TIMESTAMP(MICROS,UTC)     2a 00 00 00 00 00 00 00     1970-01-01T00:00:00.000042Z
//	FIXED_LEN_BYTE_ARRAY(2) DECIMAL(4,2)          ff 85         -1.23
//	FLOAT                                   cd cc cc 3d         0.1
//
// For many values of one type, take a Formatter once and use it for all.
//
// What never comes here: decoding of pages, predicates, and what a type means
// in a file's schema (column/schema) or to a host.
package vector
