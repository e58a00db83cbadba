// Package estimate says how many rows of a row group pass a filter, from metadata alone.
//
// A Judge has what is proven: rows that do not pass, and rows that do. Between the two, a test
// is expected to pass the share of values that it would pass if they were spread evenly
// between the chunk's bounds. The share is found by asking the test itself, for halves of
// halves of the interval, until a half passes as a whole or not at all:
//
//	bounds 0 to 99, x < 30       [0 49]             [50 99]
//	                              undecided          none
//	                             [0 24] [25 49]
//	                              all    undecided …          30 of 100
//
// NOT, AND and OR combine shares as if columns did not depend on each other.
//
// What never comes here: I/O, pages, types of package scanner.
package estimate
