// Package budget bounds the bytes that several scans hold together.
//
//	Budget   | Waiting          | Prefetching | Reading    | Making     |
//	holders  | scan A | scan B  | scan B      | A | A | B  | A | A | B  |
//
// A Budget has a limit for each of four uses. A Holder is what one user of bytes
// holds: a goroutine of a scan, its prefetcher, or the buffer in which its batches wait.
// Each holder may have its share, the limit divided by the number of holders, as long as
// the use has room.
//
// Before a scan holds anything, its first Worker is admitted with what it needs to go on. The
// others wait in Claim, before they take work. Scans that no host asks are overlooked in the end.
//
// TryTake and TakeUpTo never wait: without room, the caller does with less. Wait waits for
// room, or until its condition holds: that the host waits for this very batch. Take exceeds
// any limit: it is for what a scan needs to go on. So no goroutine waits that another
// one, or the host, may be waiting for.
//
// What never comes here: memory itself, what a caller does without room.
package budget
