// Package idle keeps the memory of released batches for those that come after them: fresh
// memory costs as much as decoding does.
//
// What never comes here: which batch fits which scan, memory that is in use.
package idle
