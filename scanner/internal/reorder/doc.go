// Package reorder puts batches in a file's order.
//
//	unit 0    [b][b][b] done     its turn: Pop returns these, one after the other
//	unit 1    [b]                waits for its turn
//	unit 2    [b][b]             without room: Put waits
//
// Goroutines read units at the same time and Put their batches into a Buffer, which counts
// the waiting ones in a budget. A host takes them with Pop. Put never waits with the batch
// that Pop waits for, so the two cannot wait for each other.
//
// What never comes here: who reads which unit, what is in a batch.
package reorder
