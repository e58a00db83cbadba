// Package main is a C library of winnow's scans, libwinnow, and what the Python package
// beside it stands on.
//
//	go build -buildmode=c-shared -o libwinnow.so .
//
// winnow.h is its interface. A scan is described by a JSON object, the fields of query.
// Rows leave as Arrow's C stream, errors as a JSON object, the fields of failure.
//
// # Threads
//
// Every function may be called from any thread. A scan runs in goroutines of its own, and
// callers wait for them: Go forbids that a coroutine, which the iterator of a scan is,
// moves between the threads that call it.
//
// Where a scan reads file objects of Python, goroutines wait for Python's lock. So a caller that
// has it, as some consumers of streams do, is without it while it waits for them.
//
// # After a fork
//
// A forked process has the memory of a Go program, and none of its threads. The
// functions of winnow.h notice the fork and return an error. What was allocated before
// stays allocated there.
//
// What never comes here: what Python can do, conversions of values, a second engine.
package main
