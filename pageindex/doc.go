// Package pageindex proves which rows of a row group pass a filter, and which do
// not, from statistics, column and offset indexes and Bloom filters. A scan skips
// the pages of such rows. The package does no I/O.
//
// A Column knows how one leaf's bounds compare. From the statistics of a chunk or
// page, or from an entry of the column index, it makes Bounds: what is certain
// about the values, or why the bounds are unusable. CheckOffsets and CheckIndex
// return why a page index must not be used. A scan then reads all pages, and does
// not fail.
//
// # The Judge
//
// A Judge evaluates a filter's program on one row group. For each node of the
// program it finds the rows that are proven not to pass (none) and to pass (all).
// Step returns the byte ranges that may prove more, and the caller supplies them:
//
//	for {
//		needs, err := j.Step()
//		if err != nil || len(needs) == 0 {
//			return err
//		}
//		for _, n := range needs {
//			b, err := read(n.Off, n.Len)
//			j.Supply(n, b, err)
//		}
//	}
//
// Evidence that costs no read comes first, then page indexes, then Bloom filters.
// A part that can no longer change the result is not requested:
//
//	step   evaluates                                           requests
//	1      the footer's entries of chunks, as AND and OR       the page indexes of leaves on whose
//	       reach them                                          tests bounds or nulls may decide more
//	2      pages, in blocks                                    the first 64 bytes of Bloom filters
//	3      headers of Bloom filters                            blocks of 32 bytes for up to 16 keys
//	4 …    blocks                                              blocks for 4 times as many keys, if all were absent
//
// Pages of different columns need not align: verdicts are ranges of rows, of
// which an AND unites the nones and intersects the alls, an OR the other way
// round.
//
//	a > 5               none [0 10)    all [20 30)
//	b = 'x'             none [5 15)    all [15 30)
//	a > 5 AND b = 'x'   none [0 15)    all [20 30)
//	a > 5 OR b = 'x'    none [5 10)    all [15 30)
//
// On rows where a test's verdict is All, a scan need not run the test, nor read its
// column for it.
//
// Group.Stop is called every few hundred nodes and pages: very many tests on very
// many pages take seconds, and a scan must be cancellable meanwhile.
//
// # What is not trusted
//
// Statistics are wrong in known ways. The package checks for each of these:
//
//   - bounds in an order that the file does not name or that is unknown, or of a
//     type without an order;
//   - the deprecated min and max, where signed order is wrong for the type;
//   - bounds that are NaN, have a wrong length, or have the lower above the upper;
//   - null counts that are missing (which is not zero), exceed the values, leave out
//     NULL and empty lists, or leave no value although there are bounds;
//   - histograms of levels that contradict the counts or each other;
//   - Bloom filters of another size than the footer gives, or than the next part of
//     the file leaves room for.
//
// The boundary order that a column index claims is never used. Errors that cannot
// be detected in a file are known from its writer (column/writer).
//
// What never comes here: data pages, I/O, dictionaries, expressions.
package pageindex
