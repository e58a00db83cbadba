// Package project binds what a host wants of a file to what the file has.
//
//	Select   paths of columns and their parts            ─▶ parts of the schema
//	Resolve  a host's schema: by name, position, field id ─▶ parts, and Conversions
//
// A Conversion makes vectors of the file's types those that are wanted, where that
// loses nothing: after rows were selected, batch by batch. What cannot be converted
// is a Mismatch, which names both types.
//
// What never comes here: reading, rows, errors with the file's name.
package project
