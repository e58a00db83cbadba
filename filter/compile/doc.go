// Package compile binds filters to a file's schema and compiles them.
//
// Bind compiles a filter.Expr to a Program: a tree of AND and OR over tests of single
// leaves. A Test has two forms: the predicate for values and entries of a dictionary (Pred),
// and what bounds on the column's values prove (Verdict): none passes, some may, or all do. A condition on more than one leaf is a Compute,
// which runs on vectors. Bounds can also decide a comparison of two columns. Conjoin
// combines programs, such as those of conditions that come later.
//
// Programs are immutable and safe for concurrent use. The package is for the rooms of
// a scan: hosts do not need it, and its names are no promise.
//
// # How it is compiled
//
// Bind compiles each condition for the rows where it is TRUE, or FALSE, or not
// TRUE, or not FALSE. NOT swaps these on the way to the leaves. So NULL is resolved
// in the leaves, and a row passes a node of a Program or does not.
//
// A column's values are ordered. A literal is converted once, for all comparisons,
// to its position in that order: the cut below the values that equal it, and the
// cut above. A test is a set of intervals between cuts, with flags for NaN and NULL.
// Tests of one column are fused by merging their cuts, and become one predicate for
// decoders.
//
//	x > 2.5 AND x <= 9 AND x NOT IN (3, 9), of integers     [3 9] less {3} {9}: [4 8]
//
// What never comes here: thrift, encodings of statistics, the names of columns
// in files, I/O, decoding.
package compile
