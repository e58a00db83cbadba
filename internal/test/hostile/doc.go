// Package hostile feeds mutated files to everything that reads bytes of a
// file, and demands an answer: values or an error, in time, in little memory.
//
// A case is a number. From it follow a sample file, a part of it (footer, page
// index, Bloom filter, page header, page body), one to eight mutations of that
// part, and what is read afterwards: each part by its reader, and then rows and
// answers as hosts ask for them. So a case can be run again:
//
//	WINNOW_ROUNDS=20 go test ./internal/test/hostile        100,000 of them
//	go test ./internal/test/hostile -case=4711              one of them
//
// Each case must end without a panic, within a deadline, and after no more
// than 64 MiB of allocations beyond the size of the file. All that a case
// allocates is counted, whether it was freed in between or not: that is more
// than what it held at any time, so the peak obeys the bound too.
//
// What never comes here: what a reader must answer. That is its own tests'
// business.
package hostile
