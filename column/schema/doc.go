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
// ListLevels has the definition levels that distinguish the states of a list.
// For tags, whose Present is 1 and whose Item is 2, and the item's MaxDef 3:
//
//	0   NULL          def < Present
//	1   []            Present <= def < Item
//	2   [NULL]        Item <= def, below the item's MaxDef
//	3   ["x"]
//
// The names of the nodes in between may be left out of a path: tags.item is
// tags.list.item.
//
// What never comes here: the host's table schema, projection, values, levels
// of data, I/O.
package schema
