// Package assemble turns levels into nested vectors, a column at a time.
//
// A leaf column is a sequence of entries: a repetition level, a definition level,
// and a value where the definition level is the maximum. For an optional list
// of optional lists of optional numbers (definition levels: 1 the list is
// there, 2 it has an item, 3 that is a list, 4 with an item, 5 that is a number):
//
//	row              def rep value
//	NULL             0   0
//	[]               1   0
//	[NULL]           2   0
//	[[]]             3   0
//	[[NULL]]         4   0
//	[[1, NULL],      5   0   1
//	                 4   2
//	 [2]]            5   1   2
//
// Every node of the column has slots, and each slot is one entry of any leaf
// below: the outer list has a slot where rep < 1, the inner one where rep < 2
// and def >= 2, the number where def >= 4. A slot is NULL where def is below
// the level of the node. The items of a list are the slots of its child, so
// the offset of a list's slot is how many slots of the child come before it:
//
//	outer list   validity  0 1 1 1 1 1        offsets  0 0 0 1 2 3 5
//	inner list   validity  0 1 1 1 1          offsets  0 0 0 1 3 4
//	number       validity  0 1 0 1            values   0 1 0 2
//
// So one pass over the levels of one leaf makes the vector of one node; 64
// entries are compared at once. A Plan says which parts of a column are
// projected and from which leaf's levels each node is made. It holds no data
// and is safe for concurrent use.
//
// Levels come from hostile pages. An entry that continues a list without an
// item, and leaves of one struct that disagree about it, are errors.
//
// What never comes here: bytes, pages, names that a host has for columns.
package assemble
