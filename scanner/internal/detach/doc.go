// Package detach runs work that may outlast whoever waits for it.
//
// A scan looks at its context between columns, conditions, pages and reads. What
// may take longer than a caller who cancels will wait runs in a goroutine of its
// own: reads of sources that ignore contexts, conditions that are bound to a file,
// bodies of many megabytes. When the context ends, Run returns and the work goes on
// alone, in memory that nobody else uses.
//
//	scan   ──────┬──── Run ────┐ context ends: Run returns
//	work         └─────────────────────────── its result is dropped
//
// A panic in such a goroutine would end the process. Catch turns it into an error,
// which travels to the goroutine of the caller, where Rethrow panics with it.
//
// What never comes here: files, columns, what the work is.
package detach
