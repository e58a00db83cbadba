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
// # The Judge
//
// A Judge takes a filter's program through one row group, and finds for each of
// its nodes which rows are proven not to pass (none) and to pass (all). It
// says what it needs, and gets the bytes:
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
// What is free or says most comes first, and what can no longer change the
// result is not asked for:
//
//	step   looks at                                            asks for
//	1      the footer's entries of chunks, as AND and OR       the page indexes of leaves on whose
//	       get to them                                         tests bounds or nulls may settle more
//	2      pages, in blocks                                    the first 64 bytes of Bloom filters
//	3      headers of Bloom filters                            blocks of 32 bytes for up to 16 keys
//	4 …    blocks                                              those of 4 times as many, if none was there
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
// A test whose verdict is All on some rows need not be run there, and its
// column not be read for it.
//
// Group.Stop is asked after some hundred nodes and pages: very many tests on very
// many pages take seconds, which nobody may be waiting for any more.
//
// # What is not believed
//
// Statistics lie in known ways, and each is looked for: bounds in an order that
// the file does not name or that no one knows, of types that have no order,
// from the days of signed comparison only, with NaN in them, of a wrong length,
// the lower above the upper; null counts that are missing (which is not zero),
// more than there are values, or that leave out NULL and empty lists, as writers
// do to this day, or that leave no value for the bounds beside them; histograms of levels that contradict counts or each other; an
// order of pages that the index claims, which is not even asked for; Bloom filters
// of another size than the footer tells, or than the next part of the file leaves
// room for. What cannot be seen in a file is known of its writer (column/writer).
//
// What never comes here: data pages, I/O, dictionaries, expressions.
package pageindex
