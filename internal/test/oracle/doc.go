// Package oracle holds scans with a WHERE against internal/test/naive: random
// schemas, rows, page layouts, conditions and plans, from one number each.
//
//	go test ./internal/test/oracle                                    3,000 cases
//	WINNOW_ROUNDS=34 go test ./internal/test/oracle -run Oracle       a long run
//	go test ./internal/test/oracle -run Oracle -seed 1 -case 1234 -v  one case again
//
// A world is a file and its rows. Some cases share one: each has a condition of
// its own, which several scans are asked in different ways. Rows are compared
// as text, the written ones against those that the scans hand out.
//
// What kinds of tests met which types, encodings, versions of pages and
// outcomes is counted. A run fails if a cell of that table is empty that it
// could have reached.
//
// Two tests are not random, and make docs/format.md: TestVerdicts, of what each
// kind of metadata proves of each type, and TestFormat, of sample files.
//
// What never comes here: code that anything else imports.
package oracle
