// Package schema holds the column tree of a file. New makes a tree of
// Nodes from the footer's flat, depth-first list of elements, one Node each:
//
//	required group record                 Struct
//	  optional group tags (LIST)          List by rule 5   rep 0 def 1
//	    repeated group list                                rep 1 def 2
//	      optional binary item (STRING)   Leaf             rep 1 def 3
//
// A Node's Kind says what one occurrence of it is, its Repetition how often it
// may occur. A repeated node is either the body of a LIST or MAP above it, or
// bare: then the field is a list of its occurrences and never NULL.
//
// The MaxDef of a list, of its repeated body and of its item distinguish the states of
// the list. For tags they are 1, 2 and 3:
//
//	0   NULL          def < list
//	1   []            list <= def < body
//	2   [NULL]        body <= def < item
//	3   ["x"]         def = item
//
// The names of the nodes in between may be left out of a path: tags.item is
// tags.list.item.
//
// What never comes here: the host's table schema, projection, values, levels
// of data, I/O.
package schema
