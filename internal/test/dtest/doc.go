// Package dtest runs tests that are written as text: a file holds commands
// with their input and the output they must give, and can be rewritten from
// what the code gives now.
//
// A script is a row of cases, parted by blank lines:
//
//	# a comment
//	decode width=3 values=(0, 1, 2)
//	88 c6 fa
//	----
//	0 1 2 3 4 5 6 7
//
// The first line is the command and its arguments. What follows up to "----"
// is the input, what follows that is the output, up to a blank line. An output
// that itself holds blank lines stands between two fences:
//
//	show
//	----
//	----
//	one
//
//	two
//	----
//	----
//
// "go test ./encoding/rle -rewrite" writes the outputs anew. Read the
// difference before you commit it: it is the test.
//
// Bytes prints annotated bytes and fails the test when a byte is left without
// an annotation. Edge returns memory in front of which and behind which nothing is
// readable, and Fenced a copy of bytes in it, for tests of what looks too far.
//
// Constants names what a test counts by the values of an enumeration.
//
// Rounds and Moment say how long a random test goes on. "go test ./..." is for all day, so
// its counts are small; WINNOW_ROUNDS multiplies them for a long run:
//
//	WINNOW_ROUNDS=10 go test -v ./encoding/rle
//
// What never comes here: knowledge of any format, anything that code outside
// of tests imports.
package dtest
