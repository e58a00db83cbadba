// Package filter holds what a user asks for: expressions over columns in SQL's
// three-valued logic, bound to a file's schema, and filters that a host hands
// in while a scan runs.
//
// An expression answers three questions: which tests its columns must pass,
// which entries of a dictionary pass, and what bounds on a column's values
// prove — that none passes, that some may, that all do. The package bloom below
// is the kernel that the files' filters and the hosts' filters share.
//
// What never comes here: thrift, encodings of statistics, the names of columns
// in files, I/O, decoding.
package filter
