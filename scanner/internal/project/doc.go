// Package project binds the columns that a host wants to those of a file.
//
//	Select   paths of columns and their parts            ─▶ projected nodes
//	Resolve  a host's schema: by name, position, field id ─▶ projected nodes, and Conversions
//
// A Conversion converts vectors of the file's types to the wanted types, where that
// loses nothing: batch by batch, after the rows are selected. A column that cannot be
// converted is a Mismatch, which names both types.
//
// What never comes here: reading, rows, errors with the file's name.
package project
