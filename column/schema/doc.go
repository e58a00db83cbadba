// Package schema says what the columns of a file are. New makes a tree of
// Nodes from the flat, depth-first list of the footer, one Node an element:
//
//	required group record                 Struct
//	  optional group tags (LIST)          List by rule 5   rep 0 def 1
//	    repeated group list                                rep 1 def 2
//	      optional binary item (STRING)   Leaf             rep 1 def 3
//
// A Node's Kind says what one occurrence of it is. How many there are is its
// Repetition; a repeated node is either the body of a LIST or MAP above it, or
// bare: then the field is a list of its occurrences and never NULL.
//
// ListLevels has the definition levels that tell the states of a list apart.
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
