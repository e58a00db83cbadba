// Package lookahead opens things in order, some of them before their turn comes.
//
//	Next returned    begun, a goroutine each    not begun
//	[0][1][2]        [3][4][5][6]               [7]…
//
// A goroutine lives until its thing is open, not until somebody wants it. So a queue that
// nobody asks any more has no goroutines, and only Stop closes what it has opened. Begin does the same for
// an iteration: it has its first pair before somebody wants it.
//
// What never comes here: what is opened, which things there are.
package lookahead
