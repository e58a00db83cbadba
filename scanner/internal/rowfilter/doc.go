// Package rowfilter runs a scan's filter.
//
// A Filter holds the program of the scan's filter and of its runtime filters as a
// tree of steps. It lives as long as the scan and measures the cost of each step and how
// many rows it drops. In each row group the scan calls
//
//	Prove          to judge metadata: rows that cannot pass, tests that all rows pass
//	UntestedUntil  to find the rows that need no test
//	Test           to drop the rows of one window that do not pass, step by step, cheapest first
//	Refresh        to judge the remaining rows again after a runtime filter was published
//
// Prove returns the rows that may pass, and those that were skipped with the reason; Test
// filters a selection.
//
//	And ── ship_date >= …      proofs: rows where nothing or all of it passes
//	   └── price > …           cost: nanoseconds a row that it dropped lately
//	   └── bloom(key)          a runtime filter: in backoff while it drops next to nothing
//
// A Host, the scan, opens the columns that steps read and reads the metadata that
// proofs need.
//
// What never comes here: which rows are wanted, batches, returned columns, reading.
package rowfilter
