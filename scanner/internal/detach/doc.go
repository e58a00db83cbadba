// Package detach runs work that may outlast its caller.
//
// A scan checks its context between columns, conditions, pages and reads. Longer work
// runs in a goroutine of its own, so that a cancelled scan returns soon: reads of sources
// that ignore contexts, binding of long conditions, tests of long values, decompression of
// large bodies. When
// the context ends, Run returns. The work goes on alone, in memory that nothing else uses.
//
//	scan   ──────┬──── Run ────┐ context ends: Run returns
//	work         └─────────────────────────── its result is dropped
//
// A panic in such a goroutine would end the process. Catch turns it into an error,
// which travels to the goroutine of the caller, where Rethrow panics with it.
//
// What never comes here: files, scans, what becomes of results.
package detach
