// Package tree is the tree of an expression: what package filter builds and parses,
// and package compile reads. Conditions print as the parser reads them.
//
// What never comes here: parsing, schemas.
package tree
