// Package rowfilter is a scan's filter as it runs.
//
// A Filter holds the program of the scan's filter and of its runtime filters as a
// tree of steps. It lives as long as the scan and keeps what it learns: what each
// step costs, and how many rows it drops. In each row group it goes through
//
//	Prove      metadata are judged: rows that cannot pass, tests that all rows pass
//	Untested   up to which row nothing has to be tested, since all rows pass
//	Test       the survivors of one window of rows, step by step, cheapest first
//	Refresh    runtime filters that were published meanwhile; rows left are judged anew
//
// What it finds comes back as values: Prove returns the rows that may pass and those
// that were skipped, with the reason; Test narrows a selection.
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
